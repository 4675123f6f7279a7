//! Asks the user's own rules, in the settings of the host, about a call.

use std::io;
use std::path::Path;

use event::ToolCall;
use host::Host;
use host::user_rules::{CallFacts, RuleFile, RuleFolders, UserRule, gives_reasons, of_copilot};
use modules::Context;
use store::plain_file;

use super::copilot_process;
use crate::announced_command;

/// The answer of the user's rules to a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ruling {
    /// No rule is about it.
    None,
    /// A rule denies it or asks about it, or the rules cannot be read.
    Objects,
}

/// Returns the decision of the user's rules about a call.
pub(super) fn speak_of(context: &Context<'_>, call: &ToolCall, mut facts: CallFacts) -> Ruling {
    let Some(home) = context.home else { return Ruling::Objects };
    facts.tools.push(call.name.to_lowercase());
    facts.tools.push(call.kind.as_str().to_owned());
    if call.command.is_some() {
        facts.tools.push("bash".to_owned());
    }
    let folders = RuleFolders {
        home: home.as_path(),
        workspace: context.workspace.root().as_path(),
        folder: context.folder().as_path(),
        transcript: context.event.transcript.as_deref().map(Path::new),
        moved: context.moved_settings,
    };
    if context.host == Host::Raw {
        return Ruling::None;
    }
    let Some(rules) = rules(context, &folders) else { return Ruling::Objects };
    if rules.iter().any(|rule| rule.is_about(&facts)) || leaves_sandbox(context, call) {
        return Ruling::Objects;
    }
    Ruling::None
}

/// Returns all rules that deny or ask. Returns `None` if one of the sources cannot be read.
fn rules(context: &Context<'_>, folders: &RuleFolders<'_>) -> Option<Vec<UserRule>> {
    let mut rules = Vec::new();
    for file in RuleFile::of(context.host, folders)? {
        let paths = match file.suffix {
            None => vec![file.path.clone()],
            Some(suffix) => match file.path.read_dir() {
                Err(error) if is_absent(&error) => continue,
                Err(_) => return None,
                Ok(entries) => {
                    let paths = entries.map(|entry| entry.ok().map(|entry| entry.path()));
                    let paths: Option<Vec<_>> = paths.collect();
                    paths?.into_iter().filter(|path| path.to_string_lossy().ends_with(suffix)).collect()
                }
            },
        };
        for path in paths {
            // A pipe in place of a file must not keep the host waiting.
            match plain_file::read(&path) {
                Err(error) if is_absent(&error) => {}
                Err(_) => return None,
                Ok(text) => rules.extend(file.rules(std::str::from_utf8(&text).ok()?, folders).ok()?),
            }
        }
    }
    if context.host == Host::CopilotCli {
        for line in copilot_process::command_lines()? {
            rules.extend(of_copilot(&line, folders)?);
        }
    }
    Some(rules)
}

fn is_absent(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

/// Returns whether a command leaves Codex's sandbox. Its payload does not tell, its transcript does.
fn leaves_sandbox(context: &Context<'_>, call: &ToolCall) -> bool {
    if context.host != Host::Codex {
        return false;
    }
    let Some(command) = &call.command else { return true };
    let announced = announced_command::of(context.event, &command.text);
    // Where the command runs was taken from the same announcement.
    let is_plain = announced.is_some_and(|found| !found.is_escalated && found.folder == command.cwd);
    !is_plain || gives_reasons(&call.input)
}
