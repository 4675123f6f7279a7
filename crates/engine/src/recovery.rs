//! Recovers the runs of an engine whose process ended without stopping them.
//!
//! The process that opens the engine holds the workspace's lock, so every run that the journal
//! shows as running belonged to a process that has ended.

use automation::queue::{Entry, QueueState, Run};
use automation::{ExecutionFault, State};
use store::Timestamp;

use crate::automation_set::AutomationSet;
use crate::end_entry::restarted;

/// The runs found in the journal at the start.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Recovered {
    /// Runs that were pending and will start.
    pub queued: usize,
    /// Runs that were running and will be retried.
    pub retried: usize,
    /// Runs that were running and had no retries left.
    pub given_up: usize,
    /// Leftover processes of these runs that were killed.
    pub killed_processes: usize,
}

/// The code of a run that ended because its engine ended.
const INTERRUPTED: &str = "INTERRUPTED";

/// Kills leftover processes of interrupted runs and returns the journal entries about these runs.
pub(crate) fn recover(
    queue_state: &QueueState,
    automations: &AutomationSet,
    now: Timestamp,
) -> (Vec<Entry>, Recovered) {
    let mut recovered = Recovered::default();
    let mut entries = Vec::new();
    for run in queue_state.open() {
        if run.is_pending() {
            recovered.queued += 1;
            continue;
        }
        recovered.killed_processes += runner::end_leftovers(run.queued.id.as_str());
        let interrupted = interrupted(run, automations, run.printed.logs(), now);
        if interrupted.len() == 1 {
            recovered.retried += 1;
        } else {
            recovered.given_up += 1;
        }
        entries.extend(interrupted);
    }
    (entries, recovered)
}

/// Returns the entries about a run that was running when its engine ended: it is pending again or,
/// with no retries left, failed with its output until then.
pub(crate) fn interrupted(
    run: &Run,
    automations: &AutomationSet,
    logs: String,
    now: Timestamp,
) -> Vec<Entry> {
    let mut entries = vec![Entry::Interrupted { run: run.queued.id.clone() }];
    let has_tries_left = automations
        .get(&run.queued.hook)
        .is_some_and(|loaded| run.attempts <= loaded.automation.retry.count && !run.cancel_asked);
    if !has_tries_left {
        let mut record = run.record(if run.cancel_asked { State::Canceled } else { State::Failure });
        record.interruptions += 1;
        record.end_ts = Some(now.to_string());
        record.error = match &run.restarted_by {
            Some(by) => Some(restarted(by)),
            None => Some(ExecutionFault {
                code: INTERRUPTED.into(),
                message: "steersman ended while the run was running, and it has no retries left".into(),
            }),
        };
        record.logs = Some(logs).filter(|logs| !logs.is_empty());
        entries.push(Entry::Finished { record: Box::new(record) });
    }
    entries
}
