//! Tests of the intents file, the scope and the trace.

#![expect(clippy::needless_raw_string_hashes, reason = "expect-test writes them")]
#![expect(clippy::unwrap_used, reason = "a failure is a failed test")]
#![expect(clippy::format_collect, reason = "tables are short")]

mod blames;
mod contexts;
mod drifts;
mod edits;
mod evasions;
mod expansions;
mod gates;
mod properties;
mod sandbox;
mod stale;
mod traces;
mod yaml_errors;
