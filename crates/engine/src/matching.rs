//! Which automations an occurrence sets off, and as which runs.

use automation::queue::{Entry, QueuedRun};
use automation::{ExecutionFault, Occurrence, State};
use store::Timestamp;

use crate::roster::Roster;

/// What an occurrence leads to.
#[derive(Debug, Default)]
pub(crate) struct Matched {
    /// Runs for the queue.
    pub(crate) queued: Vec<QueuedRun>,
    /// Runs that are refused, with the entries that say so.
    pub(crate) refused: Vec<Entry>,
}

impl Matched {
    pub(crate) fn len(&self) -> usize {
        self.queued.len()
    }
}

/// Returns the runs that an occurrence leads to.
pub(crate) fn runs(occurrence: &Occurrence, roster: &Roster, now: Timestamp) -> Matched {
    let matches = automation::matches(roster.automations(), occurrence);
    let refused = matches.refused.iter().flat_map(|(automation, refusal)| {
        let run = QueuedRun::new(now, automation.id.clone(), occurrence.clone());
        refused(run, &refusal.to_string(), now)
    });
    Matched { refused: refused.collect(), queued: matches.runs(now, occurrence) }
}

/// A refused run is in the history too: it was asked for, and it did not run.
fn refused(run: QueuedRun, why: &str, now: Timestamp) -> Vec<Entry> {
    let record = automation::ExecutionRecord {
        id: run.id.clone(),
        hook_id: run.hook.clone(),
        queued_ts: now.to_string(),
        start_ts: now.to_string(),
        end_ts: Some(now.to_string()),
        status: State::Failure.status(),
        state: State::Failure,
        exit_code: None,
        attempts: 0,
        interruptions: 0,
        trigger: run.occurrence.what.to_string(),
        file: run.occurrence.file().map(str::to_owned),
        chain_depth: u32::try_from(run.occurrence.chain.depth()).unwrap_or(u32::MAX),
        error: Some(ExecutionFault { code: "CHAIN_REFUSED".into(), message: why.to_owned() }),
        logs: None,
    };
    vec![Entry::Queued { run }, Entry::Finished { record: Box::new(record) }]
}
