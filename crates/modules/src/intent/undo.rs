//! Lets the undo that a drift report suggests pass, once, for exactly the reported files.
//!
//! WHY: the report asks the agent to run `git restore -- FILE`, and the file is out of scope.

use std::collections::{BTreeMap, BTreeSet};

use intent::Violation;
use intent::journal::{DriftUndone, JournalRecord, ScopeDrift};
use serde_json::Value;
use shell::Reading;
use store::Journal;

use crate::Context;

/// How much of the end of the journal is searched for reports.
const JOURNAL_END: u64 = 1024 * 1024;

/// An undo that reports of this session suggested and that was not used yet.
pub(super) struct SuggestedUndo {
    /// The files out of scope that it restores or removes.
    pub(super) files: Vec<String>,
    /// Whether it names no other file, so that the user need not approve it: the report asked for exactly this.
    pub(super) is_exact: bool,
}

/// Returns the suggested undo that a command is. Returns `None` for any other command.
pub(super) fn suggested(
    context: &Context<'_>,
    reading: &Reading,
    violations: &[Violation],
) -> Option<SuggestedUndo> {
    if !is_plain_undo(reading) {
        return None;
    }
    let open = open_reports(&tail_of(context));
    let undoes = |file: &String| {
        let mut commands = reading.commands.iter().filter(|command| is_about(command, file));
        let undo = open.get(file).or_else(|| open.get(&format!("{file}/")));
        let is_suggested = |command: &shell::Simple| {
            let program = undo_of(command).map(|program| format!("`{program} -- "));
            program.is_some_and(|program| undo.is_some_and(|undo| undo.contains(&program)))
        };
        // Each file by one command, and by the one that the report suggests.
        commands.next().is_some_and(is_suggested) && commands.next().is_none()
    };
    let files: Vec<String> = violations.iter().map(|violation| violation.path.clone()).collect();
    let n_named = reading.commands.iter().flat_map(files_of).count();
    let is_exact = n_named == files.iter().collect::<BTreeSet<_>>().len();
    files.iter().all(undoes).then_some(SuggestedUndo { files, is_exact })
}

fn is_plain_undo(reading: &Reading) -> bool {
    let is_plain = reading.parsed && reading.unknown.is_empty() && !reading.commands.is_empty();
    is_plain && reading.commands.iter().all(|command| undo_of(command).is_some())
}

/// Returns the files that an undo names, after `--`.
fn files_of(command: &shell::Simple) -> impl Iterator<Item = &str> {
    let words = command.argv.iter().map(|word| word.text.as_str());
    words.skip_while(|word| *word != "--").skip(1)
}

fn is_about(command: &shell::Simple, file: &str) -> bool {
    files_of(command).any(|named| file == named || file.ends_with(named) || named.ends_with(file))
}

/// Returns the files that this session has restored after a report.
pub(super) fn undone(context: &Context<'_>) -> BTreeSet<String> {
    records::<DriftUndone>(&tail_of(context)).into_iter().flat_map(|it| it.files).collect()
}

/// Returns the program of `git restore -- …`, `rm -- …` or `rmdir -- …` without other options. Returns `None` for other
/// commands, and if git would take a name for a pattern of several files.
fn undo_of(command: &shell::Simple) -> Option<&'static str> {
    let words: Vec<&str> = command.argv.iter().map(|word| word.text.as_str()).collect();
    match words.as_slice() {
        ["git", "restore", "--", files @ ..] if !files.is_empty() => {
            let is_pattern = |file: &&str| file.starts_with(':') || file.contains(['*', '?', '[', '\\']);
            (!files.iter().any(is_pattern)).then_some("git restore")
        }
        ["rm", "--", _, ..] => Some("rm"),
        ["rmdir", "--", _, ..] => Some("rmdir"),
        _ => None,
    }
}

/// Returns the reported files whose undo was not used since, each with its undo.
fn open_reports(journal: &str) -> BTreeMap<String, String> {
    let mut open = BTreeMap::new();
    for line in journal.lines() {
        for drift in records::<ScopeDrift>(line) {
            open.extend(drift.files.into_iter().map(|file| (file.file, file.undo)));
        }
        for undone in records::<DriftUndone>(line) {
            for file in undone.files {
                open.remove(&file);
                open.remove(&format!("{file}/"));
            }
        }
    }
    open
}

fn records<R: JournalRecord>(lines: &str) -> Vec<R> {
    let kind = format!("\"type\":\"{}\"", R::KIND.name());
    let parse = |line: &str| {
        let value: Value = serde_json::from_str(line).ok()?;
        R::from_data(value.get("data")?)
    };
    lines.lines().filter(|line| line.contains(&kind)).filter_map(parse).collect()
}

fn tail_of(context: &Context<'_>) -> String {
    let journal = Journal::open_to_read(&context.session.events_file()).ok().flatten();
    journal.and_then(|journal| journal.tail(JOURNAL_END).ok()).unwrap_or_default()
}
