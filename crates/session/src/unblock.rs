//! A user lifts a block: the work resumes in the phase that the block interrupted.

use event::{LineKind, Phase, SessionId};
use serde_json::{Map, Value};
use store::Workspace;

use crate::{ManualChange, ManualChangeError, OpenSession, patch_of_core};

/// The result of [`unblock`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unblocked {
    /// The block is lifted; the work is in this phase again.
    Lifted(Phase),
    /// The session was not blocked; the work is in this phase.
    NotBlocked(Phase),
}

/// Lifts the block of an existing session.
pub fn unblock(workspace: &Workspace, id: SessionId) -> Result<Unblocked, ManualChangeError> {
    let session = OpenSession::existing(workspace, id)?;
    let change = ManualChange::begin(&session)?;
    let core = &change.state.core;
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
    change.change("unblock", LineKind::Unblocked, data, &patch)?;
    Ok(Unblocked::Lifted(phase))
}
