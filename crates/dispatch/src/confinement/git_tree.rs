//! Git commands that rewrite the files of a checkout: confined they end with 0 and leave a half-written tree if one of
//! these files is out of scope, so they are judged by their diff first.

use std::cell::{Cell, RefCell};
use std::path::Path;
use std::time::Instant;

use event::{AbsPath, Access, CommandLine};
use intent::{Reach, Target};
use modules::intent as intents;
use modules::shell_guard::{self, changed_files};
use modules::{Context, IntentSettings};
use session::shell_call::CallScope;
use shell::{Git, GitAnswer, GitChange, Reading, Simple};

/// Subcommands that replace files of the checkout by those of commits.
const REWRITE: [&str; 11] = [
    "am",
    "bisect",
    "checkout",
    "cherry-pick",
    "merge",
    "pull",
    "rebase",
    "reset",
    "restore",
    "revert",
    "switch",
];

/// How many files a reason names.
const SHOWN: usize = 3;

/// Returns why a line that rewrites a checkout cannot run confined; `None` if all its files are in scope.
pub(super) fn reason(
    context: &Context<'_>,
    command: &CommandLine,
    reading: &Reading,
    scope: &CallScope,
) -> Option<String> {
    let subcommand = reading.commands.iter().find_map(rewriting)?;
    let changes =
        Changes { context, files: RefCell::default(), is_unknown: Cell::new(false), asked: Cell::new(0) };
    let folder = shell_guard::folder(context, command);
    let place = shell::Place { git: &changes, ..shell_guard::place(context, command, &folder) };
    let _ = shell::read(&command.text, &place);
    if changes.is_unknown.get() || changes.asked.get() == 0 {
        return Some(format!("steersman cannot determine the files that `git {subcommand}` changes"));
    }
    let files = changes.files.into_inner();
    let outside: Vec<String> =
        files.iter().filter(|file| !is_in_scope(context, file, scope)).cloned().collect();
    if outside.is_empty() {
        return None;
    }
    let root = context.workspace.root();
    let shown: Vec<String> = outside.iter().take(SHOWN).map(|file| shown(root, file)).collect();
    let more = outside.len().saturating_sub(SHOWN);
    let more = if more == 0 { String::new() } else { format!(" and {more} more") };
    Some(format!(
        "`git {subcommand}` changes files out of scope ({}{more}), and confined it would leave a half-written tree",
        shown.join(", ")
    ))
}

/// Returns the subcommand of a git command that rewrites the checkout.
fn rewriting(command: &Simple) -> Option<&str> {
    if command.program != "git" {
        return None;
    }
    let words: Vec<&str> = command.argv.iter().skip(1).map(|word| word.text.as_str()).collect();
    let subcommand = words.iter().find(|word| REWRITE.contains(word) || **word == "stash").copied()?;
    match subcommand {
        "stash" => {
            let reads = words
                .iter()
                .any(|word| matches!(*word, "list" | "show" | "drop" | "clear" | "create" | "store"));
            (!reads).then_some(subcommand)
        }
        // Without these options it moves only the branch and the index.
        "reset" => {
            words.iter().any(|word| matches!(*word, "--hard" | "--merge" | "--keep")).then_some(subcommand)
        }
        _ => Some(subcommand),
    }
}

fn is_in_scope(context: &Context<'_>, file: &str, scope: &CallScope) -> bool {
    let root = context.workspace.root();
    match scope {
        CallScope::Workspace => Path::new(file).starts_with(root.as_path()) && !shell::guard::governs(file),
        CallScope::Nothing => false,
        CallScope::Intent(id) => intents::intent_named(context, id).is_some_and(|intent| {
            let rules = context.config.typed::<IntentSettings>(IntentSettings::SECTION).unwrap_or_default();
            let target = Target::new(file, root, Access::Write, Reach::Itself);
            rules.scope(context.workspace).check(&target, &intent).is_ok()
        }),
    }
}

fn shown(root: &AbsPath, file: &str) -> String {
    let path = root.join(file);
    let relative = path.below(root).map_or_else(|_| path.to_string(), |path| path.to_string());
    format!("`{relative}`")
}

/// Collects every file that git would change, instead of the governing ones only.
struct Changes<'a> {
    context: &'a Context<'a>,
    files: RefCell<Vec<String>>,
    is_unknown: Cell<bool>,
    asked: Cell<usize>,
}

impl Git for Changes<'_> {
    fn changes(&self, folder: &str, change: &GitChange) -> Option<GitAnswer> {
        self.asked.set(self.asked.get() + 1);
        let time = self.context.deadline.left(Instant::now()) / 3;
        match changed_files(Path::new(folder), change, time) {
            Some(files) => self.files.borrow_mut().extend(files),
            None => self.is_unknown.set(true),
        }
        Some(GitAnswer::Files(Vec::new()))
    }
}
