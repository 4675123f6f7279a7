//! Finds the automations that an occurrence triggers, and the order in which they run.

use std::collections::HashMap;
use std::path::Path;

use store::Timestamp;

use crate::queue::{Entry, QueuedRun, Run};
use crate::{
    Automation, AutomationId, ExecutionFault, ExecutionId, FilePatterns, Occurrence, OccurrenceKind, Refusal,
    SourceFile, State, Trigger,
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
        let is_about = |pattern: &Option<FilePatterns>, path: &str| {
            pattern.as_ref().is_none_or(|pattern| pattern.select(path))
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
            Self::FileCreated { pattern } => {
                matches!(kind, Kind::FileCreated { path } if is_about(pattern, path))
            }
            Self::FileDeleted { pattern } => {
                matches!(kind, Kind::FileDeleted { path } if is_about(pattern, path))
            }
            Self::FileRenamed { pattern } => {
                matches!(kind, Kind::FileRenamed { path, .. } if is_about(pattern, path))
            }
            Self::Schedule { .. } => matches!(kind, Kind::Scheduled { .. }),
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
                    (Some(pattern), Some(path)) => pattern.select(path),
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
    let is_met = |automation: &&Automation| match &occurrence.matched {
        Some(matched) => matched.contains(&automation.id),
        None => automation.trigger.is_met_by(&occurrence.kind),
    };
    let mut met: Vec<_> =
        automations.into_iter().filter(|automation| automation.enabled).filter(is_met).collect();
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

/// Returns the automations so that each follows those it depends on, otherwise in the same order.
fn in_order<'a>(triggered: &[&'a Automation]) -> Vec<&'a Automation> {
    let mut left: Vec<&Automation> = triggered.to_vec();
    let mut ordered = Vec::with_capacity(left.len());
    while !left.is_empty() {
        let waits = |it: &Automation| left.iter().any(|other| it.depends_on.contains(&other.id));
        // The loader refuses cycles; without that, the first would simply not wait.
        let next = left.iter().position(|it| !waits(it)).unwrap_or(0);
        ordered.push(left.remove(next));
    }
    ordered
}

impl Matches<'_> {
    /// Returns the runs to queue. Automations of custom agent hooks (000) run one after the
    /// other; those of the engine's own file (001) run in parallel. Each starts after those it depends on.
    pub fn runs(&self, now: Timestamp, occurrence: &Occurrence) -> Vec<QueuedRun> {
        let mut before = None;
        let mut ids: HashMap<&AutomationId, ExecutionId> = HashMap::new();
        let mut runs = Vec::with_capacity(self.triggered.len());
        for automation in in_order(&self.triggered) {
            let mut run = QueuedRun::new(now, automation.id.clone(), occurrence.clone());
            if automation.batch {
                run.occurrence.files.extend(occurrence.file().map(str::to_owned));
            }
            run.needs = automation.depends_on.iter().filter_map(|it| ids.get(it).cloned()).collect();
            if automation.origin.file == SourceFile::Gatomia {
                run.after = before.replace(run.id.clone());
            }
            ids.insert(&automation.id, run.id.clone());
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
