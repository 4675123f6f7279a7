//! Makes a workspace look as if it had been used for months.

use std::fs;
use std::io::{BufWriter, Write};
use std::path::Path;

use anyhow::{Context, Result, bail};

use super::payload::{Moment, Tool};
use super::workspace::Workspace;

/// Events in the session that is measured.
pub(crate) const EVENTS: usize = 100_000;

/// Sessions in the workspace.
pub(crate) const SESSIONS: usize = 1_000;

/// Calls that the program itself records; everything else is made of copies of them.
const SEEDS: usize = 20;

/// Fills the journal of the only session, after copying the session for the others.
///
/// WHY: the lines are the program's own, each with its own id, so the
/// journal is as valid as one that took a hundred thousand runs to write.
pub(crate) fn grow(workspace: &Workspace) -> Result<()> {
    for seed in 0..SEEDS {
        workspace.dispatch(Moment::PreToolUse { tool: Tool::Recorded, call: &seed_id(seed) })?;
    }
    let session = workspace.session_folder()?;
    copy_sessions(&session)?;
    fill_journal(&session.join("events.jsonl"))
}

fn seed_id(number: usize) -> String {
    format!("toolu_seed_{number:06}")
}

fn copy_sessions(session: &Path) -> Result<()> {
    let context = || format!("cannot copy `{}`", session.display());
    let id = session.file_name().and_then(|it| it.to_str()).with_context(context)?;
    let parent = session.parent().with_context(context)?;
    for number in 1..SESSIONS {
        // Far from what a real id would be, and never twice the same.
        let other = format!("{:08x}", number * 0x0003_1415);
        copy(session, &parent.join(&other), id, &other).with_context(context)?;
    }
    Ok(())
}

fn copy(from: &Path, to: &Path, id: &str, other: &str) -> std::io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target, id, other)?;
        } else if let Ok(text) = fs::read_to_string(entry.path()) {
            fs::write(target, text.replace(id, other))?;
        }
    }
    Ok(())
}

fn fill_journal(journal: &Path) -> Result<()> {
    let context = || format!("cannot fill `{}`", journal.display());
    let text = fs::read_to_string(journal).with_context(context)?;
    let of_calls = |line: &&str| (0..SEEDS).any(|seed| line.contains(&seed_id(seed)));
    let lines: Vec<&str> = text.lines().filter(of_calls).collect();
    if lines.is_empty() {
        bail!(
            "the journal does not name the calls that were made\nhint: a line about a tool call carries its id"
        );
    }
    let mut file = BufWriter::new(fs::OpenOptions::new().append(true).open(journal).with_context(context)?);
    for number in text.lines().count()..EVENTS {
        let line = lines[number % lines.len()];
        let old = (0..SEEDS).map(seed_id).find(|id| line.contains(id.as_str())).unwrap_or_default();
        writeln!(file, "{}", line.replace(&old, &seed_id(SEEDS + number))).with_context(context)?;
    }
    file.flush().with_context(context)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scratch::Scratch;

    #[test]
    fn the_journal_grows_with_its_own_lines_and_new_ids() {
        let scratch = Scratch::new("history").unwrap();
        let journal = scratch.path().join("events.jsonl");
        let mut lines = vec![r#"{"type":"start"}"#.to_owned()];
        lines.extend((0..SEEDS).map(|it| format!(r#"{{"id":"{}"}}"#, seed_id(it))));
        fs::write(&journal, lines.join("\n") + "\n").unwrap();
        fill_journal(&journal).unwrap();
        let text = fs::read_to_string(&journal).unwrap();
        let lines: std::collections::BTreeSet<&str> = text.lines().collect();
        assert_eq!((text.lines().count(), lines.len()), (EVENTS, EVENTS));
    }

    #[test]
    fn a_journal_without_the_calls_is_an_error() {
        let scratch = Scratch::new("history").unwrap();
        let journal = scratch.path().join("events.jsonl");
        fs::write(&journal, "{\"type\":\"start\"}\n").unwrap();
        assert!(fill_journal(&journal).unwrap_err().to_string().starts_with("the journal does not name"));
    }

    #[test]
    fn a_copied_session_carries_its_own_id() {
        let scratch = Scratch::new("history").unwrap();
        let (from, to) = (scratch.path().join("aaaaaaaa"), scratch.path().join("bbbbbbbb"));
        fs::create_dir_all(from.join("session/logs")).unwrap();
        fs::write(from.join("state.json"), "{\"sessionId\":\"aaaaaaaa\"}").unwrap();
        copy(&from, &to, "aaaaaaaa", "bbbbbbbb").unwrap();
        assert_eq!(fs::read_to_string(to.join("state.json")).unwrap(), "{\"sessionId\":\"bbbbbbbb\"}");
        assert!(to.join("session/logs").is_dir());
    }
}
