//! Finds the automations that an occurrence triggers, and the order in which they run.

use std::path::Path;

use store::Timestamp;

use crate::queue::{Entry, QueuedRun, Run};
use crate::{
    Automation, ExecutionFault, Occurrence, OccurrenceKind, Refusal, SourceFile, State, Trigger, glob,
};

/// The automations whose trigger an occurrence meets.
#[derive(Debug, Clone, PartialEq)]
pub struct Matches<'a> {
    /// The triggered automations, in the order in which they run.
    pub triggered: Vec<&'a Automation>,
    /// The automations that do not run because they led to the occurrence, with the reason.
    pub refused: Vec<(&'a Automation, Refusal)>,
}

impl Trigger {
    /// Returns whether an occurrence of this kind meets the trigger.
    pub fn is_met_by(&self, kind: &OccurrenceKind) -> bool {
        use OccurrenceKind as Kind;
        let is_about = |pattern: &Option<String>, path: &str| {
            pattern.as_deref().is_none_or(|pattern| glob::is_match(pattern, path))
        };
        // WHY not over pairs: with a wildcard for all unequal pairs, a new trigger would compile
        // without its pair and never be met.
        match self {
            Self::FileSaved { pattern } => {
                matches!(kind, Kind::FileSaved { path } if is_about(pattern, path))
            }
            Self::FileWillBeSaved { pattern } => {
                matches!(kind, Kind::FileWillBeSaved { path } if is_about(pattern, path))
            }
            Self::SpecStatus { pattern } => {
                matches!(kind, Kind::SpecStatus { path, .. } if is_about(pattern, path))
            }
            Self::Commit { repo_root: ours } => {
                matches!(kind, Kind::Commit { repo_root, .. } if ours.as_path() == Path::new(repo_root))
            }
            Self::Operation { agent, operation, timing } => matches!(
                kind,
                Kind::Operation { agent: whose, operation: which, timing: when, .. }
                    if agent == whose && operation == which && timing == when
            ),
            Self::Host { event } => matches!(kind, Kind::Host { event: fired, .. } if event == fired),
            Self::Custom { name, pattern } => {
                let is_about = |path: &Option<String>| match (pattern, path) {
                    (None, _) => true,
                    (Some(_), None) => false,
                    (Some(pattern), Some(path)) => glob::is_match(pattern, path),
                };
                matches!(kind, Kind::Custom { name: called, path, .. } if name == called && is_about(path))
            }
        }
    }
}

/// Finds the enabled automations that an occurrence triggers, each once, the oldest first.
pub fn matches<'a>(
    automations: impl IntoIterator<Item = &'a Automation>,
    occurrence: &Occurrence,
) -> Matches<'a> {
    let mut met: Vec<_> = automations
        .into_iter()
        .filter(|automation| automation.enabled && automation.trigger.is_met_by(&occurrence.kind))
        .collect();
    // Automations without a date are as old as their file and keep its order.
    met.sort_by_key(|it| (it.created.map_or(0, Timestamp::as_millis), it.origin.file, it.origin.index));
    let mut matches = Matches { triggered: Vec::new(), refused: Vec::new() };
    for automation in met {
        match occurrence.chain.check(&automation.id) {
            Ok(()) => matches.triggered.push(automation),
            Err(refusal) => matches.refused.push((automation, refusal)),
        }
    }
    matches
}

impl Matches<'_> {
    /// Returns the runs to queue. Automations of custom agent hooks (000) run one after the
    /// other; those of the engine's own file (001) run in parallel.
    pub fn runs(&self, now: Timestamp, occurrence: &Occurrence) -> Vec<QueuedRun> {
        let mut before = None;
        let mut runs = Vec::with_capacity(self.triggered.len());
        for automation in &self.triggered {
            let mut run = QueuedRun::new(now, automation.id.clone(), occurrence.clone());
            if automation.origin.file == SourceFile::Gatomia {
                run.after = before.replace(run.id.clone());
            }
            runs.push(run);
        }
        runs
    }

    /// Returns the entries about refused automations: each run is queued and ends at once.
    pub fn refusals(&self, now: Timestamp, occurrence: &Occurrence) -> Vec<Entry> {
        let entries = |(automation, why): &(&Automation, Refusal)| {
            let run = QueuedRun::new(now, automation.id.clone(), occurrence.clone());
            let mut record = Run::newly_queued(now, run.clone()).record(State::Failure);
            record.end_ts = Some(now.to_string());
            record.error = Some(ExecutionFault { code: "CHAIN_REFUSED".into(), message: why.to_string() });
            [Entry::Queued { run }, Entry::Finished { record: Box::new(record) }]
        };
        self.refused.iter().flat_map(entries).collect()
    }
}
