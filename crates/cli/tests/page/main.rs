//! The pages of `steersman serve` in a real browser, and the API behind them.
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod agent_attempts;
mod agent_detours;
mod asks;
mod guarded_port;
mod long_sessions;
mod looking_back;
mod pages;
mod scene;
mod served_workspaces;
