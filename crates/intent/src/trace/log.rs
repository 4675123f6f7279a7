//! Appends to the trace, each record once.

use std::collections::HashSet;
use std::time::Duration;

use event::AbsPath;
use serde_json::Value;
use store::{Batch, Journal, JournalError};

use super::TraceRecord;

/// The trace of a workspace.
#[derive(Debug, Clone)]
pub struct TraceLog {
    file: AbsPath,
}

/// The records to append that the trace may contain already.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Earlier {
    /// Lines beyond this length may be about the same writes: another process has searched at the same time.
    pub same_writes: Option<u64>,
    /// Lines beyond this length may be the records themselves: the process that appended them was killed.
    pub same_records: Option<u64>,
}

/// Whether records were appended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Appended {
    /// They are in the trace.
    Traced,
    /// Others held the lock of the trace for the whole timeout.
    Busy,
}

impl TraceLog {
    /// The path of the trace in a workspace.
    pub const PATH: &'static str = ".orchestration/agent_trace.jsonl";

    /// Creates a log with the trace `file`.
    pub fn new(file: AbsPath) -> Self {
        Self { file }
    }

    /// Returns the length of the trace; 0 without one.
    pub fn length(&self) -> u64 {
        std::fs::metadata(self.file.as_path()).map_or(0, |meta| meta.len())
    }

    /// Appends the records that are not there yet. Waits at most `timeout` for the lock of the trace.
    ///
    /// Leaves out a record that is there already, and one whose file has the same content in the newest line since
    /// [`Earlier::same_writes`].
    pub fn append(
        &self,
        records: &[TraceRecord],
        earlier: Earlier,
        timeout: Duration,
    ) -> Result<Appended, JournalError> {
        if records.is_empty() {
            return Ok(Appended::Traced);
        }
        let journal = Journal::create(&self.file)?;
        let Some(held) = journal.lock(timeout) else { return Ok(Appended::Busy) };
        let end = held.heal()?;
        let lines_since = |start: Option<u64>| match start {
            Some(start) if start < end => journal.between(start, end),
            // A shorter trace is another one.
            Some(start) if start > end => journal.between(0, end),
            _ => Ok(String::new()),
        };
        let repeated = lines_since(earlier.same_records)?;
        let repeated: HashSet<&str> = repeated.lines().collect();
        let since = lines_since(earlier.same_writes)?;
        let is_there = |record: &TraceRecord| {
            (!repeated.is_empty() && repeated.contains(line_of(record).as_str()))
                || has_newest(&since, record)
        };
        let mut batch = Batch::default();
        for record in records.iter().filter(|record| !is_there(record)) {
            batch.push(record);
        }
        if !batch.is_empty() {
            held.append_after(end, &batch)?;
        }
        Ok(Appended::Traced)
    }
}

fn line_of(record: &TraceRecord) -> String {
    serde_json::to_string(record).unwrap_or_default()
}

/// Returns whether the newest of these lines about a record's file has its content.
fn has_newest(lines: &str, record: &TraceRecord) -> bool {
    if lines.is_empty() {
        return false;
    }
    let name = format!("\"file_path\":{}", Value::from(record.file_path.as_str()));
    let newest = lines.lines().rev().find(|line| line.contains(&name));
    newest.is_some_and(|line| line.contains(record.content_hash.as_str()))
}
