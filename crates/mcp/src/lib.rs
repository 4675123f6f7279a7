//! The MCP server through which an agent chooses its intent.
//!
//! It runs as long as its host, on stdin and stdout. It cannot know which session of the host it
//! serves: the call of `select_active_intent` passes the hooks as every tool call does, and that
//! is where it is bound to the session. What the server keeps in mind is only what it told.
//!
//! INVARIANT: nothing a client sends ends it but the end of its input. Every refusal is a result
//! with `isError` and a sentence the model can act on.

mod answers;
mod parameters;
mod run;
mod server;

pub use run::{ServeError, serve};
pub use server::IntentServer;
