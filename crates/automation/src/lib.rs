//! Automations: what a project declared shall happen by itself, what sets it off, and
//! the queue of runs.
//!
//! The declarative half: nothing here starts a program, watches a file or waits. `engine`
//! drains the queue and runs what is in it; `serve` finds out what happened.
//!
//! INVARIANT: the queue's journal is the truth. A run is in it before it begins, and every
//! step of it is a line, so that after a kill at any moment the fold says what is still to do.

mod action;
mod automation;
mod chain;
pub mod config;
mod execution;
mod glob;
mod id;
pub mod limits;
mod matching;
mod mcp_server;
mod occurrence;
mod operation;
mod printed;
pub mod queue;
mod restless;
mod retry;
mod runner;
#[cfg(feature = "schema")]
pub mod schema;
mod server_record;
mod settings;
pub mod template;
mod trigger;
mod trusted;
mod wire;

pub use action::{
    Action, AgentChoice, AgentKind, Custom, Git, GitHub, GitHubOperation, GitOperation, Mcp, SelectedTool,
};
pub use automation::{Automation, Origin, Rate, SourceFile};
pub use chain::{Chain, Refusal};
pub use config::{Configuration, Loaded};
pub use execution::{ExecutionFault, ExecutionRecord, State, Status};
pub use glob::BadGlob;
pub use id::{AutomationId, BadId, ExecutionId, OccurrenceId};
pub use matching::{Matches, matches};
pub use mcp_server::{BadServer, McpServer};
pub use occurrence::{CommitKind, Occurrence, What};
pub use operation::{Operation, SpecAgent, Timing};
pub use printed::{Missing, Output, Printed};
pub use restless::Restless;
pub use retry::Retry;
pub use runner::{CliRunner, RunnerChoice};
pub use server_record::{Level, ServeLine, ServerRecord, Unwatched};
pub use settings::WorkspaceSettings;
pub use template::Template;
pub use trigger::Trigger;
pub use trusted::TrustedAutomations;
