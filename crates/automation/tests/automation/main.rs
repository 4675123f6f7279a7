//! Automations through the crate's own interface.
#![expect(clippy::needless_raw_string_hashes, reason = "expect-test writes them")]
#![expect(clippy::unwrap_used, reason = "a helper that fails must fail its test")]

mod configuration;
mod formats;
mod matching;
mod queue_contention;
mod queue_fold;
mod queue_journal;
mod queue_properties;
mod sample;
mod template_properties;
mod trust_race;
