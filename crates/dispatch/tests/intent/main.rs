//! The module `intent` through all of dispatch: denied and permitted calls, stored knowledge, traces.
#![cfg(unix)]
#![expect(clippy::unwrap_used, clippy::panic, reason = "a helper that fails must fail its test")]

mod agent_output;
mod attacks;
mod attacks_on_each_host;
mod binding;
mod briefing;
mod drift;
mod evasions;
mod forged;
mod gate;
mod hosts;
mod limits;
mod linked_checkouts;
mod one_liners;
mod schemas;
mod search;
mod stale;
mod trace;
mod world;
mod writing_commands;
