//! Runs one program to its end, with everything it starts.
//!
//! An agent program or a project's own command gets its prompt on stdin or as one argument,
//! an environment that the caller has chosen, and a time. What it prints is kept up to a
//! limit, secrets taken out. When it is over, whether it ended, ran out of time or was
//! cancelled, nothing that it started is still there.
//!
//! INVARIANT: no shell. A program is a path, its arguments are words, and text of a prompt is
//! never more than one of them.
//!
//! INVARIANT: only [`redact::Redacted`] text goes in as a prompt, and output comes out only
//! through the filter.
//!
//! What is deliberately absent: an async runtime (a run is a blocking call on a thread of the
//! caller's), the process's own environment, retries and queues.

mod cancel;
mod captured;
mod converse;
mod environment;
mod family;
mod invocation;
mod limits;
mod plumbing;
mod presence;
mod provider;
mod run;

pub use cancel::Cancel;
pub use captured::Captured;
pub use converse::{Conversation, converse};
pub use environment::{Environment, MARK};
pub use family::end_leftovers;
pub use invocation::{Invocation, Request};
pub use limits::Limits;
pub use plumbing::Source;
pub use presence::{Presence, find, look_for};
pub use provider::Provider;
pub use run::{End, Outcome, Run, StartError, run};
