//! What a person does to a session, outside of any event.
//!
//! Written like a run: under the lock, the journal first, the state after it.

use std::time::Duration;

use event::{AgentId, LineKind};
use serde_json::{Map, Value};
use store::{Batch, Held, JournalError, WriteError};

use crate::record::{self, EventRecord, LINE_FORMAT};
use crate::sitting::Sitting;
use crate::{State, StateFault};

/// How long a person may wait for the lock.
const PATIENCE: Duration = Duration::from_secs(2);

/// The right to change a session.
pub(crate) struct ByHand<'a> {
    sitting: &'a Sitting,
    held: Held<'a>,
    /// The state as it is now: nobody else changes it meanwhile.
    pub state: State,
}

/// Why a session could not be changed.
#[derive(Debug, thiserror::Error)]
pub enum ByHandError {
    /// A newer build wrote the state.
    #[error(transparent)]
    State(#[from] StateFault),
    /// The journal cannot be used.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The state cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// Another process holds the journal.
    #[error("another process is writing to this session; try again")]
    Busy,
}

impl<'a> ByHand<'a> {
    /// Waits until nobody else writes to the session.
    pub(crate) fn begin(sitting: &'a Sitting) -> Result<Self, ByHandError> {
        let journal = sitting.journal.as_ref().ok_or(ByHandError::Busy)?;
        let held = journal.lock(PATIENCE).ok_or(ByHandError::Busy)?;
        let end = held.heal()?;
        Ok(Self { sitting, state: sitting.fresh_state(&held, end), held })
    }

    /// Writes down what was done with which command. Returns where the journal ends then.
    pub(crate) fn note(
        &self,
        command: &str,
        kind: LineKind,
        data: Map<String, Value>,
    ) -> Result<u64, ByHandError> {
        let core = &self.state.core;
        let now = store::now().as_millis();
        let mut batch = Batch::default();
        record::push(
            &mut batch,
            &EventRecord {
                v: LINE_FORMAT,
                ts: now,
                kind: kind.name().to_owned(),
                hook_run_id: format!("{command}-{}-{now}", core.last_turn_id),
                session_id: self.sitting.id.to_string(),
                work_id: core.work().to_string(),
                agent_id: AgentId::MAIN.to_string(),
                turn_id: core.last_turn_id,
                module: None,
                data,
            },
        );
        Ok(self.held.append(&batch)?)
    }

    /// Writes down what was done, and changes the state accordingly.
    pub(crate) fn change(
        mut self,
        command: &str,
        kind: LineKind,
        mut data: Map<String, Value>,
        patch: &Map<String, Value>,
    ) -> Result<(), ByHandError> {
        // Last in the line, where a lost state is folded up from.
        data.insert("patch".to_owned(), Value::Object(patch.clone()));
        let end = self.note(command, kind, data)?;
        self.state.apply(patch);
        Ok(self.sitting.keep_state(&self.held, &self.state, end)?)
    }
}
