//! Automations: the actions a project declares, their triggers, and the queue of runs.
//!
//! The declarative half: nothing here starts a program, watches a file or waits. `engine`
//! executes the queued runs; `serve` detects occurrences.
//!
//! INVARIANT: the queue's journal is the truth. It has a run before the run starts, and a line for
//! every step, so that after a kill at any moment its fold lists the remaining work.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod action;
mod automation;
mod chain;
pub mod config;
mod debouncer;
mod execution;
mod glob;
mod id;
pub mod import;
pub mod limits;
mod matching;
mod mcp_server;
mod occurrence;
mod operation;
mod output;
pub mod queue;
mod retry;
mod runner;
mod schedule;
#[cfg(feature = "schema")]
pub mod schema;
mod serde_formats;
mod served_workspace;
mod server_record;
mod settings;
pub mod template;
mod trigger;
mod trusted;

pub use action::{
    Action, AgentChoice, AgentKind, Custom, Git, GitHub, GitHubOperation, GitOperation, Mcp, SelectedTool,
};
pub use automation::{Automation, Confine, OnBusy, Origin, Rate, SourceFile};
pub use chain::{Chain, Refusal};
pub use config::{Configuration, Loaded};
pub use debouncer::Debouncer;
pub use execution::{ExecutionFault, ExecutionRecord, State, Status};
pub use glob::FilePatterns;
pub use id::{AutomationId, BadId, ExecutionId, OccurrenceId};
pub use matching::{Matches, matches};
pub use mcp_server::{BadServer, McpServer};
pub use occurrence::{CommitKind, Occurrence, OccurrenceKind};
pub use operation::{Operation, SpecAgent, Timing};
pub use output::{CapturedOutput, OutputStream, UnseenOutput};
pub use retry::Retry;
pub use runner::{CliRunner, RunnerChoice};
pub use schedule::{Schedule, parse_cron};
pub use served_workspace::ServedWorkspace;
pub use server_record::{Level, ServeLine, ServerRecord, Unwatched};
pub use settings::{HistoryLimits, WorkspaceSettings};
pub use template::Template;
pub use trigger::Trigger;
pub use trusted::TrustedAutomations;
