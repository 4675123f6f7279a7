//! Finds and removes the journals of old runs.

use std::fs;
use std::io;
use std::time::Duration;

use store::{Timestamp, Workspace};

use crate::journal::{RunJournal, RunSummary, runs};
use crate::run_id::RunId;

/// A run whose journal can be removed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OldRun {
    /// The run.
    pub id: RunId,
    /// The time of its last record.
    pub last: Timestamp,
    /// The size of its journal.
    pub bytes: u64,
}

/// Returns the runs that are both older than `max_age` and not among the latest `most`.
pub fn old_runs(workspace: &Workspace, max_age: Duration, most: usize, now: Timestamp) -> Vec<OldRun> {
    let last = |run: &RunSummary| run.records.last().map_or(run.started, |it| Timestamp::from_millis(it.ts));
    let beyond = runs(workspace).into_iter().skip(most);
    beyond
        .filter(|run| !run.is_newer && u128::from(now.millis_since(last(run))) > max_age.as_millis())
        .map(|run| {
            let file = workspace.agent_run_file(run.id.as_str());
            let bytes = fs::metadata(file.as_path()).map_or(0, |meta| meta.len());
            OldRun { last: last(&run), id: run.id, bytes }
        })
        .collect()
}

/// Removes the journal of a run. Returns `false` if the run is still running.
pub fn remove_run(workspace: &Workspace, id: &RunId) -> io::Result<bool> {
    let file = workspace.agent_run_file(id.as_str());
    workspace.check_way_to(&file)?;
    let journal = RunJournal::open(workspace, id).map_err(io::Error::other)?;
    let Some(_held) = journal.hold() else { return Ok(false) };
    store::remove_file(file.as_path())?;
    Ok(true)
}
