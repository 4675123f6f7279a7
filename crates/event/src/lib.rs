//! The vocabulary of all other crates: a hook event, its tool call, the verdict on it,
//! and the ids of their records.
//!
//! INVARIANT: this crate reads no file, no clock and no environment, and no type here is
//! `Serialize`. Every wire and file format has its own type at that edge (`host` for agent
//! programs, `dispatch` for journals), so that a change of format cannot change these
//! types.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod deadline;
mod event;
mod event_name;
mod ids;
mod line_kind;
mod module_names;
mod named_set;
mod path;
mod phase;
mod tool_call;
mod verdict;

pub use deadline::Deadline;
pub use event::{Agent, Detail, Event, Outcome};
pub use event_name::EventName;
pub use ids::{AgentId, RunId, SessionId, TurnId, WorkId};
pub use line_kind::LineKind;
pub use module_names::{contract_name, plain_name};
pub use path::{AbsPath, NotAbsolute, NotBelow, RepoPath};
pub use phase::Phase;
pub use tool_call::{Access, CommandLine, Dialect, ToolCall, ToolKind, Touch};
pub use verdict::{ContextNote, Decision, Replacement, Verdict};

/// Replaces each run of white space with one space, so that the string fits on a line.
pub fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
