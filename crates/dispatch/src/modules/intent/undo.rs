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

/// Returns the files of an undo that reports of this session suggested and that was not used yet. Returns `None` for
/// any other command.
pub(super) fn suggested(
    context: &Context<'_>,
    reading: &Reading,
    violations: &[Violation],
) -> Option<Vec<String>> {
    if !is_plain_undo(reading) {
        return None;
    }
    let open = open_reports(&tail_of(context));
    let undoes = |file: &String| {
        let named = reading.commands.iter().filter(|command| is_about(command, file));
        let mut programs = named.filter_map(|command| command.argv.first()).map(|word| word.text.as_str());
        let undo = open.get(file).or_else(|| open.get(&format!("{file}/")));
        // Each file by one command, and by the one that the report suggests.
        programs.next().is_some_and(|program| undo.is_some_and(|undo| undo.contains(program)))
            && programs.next().is_none()
    };
    let files: Vec<String> = violations.iter().map(|violation| violation.path.clone()).collect();
    files.iter().all(undoes).then_some(files)
}

fn is_plain_undo(reading: &Reading) -> bool {
    let is_plain = reading.parsed && reading.unknown.is_empty() && !reading.commands.is_empty();
    is_plain && reading.commands.iter().all(is_undo)
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

/// Returns whether a command is `git restore -- …`, `rm -- …` or `rmdir -- …`, without other options.
fn is_undo(command: &shell::Simple) -> bool {
    let words: Vec<&str> = command.argv.iter().map(|word| word.text.as_str()).collect();
    matches!(words.as_slice(), ["git", "restore", "--", _, ..] | ["rm" | "rmdir", "--", _, ..])
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
