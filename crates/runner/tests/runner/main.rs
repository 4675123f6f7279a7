//! Real processes: what they print, how they end, and that nothing of them is left.

#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a failure is a failed test")]

mod endings;
mod output;
mod presence;
mod stage;
