//! Why a run could not begin or go on.

use runner::StartError;
use store::JournalError;

use crate::run_id::RunId;
use crate::seat::SeatError;

/// Why a run could not begin or go on.
#[derive(Debug, thiserror::Error)]
pub enum ConductError {
    /// There is no such agent.
    #[error(
        "there is no agent `{agent}`\nhint: `steersman agent list` shows which there are, `steersman agent validate` what is wrong with them"
    )]
    UnknownAgent {
        /// The name.
        agent: String,
    },
    /// There is no agent at all.
    #[error("there are no agents to run\nhint: `steersman init --agents` makes three to start with")]
    NoAgents,
    /// The arbiter's answer names no agent.
    #[error(
        "which agent begins could not be told from the answer `{answer}`\nhint: name one with `--from`, or set `agents.default` in .rawko/config.yaml"
    )]
    Undecided {
        /// What it said.
        answer: String,
    },
    /// The arbiter could not be asked.
    #[error(
        "the model could not be asked which agent begins: {reason}\nhint: name one with `--from`, or set `agents.default` in .rawko/config.yaml"
    )]
    ArbiterFailed {
        /// Why.
        reason: String,
    },
    /// An agent has no program.
    #[error(transparent)]
    Seat(#[from] SeatError),
    /// A program could not be started.
    #[error(transparent)]
    Start(#[from] StartError),
    /// The run could not be recorded.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// Another process has the run.
    #[error("the run {id} is still going on in another process")]
    Busy {
        /// The run.
        id: RunId,
    },
    /// There is nothing to go on with.
    #[error("the run {id} cannot be resumed: {why}")]
    NotResumable {
        /// The run.
        id: RunId,
        /// Why.
        why: &'static str,
    },
    /// The run was called off before it began.
    #[error("called off")]
    Cancelled,
}
