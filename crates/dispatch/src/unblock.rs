//! A person lifts a block: the work goes on in the phase the block interrupted.
//!
//! Written like a run: under the lock, the journal first, the state after it.

use std::time::Duration;

use event::{AgentId, Phase, SessionId};
use serde_json::{Map, Value};
use store::{Batch, JournalError, Workspace, WriteError};

use crate::StateFault;
use crate::record::{self, EventRecord, LINE_FORMAT};
use crate::sitting::{Sitting, patch_of_core};

/// What came of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unblocked {
    /// The block is lifted; the work is in this phase again.
    Lifted(Phase),
    /// There was no block; the work is in this phase.
    NotBlocked(Phase),
}

/// Why a block could not be lifted.
#[derive(Debug, thiserror::Error)]
pub enum UnblockError {
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

/// How long a person may wait for the lock.
const PATIENCE: Duration = Duration::from_secs(2);

/// Lifts the block of a session that is there.
pub fn unblock(workspace: &Workspace, id: SessionId) -> Result<Unblocked, UnblockError> {
    let sitting = Sitting::of(workspace, id)?;
    let journal = sitting.journal.as_ref().ok_or(UnblockError::Busy)?;
    let held = journal.lock(PATIENCE).ok_or(UnblockError::Busy)?;
    let end = held.heal()?;
    let mut state = sitting.fresh_state(&held, end);
    let core = &state.core;
    if core.phase() != Phase::Blocked {
        return Ok(Unblocked::NotBlocked(core.phase()));
    }
    let from = core.blocked_from.as_deref().and_then(Phase::from_contract);
    let phase = from.filter(|phase| *phase != Phase::Blocked).unwrap_or(Phase::Planning);
    let patch = patch_of_core([
        ("workId", Value::from(core.work().to_string())),
        ("phase", Value::from(phase.as_str())),
        ("phaseRevision", Value::from(core.phase_revision + 1)),
    ]);
    let now = store::now().as_millis();
    let record = EventRecord {
        v: LINE_FORMAT,
        ts: now,
        kind: record::UNBLOCKED.into(),
        hook_run_id: format!("unblock-{}-{now}", core.last_turn_id),
        session_id: id.to_string(),
        work_id: core.work().to_string(),
        agent_id: AgentId::MAIN.to_string(),
        turn_id: core.last_turn_id,
        module: None,
        data: Map::from_iter([
            ("from".to_owned(), Value::from(Phase::Blocked.as_str())),
            ("to".to_owned(), Value::from(phase.as_str())),
            ("patch".to_owned(), Value::Object(patch.clone())),
        ]),
    };
    let mut batch = Batch::default();
    record::push(&mut batch, &record);
    let end = held.append(&batch)?;
    state.apply(&patch);
    sitting.keep_state(&held, &state, end)?;
    Ok(Unblocked::Lifted(phase))
}
