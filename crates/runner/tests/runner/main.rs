//! Runs real processes: their output, how they end, and that no process is left.

#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a failure is a failed test")]

mod endings;
mod installed_program;
mod output;
mod stage;
