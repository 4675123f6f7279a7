//! Judges a command line by all programs that it would run.

use event::{Dialect, ToolCall, ToolKind};
use shell::{Doubt, Place, Reading};

use super::check::CallContext;
use super::permission::{Denial, Rule};
use crate::definition::BashFilter;
use crate::pattern::Pattern;

/// Judges a call. Returns `None` if the filter permits it.
pub(super) fn check(filter: &BashFilter, call: &ToolCall, terms: &CallContext<'_>) -> Option<Denial> {
    if filter.is_empty() && terms.global_blocked_patterns.is_empty() {
        return None;
    }
    let Some(command) = &call.command else {
        return (call.kind == ToolKind::Shell).then(|| unseen(filter, call, terms)).flatten();
    };
    let cwd = command.cwd.as_deref().filter(|it| it.starts_with('/')).unwrap_or(terms.place.cwd);
    let place = Place { cwd, dialect: command.dialect, ..terms.place };
    let reading = shell::read(&command.text, &place);
    let is_windows = command.dialect != Dialect::Posix;
    let mut texts = vec![command.text.clone()];
    texts.extend(reading.commands.iter().map(shell::Simple::line));
    not_allowed(filter, &reading, is_windows).or_else(|| blocked(filter, &texts, terms))
}

/// Judges a shell tool that does not show its command line: a task, a test run, a notebook cell.
fn unseen(filter: &BashFilter, call: &ToolCall, terms: &CallContext<'_>) -> Option<Denial> {
    if filter.allowed_commands.is_empty() {
        return blocked(filter, &[call.input.to_string()], terms);
    }
    Some(Denial {
        reason: format!("The tool `{}` does not show which commands it runs", call.name),
        instead: instead(filter),
        rule: Rule::AllowedCommands,
    })
}

fn not_allowed(filter: &BashFilter, reading: &Reading, is_windows: bool) -> Option<Denial> {
    if filter.allowed_commands.is_empty() {
        return None;
    }
    let denied =
        |reason: String| Some(Denial { reason, instead: instead(filter), rule: Rule::AllowedCommands });
    if let Some(stop) = &reading.stopped_at {
        return denied(format!("Cannot parse the command: {}", stop.what));
    }
    if !reading.parsed {
        return denied("Cannot parse the command".to_owned());
    }
    for command in &reading.commands {
        let word = command.argv.first().map(|it| it.text.as_str()).unwrap_or_default();
        if command.program.is_empty() {
            return denied(format!("The program that `{word}` runs is known only at run time"));
        }
        // `./git` may be any program: only the same path on the list allows it.
        if !command.is_itself {
            if !filter.allowed_commands.iter().any(|it| it.contains('/') && it == word) {
                return denied(format!("Command '{word}' is not allowed in this mode"));
            }
            continue;
        }
        // A wrapper is a program too: a list that allows `ls` does not allow `sudo ls`.
        for program in command.via.iter().chain([&command.program]) {
            if !is_listed(filter, program, is_windows) {
                return denied(format!("Command '{program}' is not allowed in this mode"));
            }
        }
    }
    let hidden =
        |it: &&shell::Reason| matches!(it.kind, Doubt::Code | Doubt::ProgramName | Doubt::Unreadable);
    if let Some(doubt) = reading.unknown.iter().find(hidden) {
        return denied(format!("`{}`: {}", doubt.about, doubt.kind.sentence()));
    }
    None
}

fn is_listed(filter: &BashFilter, program: &str, is_windows: bool) -> bool {
    let program = base_name(program, is_windows);
    filter.allowed_commands.iter().filter(|it| is_windows || names_a_program(it)).any(|it| {
        let listed = base_name(it, is_windows);
        if is_windows { listed.eq_ignore_ascii_case(program) } else { listed == program }
    })
}

/// Returns whether an entry of the list is a bare name or a path in a system folder, for which the
/// name stands.
fn names_a_program(entry: &str) -> bool {
    entry.rsplit_once('/').is_none_or(|(folder, _)| shell::is_system_bin(folder))
}

fn base_name(program: &str, is_windows: bool) -> &str {
    if !is_windows {
        return program.rsplit('/').next().unwrap_or(program);
    }
    let name = program.rsplit(['/', '\\']).next().unwrap_or(program);
    let lower = name.to_ascii_lowercase();
    let ending = [".exe", ".cmd", ".bat", ".ps1"].into_iter().find(|it| lower.ends_with(it));
    ending.map_or(name, |it| &name[..name.len() - it.len()])
}

fn blocked(filter: &BashFilter, texts: &[String], terms: &CallContext<'_>) -> Option<Denial> {
    // A pattern that cannot be compiled blocks: it was written to block something.
    let found = |pattern: &&Pattern| texts.iter().any(|it| pattern.is_match(it).unwrap_or(true));
    let own =
        filter.blocked_patterns.iter().find(found).map(|it| Rule::BlockedPattern(it.as_str().to_owned()));
    let global = || {
        let pattern = terms.global_blocked_patterns.iter().find(found)?;
        Some(Rule::GlobalBlockedPattern(pattern.as_str().to_owned()))
    };
    let rule = own.or_else(global)?;
    let pattern = match &rule {
        Rule::BlockedPattern(pattern) | Rule::GlobalBlockedPattern(pattern) => pattern.as_str(),
        _ => "",
    };
    Some(Denial { reason: format!("Command blocked by pattern: {pattern}"), instead: instead(filter), rule })
}

fn instead(filter: &BashFilter) -> String {
    if filter.allowed_commands.is_empty() {
        return "Reach the goal with a command that does not do this, or with another tool.".to_owned();
    }
    format!("Use only these commands: {}.", filter.allowed_commands.join(", "))
}
