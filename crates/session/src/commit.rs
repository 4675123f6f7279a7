//! Writes one run to disk: all its lines in one append, then the state.
//!
//! WHY in this order: a process that dies in between leaves a state that is late but not wrong; the next run
//! folds the missing patch in.

use std::time::Duration;

use event::Decision;
use serde_json::{Map, Value};
use store::{Batch, Journal, JournalLock};

use crate::{LOCK_TIMEOUT, OpenSession, RepeatKey, SessionFault};

/// The lines and the patch of one run.
#[derive(Debug, Default)]
pub struct Commit {
    /// Lines for `events.jsonl`.
    pub events: Batch,
    /// Lines for `registry.jsonl`.
    pub registry: Batch,
    /// Lines for `p.jsonl`.
    pub prompts: Batch,
    /// The patch to the state; the lines contain it, too.
    pub patch: Map<String, Value>,
    /// The key of repetitions of this event.
    pub repeat_key: Option<RepeatKey>,
}

/// How a commit ended.
#[derive(Debug)]
pub enum Committed {
    /// Everything is on disk.
    Recorded,
    /// Another process recorded the same event in the meantime, with this decision.
    Repeated(Decision),
    /// Another process held the lock for the whole timeout; nothing is written.
    Busy,
    /// The disk refused.
    Failed(SessionFault),
}

impl Commit {
    /// Writes everything. Returns [`Committed::Busy`] if the lock is not free within `timeout`.
    pub fn write(&self, session: &OpenSession, timeout: Duration) -> Committed {
        let Some(journal) = &session.journal else { return Committed::Recorded };
        let Some(held) = journal.lock(timeout) else { return Committed::Busy };
        let appended = self.append(session, journal, &held);
        drop(held);
        let snapshot_is_current = match appended {
            Ok(current) => current,
            Err(other) => return other,
        };
        let sides = self.write_side_journals(session);
        let refreshed = if snapshot_is_current { Ok(()) } else { refresh_snapshot(session, journal) };
        // Written last: a snapshot that cannot be written can be rebuilt, the lines cannot.
        match (sides, refreshed) {
            (Committed::Recorded, Err(fault)) => Committed::Failed(fault),
            (written, _) => written,
        }
    }

    /// Writes the lines without the lock; the next run updates the state.
    pub fn write_unlocked(&self, session: &OpenSession) -> Committed {
        let Some(journal) = &session.journal else { return Committed::Recorded };
        match journal.append_unlocked(&self.events) {
            Ok(()) => self.write_side_journals(session),
            Err(error) => Committed::Failed(SessionFault::Journal(error)),
        }
    }

    /// Appends the lines; returns whether the snapshot is still current afterwards.
    fn append(
        &self,
        session: &OpenSession,
        journal: &Journal,
        held: &JournalLock<'_>,
    ) -> Result<bool, Committed> {
        let failed = |error| Committed::Failed(SessionFault::Journal(error));
        let end = held.heal().map_err(failed)?;
        if let Some(decision) = self.repeated_between(journal, session.seen, end) {
            return Err(Committed::Repeated(decision));
        }
        held.append_after(end, &self.events).map_err(failed)?;
        // Every change to the state is also a line of the journal, so a journal of the same length means
        // the same state, and this run has no patch.
        Ok(self.patch.is_empty() && end == session.seen && !session.lags_at(end))
    }

    /// Searches the lines that other runs appended since this one began for the same event.
    fn repeated_between(&self, journal: &Journal, seen: u64, end: u64) -> Option<Decision> {
        let repeat_key = self.repeat_key.as_ref()?;
        if end <= seen {
            return None;
        }
        repeat_key.decision_in(&journal.between(seen, end).ok()?, store::now().as_millis())
    }

    fn write_side_journals(&self, session: &OpenSession) -> Committed {
        for (batch, path) in
            [(&self.registry, session.dir.registry_file()), (&self.prompts, session.dir.prompts_file())]
        {
            if batch.is_empty() {
                continue;
            }
            let appended = Journal::create(&path).and_then(|journal| match journal.lock(LOCK_TIMEOUT) {
                Some(held) => held.append(batch).map(|_| ()),
                None => journal.append_unlocked(batch),
            });
            if let Err(error) = appended {
                return Committed::Failed(SessionFault::Journal(error));
            }
        }
        Committed::Recorded
    }
}

/// Brings the snapshot up to date, unless another process holds the lock.
///
/// WHY not while the lines are appended: replacing a file can take long, and under contention every other run
/// would wait for it. The last writer finds the lock free; until then every run folds in the missing patches.
fn refresh_snapshot(session: &OpenSession, journal: &Journal) -> Result<(), SessionFault> {
    let Some(held) = journal.lock(Duration::ZERO) else { return Ok(()) };
    let end = held.heal().map_err(SessionFault::Journal)?;
    let state = session.fresh_state(&held, end);
    session.write_state(&held, &state, end).map_err(SessionFault::StateUnwritable)
}
