//! Runs one program to its end, including every process that it starts.
//!
//! An agent program or a project's own command gets its prompt on stdin or as one argument,
//! an environment that the caller has chosen, and a timeout. Its output is redacted and captured
//! up to a limit. When the run ends, by exit, timeout or cancellation, no process that it
//! started is still alive.
//!
//! INVARIANT: no shell. A program is a path with an array of arguments, and the text of a prompt
//! is never more than one of them.
//!
//! INVARIANT: a prompt must be [`redact::Redacted`], and output leaves this crate only
//! through the filter.
//!
//! Deliberately absent: an async runtime (a run is a blocking call on the caller's thread), the
//! environment of this process, retries and queues.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod agent_invocation;
mod cancel;
mod captured;
mod environment;
mod installed_program;
mod interactive;
mod invocation;
mod limits;
mod pipes;
mod process_tree;
mod run;

pub use cancel::Cancel;
pub use captured::Captured;
pub use environment::{Environment, MARK};
pub use installed_program::{InstalledProgram, find, find_with_version, is_executable};
pub use interactive::{InteractiveOutcome, run_interactive};
pub use invocation::{Invocation, Request, RequestTools};
pub use limits::Limits;
pub use pipes::Source;
pub use process_tree::end_leftovers;
pub use run::{End, INHERITED_PIPE, Outcome, Run, StartError, run};
