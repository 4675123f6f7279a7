//! Lets the undo that a drift report suggests pass, once, for exactly the reported files.
//!
//! WHY: the report asks the agent to run `git restore -- FILE`, and the file is out of scope.

use std::collections::BTreeSet;

use intent::Violation;
use intent::journal::{DriftUndone, JournalRecord, ScopeDrift};
use serde_json::Value;
use shell::Reading;
use store::Journal;

use crate::Context;

/// How much of the end of the journal is searched for reports.
const JOURNAL_END: u64 = 1024 * 1024;

/// Returns the files of an undo that reports of this session suggested and that was not used yet. Returns `None` for
/// any other command.
pub(super) fn suggested(
    context: &Context<'_>,
    reading: &Reading,
    violations: &[Violation],
) -> Option<Vec<String>> {
    let is_plain = reading.parsed && reading.unknown.is_empty() && !reading.commands.is_empty();
    if !is_plain || !reading.commands.iter().all(is_undo) {
        return None;
    }
    let open = open_reports(&tail_of(context));
    let files: Vec<String> = violations.iter().map(|violation| violation.path.clone()).collect();
    files.iter().all(|file| open.contains(file) || open.contains(&format!("{file}/"))).then_some(files)
}

/// Returns the files that this session has restored after a report.
pub(super) fn undone(context: &Context<'_>) -> BTreeSet<String> {
    records::<DriftUndone>(&tail_of(context)).into_iter().flat_map(|it| it.files).collect()
}

/// Returns whether a command is `git restore -- …`, `rm -- …` or `rmdir -- …`, without other options.
fn is_undo(command: &shell::Simple) -> bool {
    let words: Vec<&str> = command.argv.iter().map(|word| word.text.as_str()).collect();
    matches!(words.as_slice(), ["git", "restore", "--", _, ..] | ["rm" | "rmdir", "--", _, ..])
}

/// Returns the reported files whose undo was not used since.
fn open_reports(journal: &str) -> BTreeSet<String> {
    let mut open = BTreeSet::new();
    for line in journal.lines() {
        for drift in records::<ScopeDrift>(line) {
            open.extend(drift.files.into_iter().map(|file| file.file));
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
