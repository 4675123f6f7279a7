//! Writing down one run: all its lines in one append, and the state after them.
//!
//! The order is journal first, state second. A process that dies in between leaves a
//! state that is late, never one that lies; the next run folds the missing patch in.

use std::time::Duration;

use event::Decision;
use serde_json::{Map, Value};
use store::{Batch, Held, Journal};

use crate::sitting::Sitting;
use crate::{Fault, repeat};

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
    pub call_key: Option<String>,
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
        match journal.lock(patience) {
            None => Committed::Busy,
            Some(held) => self.write_held(sitting, journal, &held, seen),
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

    fn write_held(&self, sitting: &Sitting, journal: &Journal, held: &Held<'_>, seen: u64) -> Committed {
        let end = match held.heal() {
            Ok(end) => end,
            Err(error) => return Committed::Failed(Fault::Journal(error)),
        };
        if let Some(decision) = self.repeated_between(journal, seen, end) {
            return Committed::Repeated(decision);
        }
        // Whoever changes the state appends to the journal, so an unchanged journal means
        // an unchanged state, and this run has nothing to add to it either.
        let stands = self.patch.is_empty() && end == seen && !sitting.lags_at(end);
        let state = (!stands).then(|| sitting.fresh_state(held, end));
        let end = match held.append_after(end, &self.events) {
            Ok(end) => end,
            Err(error) => return Committed::Failed(Fault::Journal(error)),
        };
        let kept = match state {
            None => Ok(()),
            Some(mut state) => {
                state.apply(&self.patch);
                sitting.keep_state(held, &state, end)
            }
        };
        // A snapshot that cannot be written takes nothing else with it: it can be made again.
        match (self.write_side_journals(sitting), kept) {
            (Committed::Recorded, Err(error)) => Committed::Failed(Fault::StateUnwritable(error)),
            (written, _) => written,
        }
    }

    /// Looks for this very call in what was appended since the run began.
    fn repeated_between(&self, journal: &Journal, seen: u64, end: u64) -> Option<Decision> {
        let key = self.call_key.as_deref()?;
        if end <= seen {
            return None;
        }
        repeat::decision_in(&journal.between(seen, end).ok()?, key)
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
