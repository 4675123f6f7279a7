//! Agents through the real binary: their tools on every host, the commands about them, and
//! workflows that run.
#![expect(clippy::panic, reason = "a helper that fails has to fail its test")]

mod project;
mod tool_policy;
mod tool_policy_faults;
