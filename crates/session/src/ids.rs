//! The ids that file every line of a run.

use event::{AgentId, RunId, SessionId, TurnId, WorkId};

/// The ids of one run (contract §5).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ids {
    /// The session.
    pub session: SessionId,
    /// The piece of work within it.
    pub work: WorkId,
    /// The agent within it.
    pub agent: AgentId,
    /// The turn within it.
    pub turn: TurnId,
    /// This run.
    pub run: RunId,
}
