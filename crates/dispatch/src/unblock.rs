//! A person lifts a block: the work goes on in the phase the block interrupted.

use event::{LineKind, Phase, SessionId};
use serde_json::{Map, Value};
use store::Workspace;

use crate::by_hand::{ByHand, ByHandError};
use crate::sitting::{Sitting, patch_of_core};

/// What came of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unblocked {
    /// The block is lifted; the work is in this phase again.
    Lifted(Phase),
    /// There was no block; the work is in this phase.
    NotBlocked(Phase),
}

/// Lifts the block of a session that is there.
pub fn unblock(workspace: &Workspace, id: SessionId) -> Result<Unblocked, ByHandError> {
    let sitting = Sitting::of(workspace, id)?;
    let session = ByHand::begin(&sitting)?;
    let core = &session.state.core;
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
    let data = Map::from_iter([
        ("from".to_owned(), Value::from(Phase::Blocked.as_str())),
        ("to".to_owned(), Value::from(phase.as_str())),
    ]);
    session.change("unblock", LineKind::Unblocked, data, &patch)?;
    Ok(Unblocked::Lifted(phase))
}
