//! The engine with real processes, a real server and a real repository.

#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a failure is a failed test")]

mod actions;
mod agents;
mod impediments;
mod limits;
mod live;
mod mcp;
mod recovery;
mod stage;
mod tries;
