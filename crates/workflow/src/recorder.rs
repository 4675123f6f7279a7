//! Writes down what happens in a run: in its journal, and in the project's log if it has one.

use store::{Held, JournalError};

use crate::journal::append;
use crate::record::{RunRecord, RunResult};
use crate::run_id::RunId;
use crate::run_log::RunLog;

/// The journal of one run, held by this process.
pub(crate) struct Recorder<'a> {
    pub(crate) held: &'a Held<'a>,
    pub(crate) log: Option<&'a RunLog>,
    pub(crate) id: &'a RunId,
}

impl Recorder<'_> {
    /// Adds one line to the journal; the log follows if it can.
    pub(crate) fn add(&self, record: RunRecord) -> Result<(), JournalError> {
        if let Some(log) = self.log {
            log.note(self.id, &record);
        }
        append(self.held, record)
    }

    /// Says that the run is over, for good or until it is resumed.
    pub(crate) fn end(&self, result: RunResult, reason: Option<String>) -> Result<(), JournalError> {
        self.add(RunRecord::RunEnded { result, reason })
    }
}
