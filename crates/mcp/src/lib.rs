//! The MCP server with which an agent selects its intent.
//!
//! The server runs as long as its host, on stdin and stdout. It does not know the host's
//! session: the hooks see the call of `select_active_intent`, as every tool call, and bind the
//! intent to the session. The server itself remembers only its own last selection.
//!
//! INVARIANT: only the end of its input ends the server, never a message of the client. Every
//! error is a result with `isError` and a sentence that the model can act on.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod answers;
mod parameters;
mod run;
mod server;

pub use run::{ServeError, serve};
pub use server::IntentServer;
