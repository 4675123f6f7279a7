//! The words everything else is written in: a hook event, the tool call in it,
//! the verdict on it, and the ids they are filed under.
//!
//! INVARIANT: nothing here reads a file, a clock or the environment, and nothing
//! here is `Serialize`. What goes over a wire or onto a disk has a twin at that
//! edge (`host` for agent programs, `dispatch` for journals), so that a change of
//! format there can never reach in here.

mod deadline;
mod event;
mod event_name;
mod ids;
mod path;
mod phase;
mod tool_call;
mod verdict;

pub use deadline::Deadline;
pub use event::{Agent, Detail, Event, Outcome};
pub use event_name::EventName;
pub use ids::{AgentId, RunId, SessionId, TurnId, WorkId};
pub use path::{AbsPath, NotAbsolute, NotBelow, RepoPath};
pub use phase::Phase;
pub use tool_call::{Access, CommandLine, Dialect, ToolCall, ToolKind, Touch};
pub use verdict::{ContextNote, Decision, Verdict};
