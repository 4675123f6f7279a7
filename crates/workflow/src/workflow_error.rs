//! Why a workflow run could not start or continue.

use runner::StartError;
use store::JournalError;

use crate::agent_program::ProgramError;
use crate::run_id::RunId;

/// Why a workflow run could not start or continue.
#[derive(Debug, thiserror::Error)]
pub enum WorkflowError {
    /// No agent has this name.
    #[error(
        "cannot find the agent `{agent}`\nhint: run `steersman agent list` to see all agents, `steersman agent validate` to see their errors"
    )]
    UnknownAgent {
        /// The name.
        agent: String,
    },
    /// The project has no agents.
    #[error(
        "cannot run a workflow: the project has no agents\nhint: run `steersman init --agents` to create three"
    )]
    NoAgents,
    /// The arbiter's answer names no agent.
    #[error(
        "cannot choose the first agent: the model's answer `{answer}` does not name one\nhint: name one with `--from`, or set `agents.default` in .rawko/config.yaml"
    )]
    Undecided {
        /// The answer.
        answer: String,
    },
    /// The arbiter's program failed.
    #[error(
        "cannot choose the first agent: the model failed: {reason}\nhint: name one with `--from`, or set `agents.default` in .rawko/config.yaml"
    )]
    ArbiterFailed {
        /// The failure.
        reason: String,
    },
    /// No program can run the agent.
    #[error(transparent)]
    Program(#[from] ProgramError),
    /// The program could not be started.
    #[error(transparent)]
    Start(#[from] StartError),
    /// The run could not be recorded.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// Another process is driving the run.
    #[error("cannot drive the run {id}: it is still running in another process")]
    Busy {
        /// The run.
        id: RunId,
    },
    /// The run cannot be resumed.
    #[error("cannot resume the run {id}: {why}")]
    NotResumable {
        /// The run.
        id: RunId,
        /// Why.
        why: &'static str,
    },
    /// The run was cancelled before its first step.
    #[error("cancelled")]
    Cancelled,
}
