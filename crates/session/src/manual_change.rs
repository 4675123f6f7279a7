//! A change to a session that a user makes with a command, outside of any event.
//!
//! It is written like a run: under the lock, the journal first, then the state.

use std::time::Duration;

use event::{AgentId, LineKind};
use serde_json::{Map, Value};
use store::{Batch, JournalError, JournalLock, WriteError};

use crate::record::{self, EventRecord, LINE_FORMAT};
use crate::{OpenSession, State, StateFault};

/// How long a command waits for the journal's lock.
const LOCK_TIMEOUT: Duration = Duration::from_secs(2);

/// The exclusive right to change a session.
pub struct ManualChange<'a> {
    session: &'a OpenSession,
    held: JournalLock<'a>,
    /// The current state: no other process changes it while this value exists.
    pub state: State,
}

/// Why a session could not be changed.
#[derive(Debug, thiserror::Error)]
pub enum ManualChangeError {
    /// A newer build wrote the state.
    #[error(transparent)]
    State(#[from] StateFault),
    /// The journal cannot be used.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The state cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// A file of the session cannot be created.
    #[error("cannot create a file of the session: {0}")]
    Unwritable(std::io::Error),
    /// Another process holds the journal.
    #[error("another process is writing to this session; try again")]
    Busy,
}

impl<'a> ManualChange<'a> {
    /// Locks the session's journal.
    pub fn begin(session: &'a OpenSession) -> Result<Self, ManualChangeError> {
        let journal = session.journal.as_ref().ok_or(ManualChangeError::Busy)?;
        let held = journal.lock(LOCK_TIMEOUT).ok_or(ManualChangeError::Busy)?;
        let end = held.heal()?;
        Ok(Self { session, state: session.fresh_state(&held, end), held })
    }

    /// Appends a line about what `command` did. Returns the new end of the journal.
    pub fn note(
        &self,
        command: &str,
        kind: LineKind,
        data: Map<String, Value>,
    ) -> Result<u64, ManualChangeError> {
        self.note_about(AgentId::MAIN, command, kind, data)
    }

    /// Like [`Self::note`], about a call of an agent.
    pub fn note_about(
        &self,
        agent: AgentId,
        command: &str,
        kind: LineKind,
        data: Map<String, Value>,
    ) -> Result<u64, ManualChangeError> {
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
                session_id: self.session.id.to_string(),
                work_id: core.work().to_string(),
                agent_id: agent.to_string(),
                turn_id: core.last_turn_id,
                module: None,
                data,
            },
        );
        Ok(self.held.append(&batch)?)
    }

    /// Appends a line with `patch` and applies the patch to the state.
    pub fn change(
        mut self,
        command: &str,
        kind: LineKind,
        mut data: Map<String, Value>,
        patch: &Map<String, Value>,
    ) -> Result<(), ManualChangeError> {
        // Last in the line, where `fold` looks for it.
        data.insert("patch".to_owned(), Value::Object(patch.clone()));
        let end = self.note(command, kind, data)?;
        self.state.apply(patch);
        Ok(self.session.write_state(&self.held, &self.state, end)?)
    }
}
