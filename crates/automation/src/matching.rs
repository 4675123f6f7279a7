//! Which automations an occurrence sets off, and in which order they run.

use std::path::Path;

use store::Timestamp;

use crate::queue::{Entry, QueuedRun, Run};
use crate::{Automation, ExecutionFault, Occurrence, Refusal, SourceFile, State, Trigger, What, glob};

/// What an occurrence leads to.
#[derive(Debug, Clone, PartialEq)]
pub struct Matches<'a> {
    /// The automations it sets off, in the order they run.
    pub set_off: Vec<&'a Automation>,
    /// Those it would set off if they had not led to it themselves.
    pub refused: Vec<(&'a Automation, Refusal)>,
}

impl Trigger {
    /// Returns whether this is what it waits for.
    pub fn is_met_by(&self, what: &What) -> bool {
        let is_about = |pattern: &Option<String>, path: &str| {
            pattern.as_deref().is_none_or(|pattern| glob::is_match(pattern, path))
        };
        match (self, what) {
            (Self::FileSaved { pattern }, What::FileSaved { path })
            | (Self::FileWillBeSaved { pattern }, What::FileWillBeSaved { path })
            | (Self::SpecStatus { pattern }, What::SpecStatus { path, .. }) => is_about(pattern, path),
            (Self::Commit { repo_root: ours }, What::Commit { repo_root, .. }) => {
                ours.as_path() == Path::new(repo_root)
            }
            (
                Self::Operation { agent, operation, timing },
                What::Operation { agent: whose, operation: which, timing: when, .. },
            ) => agent == whose && operation == which && timing == when,
            (Self::Host { event }, What::Host { event: fired, .. }) => event == fired,
            (Self::Custom { name, pattern }, What::Custom { name: called, path, .. }) => {
                let about = match (pattern, path) {
                    (None, _) => true,
                    (Some(_), None) => false,
                    (Some(pattern), Some(path)) => glob::is_match(pattern, path),
                };
                name == called && about
            }
            _ => false,
        }
    }
}

/// Finds the automations an occurrence sets off: enabled, each once, the oldest first.
pub fn matches<'a>(
    automations: impl IntoIterator<Item = &'a Automation>,
    occurrence: &Occurrence,
) -> Matches<'a> {
    let mut met: Vec<_> = automations
        .into_iter()
        .filter(|automation| automation.enabled && automation.trigger.is_met_by(&occurrence.what))
        .collect();
    // Those without a date are as old as their file and keep its order.
    met.sort_by_key(|it| (it.created.map_or(0, Timestamp::as_millis), it.origin.file, it.origin.index));
    let mut matches = Matches { set_off: Vec::new(), refused: Vec::new() };
    for automation in met {
        match occurrence.chain.check(&automation.id) {
            Ok(()) => matches.set_off.push(automation),
            Err(refusal) => matches.refused.push((automation, refusal)),
        }
    }
    matches
}

impl Matches<'_> {
    /// Returns the runs to queue. Automations of custom agent hooks (000) run one after the
    /// other; those of the engine's own file (001) wait for nobody.
    pub fn runs(&self, now: Timestamp, occurrence: &Occurrence) -> Vec<QueuedRun> {
        let mut before = None;
        let mut runs = Vec::with_capacity(self.set_off.len());
        for automation in &self.set_off {
            let mut run = QueuedRun::new(now, automation.id.clone(), occurrence.clone());
            if automation.origin.file == SourceFile::Gatomia {
                run.after = before.replace(run.id.clone());
            }
            runs.push(run);
        }
        runs
    }

    /// Returns what is written about those that are refused: each was asked for, and did not run.
    pub fn refusals(&self, now: Timestamp, occurrence: &Occurrence) -> Vec<Entry> {
        let entries = |(automation, why): &(&Automation, Refusal)| {
            let run = QueuedRun::new(now, automation.id.clone(), occurrence.clone());
            let mut record = Run::asked_for(now, run.clone()).record(State::Failure);
            record.end_ts = Some(now.to_string());
            record.error = Some(ExecutionFault { code: "CHAIN_REFUSED".into(), message: why.to_string() });
            [Entry::Queued { run }, Entry::Finished { record: Box::new(record) }]
        };
        self.refused.iter().flat_map(entries).collect()
    }
}
