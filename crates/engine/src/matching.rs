//! Which automations an occurrence sets off, and as which runs.

use automation::queue::{Entry, QueuedRun};
use automation::{ExecutionFault, Occurrence, SourceFile, State};
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
///
/// Automations of the second document run one after the other, in the order they were made
/// (000); those of the first are independent (001).
pub(crate) fn runs(occurrence: &Occurrence, roster: &Roster, now: Timestamp) -> Matched {
    let mut set_off: Vec<_> = roster
        .automations()
        .filter(|automation| automation.enabled && is_set_off(automation, occurrence))
        .collect();
    set_off.sort_by_key(|automation| automation.created);
    let mut matched = Matched::default();
    let mut before = None;
    for automation in set_off {
        let mut run = QueuedRun::new(now, automation.id.clone(), occurrence.clone());
        if let Err(refusal) = occurrence.chain.check(&automation.id) {
            matched.refused.extend(refused(run, &refusal.to_string(), now));
            continue;
        }
        if automation.origin.file == SourceFile::Gatomia {
            run.after = before.replace(run.id.clone());
        }
        matched.queued.push(run);
    }
    matched
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

/// Returns whether the occurrence is what the automation waits for.
fn is_set_off(automation: &automation::Automation, occurrence: &Occurrence) -> bool {
    use automation::{Trigger, What};
    let fits = |pattern: &Option<String>, path: Option<&str>| match (pattern, path) {
        (None, _) => true,
        (Some(_), None) => false,
        (Some(pattern), Some(path)) => {
            // A pattern without a slash is about names, wherever they are.
            let pattern = if pattern.contains('/') { pattern.clone() } else { format!("**/{pattern}") };
            fast_glob::glob_match(&pattern, path)
        }
    };
    match (&automation.trigger, &occurrence.what) {
        (Trigger::FileSaved { pattern }, What::FileSaved { path })
        | (Trigger::FileWillBeSaved { pattern }, What::FileWillBeSaved { path })
        | (Trigger::SpecStatus { pattern }, What::SpecStatus { path, .. }) => fits(pattern, Some(path)),
        (Trigger::Commit { repo_root: wanted }, What::Commit { repo_root, .. }) => {
            wanted.as_path() == std::path::Path::new(repo_root)
        }
        (
            Trigger::Operation { agent, operation, timing },
            What::Operation { agent: by, operation: which, timing: when, .. },
        ) => (agent, operation, timing) == (by, which, when),
        (Trigger::Host { event }, What::Host { event: fired, .. }) => event == fired,
        (Trigger::Custom { name, pattern }, What::Custom { name: called, path, .. }) => {
            name == called && fits(pattern, path.as_deref())
        }
        _ => false,
    }
}
