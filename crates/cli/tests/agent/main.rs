//! Agents through the real binary: their tools on every host, their commands, and their workflows.
#![cfg(unix)]
#![expect(clippy::unwrap_used, clippy::panic, reason = "a helper that fails has to fail its test")]

mod commands;
mod project;
mod run;
mod run_faults;
mod run_records;
mod stage;
mod tool_policy;
mod tool_policy_faults;
