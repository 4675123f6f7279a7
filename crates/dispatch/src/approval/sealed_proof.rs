//! The proof that a command line can do no harm where it runs sealed: confined to the scope of its intent, without the
//! network, and with nothing to read but the system, toolchains and the workspace without its secrets.
//!
//! INVARIANT: the kernel limits what the command does; this file checks only its text. A line that names a file outside
//! of the workspace, a secret or the network is for the user, although it would fail.

use event::{AbsPath, CommandLine, Dialect};
use host::user_rules::CallFacts;
use modules::Context;
use shell::guard::{Policy, judge};
use shell::{Certainty, PathUse, Simple, Site};

use super::call_paths::{inside, is_secret};
use super::doubtful_word::{is_doubtful_word, is_null};

/// Programs that need hidden files: git its settings and the user's name, the others a terminal or another machine.
const NEED_MORE: [&str; 8] = ["git", "gh", "ssh", "scp", "rsync", "vi", "vim", "nano"];

/// Returns the facts of a command line that may run sealed. Returns `None` if the user must decide.
pub(super) fn of(context: &Context<'_>, command: &CommandLine) -> Option<CallFacts> {
    if command.dialect != Dialect::Posix || !context.earlier_lines().is_empty() {
        return None;
    }
    let reading = context.reading(command);
    let is_calm = reading.parsed
        && reading.risks.is_empty()
        && !reading.network
        && !reading.privilege
        && !reading.runs_fetched_code
        && reading.deletes.is_empty()
        && !reading.shell_changes.has_definitions
        // By the default rules: a project's own levels do not make a command harmless.
        && judge(reading, &Policy::default()).reasons.is_empty();
    if !is_calm || reading.commands.is_empty() {
        return None;
    }
    let mut facts = CallFacts::default();
    for command in &reading.commands {
        add_command(context, command, &mut facts)?;
    }
    facts.commands.push(command.text.split_whitespace().map(str::to_owned).collect());
    for path in &reading.reads {
        add_named(context, path, &mut facts.reads)?;
    }
    for path in reading.writes.iter().chain(&reading.creates) {
        add_named(context, path, &mut facts.writes)?;
    }
    Some(facts)
}

/// Adds the words of a command. Returns `None` if the user's rules could not be asked about it, or if it names something
/// that is hidden.
fn add_command(context: &Context<'_>, command: &Simple, facts: &mut CallFacts) -> Option<()> {
    let is_plain = command.site == Site::Local
        && !command.program.is_empty()
        && !NEED_MORE.contains(&command.program.as_str())
        && command.argv.iter().all(|word| word.known);
    if !is_plain {
        return None;
    }
    let folder = AbsPath::new(command.cwd.as_deref()?).ok()?;
    inside(context, &folder, ".")?;
    if command.argv.iter().skip(1).any(|word| is_doubtful_word(context, &folder, &word.text)) {
        return None;
    }
    let words = command.via.iter().cloned().chain(command.argv.iter().map(|word| word.text.clone()));
    facts.commands.push(words.collect());
    Some(())
}

/// Adds a named file to a list, for the user's rules. Returns `None` if it is a secret, or outside of the workspace.
fn add_named(context: &Context<'_>, path: &PathUse, list: &mut Vec<String>) -> Option<()> {
    if path.site != Site::Local {
        return None;
    }
    if path.certainty == Certainty::Exact && !is_null(&path.path) {
        let real = inside(context, context.folder(), &path.path)?;
        if is_secret(context, &real) {
            return None;
        }
        list.push(real.to_string());
    }
    Some(())
}
