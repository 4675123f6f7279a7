//! Starts and ends of runs, for the log of a server.

use automation::queue::Entry;
use automation::{AutomationId, ExecutionId, ExecutionRecord};

/// A start or an end of a run.
#[derive(Debug, Clone, PartialEq)]
pub enum RunEvent {
    /// An attempt started.
    Started {
        /// The run.
        run: ExecutionId,
        /// The automation.
        hook: AutomationId,
        /// The file it is about.
        file: Option<String>,
        /// The number of the attempt, from 1.
        attempt: u32,
    },
    /// An attempt failed and will be retried.
    Failed {
        /// The run.
        run: ExecutionId,
        /// The automation.
        hook: AutomationId,
        /// Why it failed.
        message: String,
    },
    /// The run ended.
    Ended(Box<ExecutionRecord>),
}

impl RunEvent {
    /// Returns the end of a run that a journal entry records. Returns `None` for other entries.
    pub(crate) fn of_end(entry: &Entry) -> Option<Self> {
        match entry {
            Entry::Finished { record } => Some(Self::Ended(record.clone())),
            _ => None,
        }
    }
}
