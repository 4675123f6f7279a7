//! The ended runs of automations, as `list` and `show` display them.

use std::collections::HashMap;

use automation::ExecutionRecord;
use serve::{Query, RunCount};

use crate::commands::Place;

/// Returns how often each automation ran, by its id. Returns nothing if the history cannot be read.
pub(super) fn counts(place: &Place) -> HashMap<String, RunCount> {
    // Without a queue there is no folder for the index.
    if !place.workspace.automation_queue().as_path().exists() {
        return HashMap::new();
    }
    serve::count_runs(&place.workspace).unwrap_or_default()
}

/// Returns the latest runs of an automation, the latest first.
pub(super) fn latest(place: &Place, hook: &str, limit: usize) -> Vec<ExecutionRecord> {
    if !place.workspace.automation_queue().as_path().exists() {
        return Vec::new();
    }
    let query = Query { hook: Some(hook.to_owned()), limit, ..Query::default() };
    serve::find_runs(&place.workspace, &query).map(|found| found.runs).unwrap_or_default()
}
