//! Records a run in its journal and, if the project has one, in the project's log.

use store::{JournalError, JournalLock};

use crate::journal::append;
use crate::record::{RunRecord, RunResult};
use crate::run_id::RunId;
use crate::run_log::RunLog;

/// The locked journal of one run.
pub(crate) struct Recorder<'a> {
    pub(crate) held: &'a JournalLock<'a>,
    pub(crate) log: Option<&'a RunLog>,
    pub(crate) id: &'a RunId,
}

impl Recorder<'_> {
    /// Appends one line to the journal and, on a best-effort basis, to the log.
    pub(crate) fn add(&self, record: RunRecord) -> Result<(), JournalError> {
        if let Some(log) = self.log {
            log.note(self.id, &record);
        }
        append(self.held, record)
    }

    /// Records the end of the run.
    pub(crate) fn end(&self, result: RunResult, reason: Option<String>) -> Result<(), JournalError> {
        self.add(RunRecord::RunEnded { result, reason })
    }
}
