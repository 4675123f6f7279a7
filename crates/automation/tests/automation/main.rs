//! Automations through the crate's own interface.
#![expect(clippy::unwrap_used, reason = "a helper that fails has to fail its test")]

mod queue_crowd;
mod queue_fold;
mod queue_journal;
mod queue_properties;
mod sample;
