//! The module `intent`, through the whole of dispatch: what is refused, what passes, what is
//! remembered and what is traced.
#![cfg(unix)]
#![expect(clippy::unwrap_used, clippy::panic, reason = "a helper that fails has to fail its test")]

mod binding;
mod briefing;
mod drift;
mod evasions;
mod gate;
mod hosts;
mod one_liners;
mod schemas;
mod stale;
mod trace;
mod world;
mod writing_commands;
