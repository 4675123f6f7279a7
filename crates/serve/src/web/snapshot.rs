//! The state of the server's thread, as the pages show it.

use std::sync::{Arc, Mutex, PoisonError};

use page::view::{AutomationRow, OpenRun};

/// The state at one step.
#[derive(Debug, Clone, Default)]
pub(crate) struct Snapshot {
    /// The metrics in Prometheus' text format.
    pub(crate) metrics: String,
    /// The automations as declared, without what changes while they run.
    pub(crate) automations: Arc<Vec<AutomationRow>>,
    /// The paused automations with the reasons.
    pub(crate) paused: Vec<(String, String)>,
    /// The problems of the automation files.
    pub(crate) file_problems: Vec<String>,
    /// The running and queued runs.
    pub(crate) runs: Vec<OpenRun>,
    /// Why no automation runs.
    pub(crate) objection: Option<String>,
}

/// The latest snapshot, written by the server's thread and read by requests.
#[derive(Debug, Clone, Default)]
pub(crate) struct Snapshots {
    latest: Arc<Mutex<Arc<Snapshot>>>,
}

impl Snapshots {
    pub(crate) fn set(&self, snapshot: Snapshot) {
        *self.latest.lock().unwrap_or_else(PoisonError::into_inner) = Arc::new(snapshot);
    }

    pub(crate) fn get(&self) -> Arc<Snapshot> {
        Arc::clone(&self.latest.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
