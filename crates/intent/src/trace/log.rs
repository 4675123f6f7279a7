//! Appends to the trace without losing records.
//!
//! INVARIANT: a record is in the trace or in the session's spool before `append` returns, or `append`
//! returns an error. The next call appends the spooled records. A process that dies between the two
//! leaves a record in both: a duplicate is better than a loss.

use std::fs::OpenOptions;
use std::time::Duration;

use event::AbsPath;
use serde_json::Value;
use store::{Batch, Journal, JournalError};

use super::TraceRecord;

/// The trace of a workspace, and the session's spool for records that could not be appended.
#[derive(Debug, Clone)]
pub struct TraceLog {
    file: AbsPath,
    spool: AbsPath,
}

/// The destination of records.
#[derive(Debug)]
pub enum Appended {
    /// The trace, together with this many records from the spool.
    Traced {
        /// Records of earlier calls that are now in the trace.
        n_caught_up: usize,
    },
    /// The spool; the next call appends them.
    Spooled {
        /// Why the trace refused them; `None` if others held its lock too long.
        why: Option<JournalError>,
    },
}

/// The records could not be stored.
#[derive(Debug, thiserror::Error)]
#[error("cannot append to the trace or to the spool: {spool}")]
pub struct NotTraced {
    /// The spool's error.
    pub spool: JournalError,
}

impl TraceLog {
    /// The path of the trace in a workspace.
    pub const PATH: &'static str = ".orchestration/agent_trace.jsonl";

    /// Creates a log with the trace `file` and the spool `spool`.
    pub fn new(file: AbsPath, spool: AbsPath) -> Self {
        Self { file, spool }
    }

    /// Appends the records after those of the spool. Waits at most `timeout` for the lock of the trace.
    pub fn append(&self, records: &[TraceRecord], timeout: Duration) -> Result<Appended, NotTraced> {
        self.append_unless_traced(records, None, timeout)
    }

    /// Appends the records like [`Self::append`].
    ///
    /// Leaves out a record if the newest line about its file has the same content already and was appended after the
    /// first `known` bytes, which the caller has read: another process has traced the same write.
    pub fn append_unless_traced(
        &self,
        records: &[TraceRecord],
        known: Option<u64>,
        timeout: Duration,
    ) -> Result<Appended, NotTraced> {
        let batch = batch_of(records);
        match self.append_to_trace(records, known, timeout) {
            Ok(Some(n_caught_up)) => Ok(Appended::Traced { n_caught_up }),
            Ok(None) => self.append_to_spool(&batch).map(|()| Appended::Spooled { why: None }),
            Err(error) => self.append_to_spool(&batch).map(|()| Appended::Spooled { why: Some(error) }),
        }
    }

    /// Appends the spooled records; returns their number.
    pub fn catch_up(&self, timeout: Duration) -> Result<usize, JournalError> {
        Ok(self.append_to_trace(&[], None, timeout)?.unwrap_or(0))
    }

    /// Returns `None` if the lock of the trace is not available in time.
    fn append_to_trace(
        &self,
        records: &[TraceRecord],
        known: Option<u64>,
        timeout: Duration,
    ) -> Result<Option<usize>, JournalError> {
        let spooled = self.spooled()?;
        if records.is_empty() && spooled.is_none() {
            return Ok(Some(0));
        }
        let journal = Journal::create(&self.file)?;
        let Some(held) = journal.lock(timeout) else { return Ok(None) };
        let end = journal.length()?;
        let lines_since =
            |start: u64| if start < end { journal.between(start, end) } else { Ok(String::new()) };
        let since = lines_since(known.unwrap_or(end))?;
        let batch = &batch_of(records.iter().filter(|record| !has_newest(&since, record)));
        let Some(spool) = spooled else {
            if !batch.is_empty() {
                held.append(batch)?;
            }
            return Ok(Some(0));
        };
        // Another process of this session may already be emptying the spool.
        let Some(spool_held) = spool.lock(timeout) else {
            if !batch.is_empty() {
                held.append(batch)?;
            }
            return Ok(Some(0));
        };
        let lines = spool.between(0, spool.length()?)?;
        let earlier: Vec<_> =
            lines.lines().filter_map(|line| TraceRecord::parse(line.as_bytes()).ok()).collect();
        let all = batch_of(&earlier);
        if !all.is_empty() {
            held.append(&all)?;
        }
        self.empty_spool()?;
        drop(spool_held);
        if !batch.is_empty() {
            held.append(batch)?;
        }
        Ok(Some(earlier.len()))
    }

    fn append_to_spool(&self, batch: &Batch) -> Result<(), NotTraced> {
        let append = || {
            let spool = Journal::create(&self.spool)?;
            match spool.lock(Duration::from_millis(50)) {
                Some(held) => held.append(batch).map(|_| ()),
                None => spool.append_unlocked(batch),
            }
        };
        append().map_err(|spool| NotTraced { spool })
    }

    /// Opens the spool. Returns `None` if it is empty or does not exist.
    fn spooled(&self) -> Result<Option<Journal>, JournalError> {
        let holds = std::fs::metadata(self.spool.as_path()).is_ok_and(|meta| meta.len() > 0);
        holds.then(|| Journal::open(&self.spool)).transpose()
    }

    /// Empties the spool in place: another process may have it open and wait for its lock.
    #[expect(clippy::disallowed_methods, reason = "replacing the file would lose the lines of that process")]
    fn empty_spool(&self) -> Result<(), JournalError> {
        let emptied =
            OpenOptions::new().write(true).open(self.spool.as_path()).and_then(|file| file.set_len(0));
        emptied.map_err(|source| JournalError::Append { path: self.spool.as_path().to_path_buf(), source })
    }
}

fn batch_of<'a>(records: impl IntoIterator<Item = &'a TraceRecord>) -> Batch {
    let mut batch = Batch::default();
    for record in records {
        batch.push(record);
    }
    batch
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
