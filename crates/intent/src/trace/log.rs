//! Appending to the trace so that nothing is lost.
//!
//! INVARIANT: a record is in the trace or in the session's spool before `append` returns, or the
//! caller is told that neither took it. What the spool holds is appended by the next call. A
//! process that dies between the two leaves a record in both: twice is better than never.

use std::fs::OpenOptions;
use std::time::Duration;

use event::AbsPath;
use store::{Batch, Journal, JournalError};

use super::TraceRecord;

/// The trace of a workspace, and where a session keeps what it could not append.
#[derive(Debug, Clone)]
pub struct TraceLog {
    file: AbsPath,
    spool: AbsPath,
}

/// Where records went.
#[derive(Debug)]
pub enum Appended {
    /// Into the trace, along with this many from the spool.
    Traced {
        /// Records of earlier calls that are in the trace now.
        n_caught_up: usize,
    },
    /// Into the spool; the next call appends them.
    Spooled {
        /// Why the trace did not take them; nothing if others held it too long.
        why: Option<JournalError>,
    },
}

/// The records could be put nowhere.
#[derive(Debug, thiserror::Error)]
#[error("the trace and the spool both refused the records: {spool}")]
pub struct NotTraced {
    /// Why the spool refused.
    pub spool: JournalError,
}

impl TraceLog {
    /// Where the trace lies in a workspace.
    pub const PATH: &'static str = ".orchestration/agent_trace.jsonl";

    /// Uses the trace in `file`, and `spool` for what it does not take.
    pub fn new(file: AbsPath, spool: AbsPath) -> Self {
        Self { file, spool }
    }

    /// Appends the records, after those of the spool. Waits at most `patience` for the trace.
    pub fn append(&self, records: &[TraceRecord], patience: Duration) -> Result<Appended, NotTraced> {
        let mut batch = Batch::default();
        for record in records {
            batch.push(record);
        }
        match self.append_to_trace(&batch, patience) {
            Ok(Some(n_caught_up)) => Ok(Appended::Traced { n_caught_up }),
            Ok(None) => self.append_to_spool(&batch).map(|()| Appended::Spooled { why: None }),
            Err(error) => self.append_to_spool(&batch).map(|()| Appended::Spooled { why: Some(error) }),
        }
    }

    /// Appends what the spool holds; returns how many records that were.
    pub fn catch_up(&self, patience: Duration) -> Result<usize, JournalError> {
        Ok(self.append_to_trace(&Batch::default(), patience)?.unwrap_or(0))
    }

    /// Returns nothing if the trace could not be had in time.
    fn append_to_trace(&self, batch: &Batch, patience: Duration) -> Result<Option<usize>, JournalError> {
        let spooled = self.spooled()?;
        if batch.is_empty() && spooled.is_none() {
            return Ok(Some(0));
        }
        let journal = Journal::create(&self.file)?;
        let Some(held) = journal.lock(patience) else { return Ok(None) };
        let Some(spool) = spooled else {
            held.append(batch)?;
            return Ok(Some(0));
        };
        // Another process of this session may be emptying the spool already.
        let Some(spool_held) = spool.lock(patience) else {
            held.append(batch)?;
            return Ok(Some(0));
        };
        let lines = spool.between(0, spool.length()?)?;
        let earlier: Vec<_> =
            lines.lines().filter_map(|line| TraceRecord::parse(line.as_bytes()).ok()).collect();
        let mut all = Batch::default();
        for record in &earlier {
            all.push(record);
        }
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

    /// Returns the spool if there is something in it.
    fn spooled(&self) -> Result<Option<Journal>, JournalError> {
        let holds = std::fs::metadata(self.spool.as_path()).is_ok_and(|meta| meta.len() > 0);
        holds.then(|| Journal::open(&self.spool)).transpose()
    }

    /// Empties the spool in place: another process may have it open and wait for its lock.
    fn empty_spool(&self) -> Result<(), JournalError> {
        let emptied =
            OpenOptions::new().write(true).open(self.spool.as_path()).and_then(|file| file.set_len(0));
        emptied.map_err(|source| JournalError::Append { path: self.spool.as_path().to_path_buf(), source })
    }
}
