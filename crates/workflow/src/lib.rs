//! Drives agents through their workflow.
//!
//! `agent::workflow` decides which agent is next. This crate runs the agent's program, passes
//! its answer to the next agent, and records every step before the next starts, so that a run
//! whose process was killed can be resumed.
//!
//! INVARIANT: a step ends within its timeout and leaves no process running (`runner` ensures
//! that). Every run ends, at the latest when it reaches its limits.
//!
//! Deliberately absent: printing, reading the environment, signal handling. The caller passes
//! the variables and a cancel handle, and receives events.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod agent_program;
mod answer;
mod arbiter;
mod first_agent;
mod journal;
mod old_runs;
mod output_parser;
mod program_request;
mod prompt;
mod record;
mod recorder;
mod report;
mod resume_point;
mod run_event;
mod run_id;
mod run_log;
#[cfg(feature = "schema")]
pub mod schema;
mod step_result;
mod transcript;
mod workflow_error;
mod workflow_runner;

pub use agent_program::{AgentProgram, Permission, ProgramError, resolve_program};
pub use answer::{Answer, Tokens};
pub use arbiter::Arbiter;
pub use first_agent::{FirstAgent, FirstAgentChoice};
pub use journal::{RunJournal, RunSummary, runs};
pub use old_runs::{OldRun, old_runs, remove_run};
pub use program_request::{ProgramRequest, invocation};
pub use prompt::step_prompt;
pub use record::{RecordWire, RunRecord, RunResult, StepOutcome};
pub use report::{Report, ReportedStep};
pub use run_event::RunEvent;
pub use run_id::RunId;
pub use run_log::{LogError, RunLog};
pub use transcript::Transcript;
pub use workflow_error::WorkflowError;
pub use workflow_runner::WorkflowRunner;
