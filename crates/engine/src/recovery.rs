//! What the last process left when it ended without saying so.
//!
//! Whoever opens the engine holds the workspace's lock, so every run that the journal shows
//! at work belonged to a process that is gone.

use automation::queue::{Entry, Folded, Run};
use automation::{ExecutionFault, State};
use store::Timestamp;

use crate::roster::Roster;

/// What was found at the start.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Recovered {
    /// Runs that were waiting and will be run.
    pub waiting: usize,
    /// Runs that were at work and will be tried again.
    pub tried_again: usize,
    /// Runs that were at work and had no tries left.
    pub given_up: usize,
    /// Processes of theirs that were still alive, and are not any more.
    pub ended_processes: usize,
}

/// The code of a run that ended because its engine did.
const INTERRUPTED: &str = "INTERRUPTED";

/// Ends what is left of interrupted runs and returns the entries that say so.
pub(crate) fn recover(folded: &Folded, roster: &Roster, now: Timestamp) -> (Vec<Entry>, Recovered) {
    let mut recovered = Recovered::default();
    let mut entries = Vec::new();
    for run in folded.open() {
        if run.is_pending() {
            recovered.waiting += 1;
            continue;
        }
        recovered.ended_processes += runner::end_leftovers(run.queued.id.as_str());
        let interrupted = interrupted(run, roster, run.printed.logs(), now);
        if interrupted.len() == 1 {
            recovered.tried_again += 1;
        } else {
            recovered.given_up += 1;
        }
        entries.extend(interrupted);
    }
    (entries, recovered)
}

/// Returns what is written about a run that was at work when its engine ended: it waits again,
/// or, with no tries left, it failed, and what it printed until then is kept.
pub(crate) fn interrupted(run: &Run, roster: &Roster, logs: String, now: Timestamp) -> Vec<Entry> {
    let mut entries = vec![Entry::Interrupted { run: run.queued.id.clone() }];
    let has_tries_left = roster
        .get(&run.queued.hook)
        .is_some_and(|member| run.attempts <= member.automation.retry.count && !run.cancel_asked);
    if !has_tries_left {
        let mut record = run.record(State::Failure);
        record.interruptions += 1;
        record.end_ts = Some(now.to_string());
        record.error = Some(ExecutionFault {
            code: INTERRUPTED.into(),
            message: "the process that ran it ended before it did, and no try is left".into(),
        });
        record.logs = Some(logs).filter(|logs| !logs.is_empty());
        entries.push(Entry::Finished { record: Box::new(record) });
    }
    entries
}
