//! Writing down one run: all its lines in one append, and the state after them.
//!
//! The order is journal first, state second. A process that dies in between leaves a
//! state that is late, never one that lies; the next run folds the missing patch in.

use std::time::Duration;

use event::Decision;
use serde_json::{Map, Value};
use store::{Batch, Held, Journal};

use crate::Fault;
use crate::repeat::Mark;
use crate::sitting::Sitting;

/// Everything one run wants written.
#[derive(Debug, Default)]
pub(crate) struct Commit {
    /// Lines for `events.jsonl`.
    pub events: Batch,
    /// Lines for `registry.jsonl`.
    pub registry: Batch,
    /// Lines for `p.jsonl`.
    pub prompts: Batch,
    /// What changes in the state; already part of the lines.
    pub patch: Map<String, Value>,
    /// By what a repetition of this call is known.
    pub mark: Option<Mark>,
}

/// How a commit ended.
#[derive(Debug)]
pub(crate) enum Committed {
    /// Everything is written.
    Recorded,
    /// Another process has recorded the same call in the meantime, with this decision.
    Repeated(Decision),
    /// The lock was not to be had in time; nothing is written.
    Busy,
    /// The disk refused.
    Failed(Fault),
}

impl Commit {
    /// Writes everything, if the lock can be had within `patience`.
    pub(crate) fn write(&self, sitting: &Sitting, seen: u64, patience: Duration) -> Committed {
        let Some(journal) = &sitting.journal else { return Committed::Recorded };
        let Some(held) = journal.lock(patience) else { return Committed::Busy };
        let appended = self.append(sitting, journal, &held, seen);
        drop(held);
        let snapshot_stands = match appended {
            Ok(stands) => stands,
            Err(other) => return other,
        };
        let sides = self.write_side_journals(sitting);
        let kept = if snapshot_stands { Ok(()) } else { renew_snapshot(sitting, journal) };
        // A snapshot that cannot be written takes nothing else with it: it can be made again.
        match (sides, kept) {
            (Committed::Recorded, Err(fault)) => Committed::Failed(fault),
            (written, _) => written,
        }
    }

    /// Writes the lines without the lock; the state follows with the next run.
    pub(crate) fn write_unlocked(&self, sitting: &Sitting) -> Committed {
        let Some(journal) = &sitting.journal else { return Committed::Recorded };
        match journal.append_unlocked(&self.events) {
            Ok(()) => self.write_side_journals(sitting),
            Err(error) => Committed::Failed(Fault::Journal(error)),
        }
    }

    /// Appends the lines; returns whether the snapshot says the same as the journal then.
    fn append(
        &self,
        sitting: &Sitting,
        journal: &Journal,
        held: &Held<'_>,
        seen: u64,
    ) -> Result<bool, Committed> {
        let failed = |error| Committed::Failed(Fault::Journal(error));
        let end = held.heal().map_err(failed)?;
        if let Some(decision) = self.repeated_between(journal, seen, end) {
            return Err(Committed::Repeated(decision));
        }
        held.append_after(end, &self.events).map_err(failed)?;
        // Whoever changes the state appends to the journal, so an unchanged journal means
        // an unchanged state, and this run has nothing to add to it either.
        Ok(self.patch.is_empty() && end == seen && !sitting.lags_at(end))
    }

    /// Looks for this very call in what was appended since the run began.
    fn repeated_between(&self, journal: &Journal, seen: u64, end: u64) -> Option<Decision> {
        let mark = self.mark.as_ref()?;
        if end <= seen {
            return None;
        }
        mark.decision_in(&journal.between(seen, end).ok()?, store::now().as_millis())
    }

    fn write_side_journals(&self, sitting: &Sitting) -> Committed {
        for (batch, path) in
            [(&self.registry, sitting.dir.registry_file()), (&self.prompts, sitting.dir.prompts_file())]
        {
            if batch.is_empty() {
                continue;
            }
            let appended =
                Journal::create(&path).and_then(|journal| match journal.lock(Duration::from_millis(20)) {
                    Some(held) => held.append(batch).map(|_| ()),
                    None => journal.append_unlocked(batch),
                });
            if let Err(error) = appended {
                return Committed::Failed(Fault::Journal(error));
            }
        }
        Committed::Recorded
    }
}

/// Brings the snapshot up to date, unless somebody else is at the journal.
///
/// WHY not while the lines are appended: replacing a file can take long, and a crowd would
/// wait for every single one. Whoever comes last finds the lock free; and until then
/// every run folds in what the snapshot lacks.
fn renew_snapshot(sitting: &Sitting, journal: &Journal) -> Result<(), Fault> {
    let Some(held) = journal.lock(Duration::ZERO) else { return Ok(()) };
    let end = held.heal().map_err(Fault::Journal)?;
    let state = sitting.fresh_state(&held, end);
    sitting.keep_state(&held, &state, end).map_err(Fault::StateUnwritable)
}
