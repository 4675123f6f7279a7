//! The commands for users, run as users run them.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on has failed")]
#![expect(clippy::needless_raw_string_hashes, reason = "expect-test writes them")]

#[cfg(target_os = "linux")]
mod ask;
mod automation;
mod automation_edit;
mod automation_runs;
mod filters;
mod intent;
mod intent_check;
mod mcp;
#[cfg(unix)]
mod mcp_pins;
mod narrow_terminal;
mod person;
#[cfg(unix)]
mod serve;
mod session;
mod trace;
mod trace_proof;
