//! Tests of the crate's public interface.

#![expect(clippy::needless_raw_string_hashes, reason = "expect-test writes them")]
#![expect(clippy::expect_used, clippy::panic, clippy::unwrap_used, reason = "what fails here fails the test")]

mod agent_set;
mod conditions;
mod errors;
mod formats;
mod hostile;
mod pictures;
mod project;
mod registry;
mod shell_filter;
mod tool_policy;
mod wild;
mod workflow;
