//! What a hook module can do, what it cannot, and the errors it gets.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot set itself up has failed")]

mod actions;
mod context;
mod examples;
mod hostile;
mod imports;
mod limits;
mod logs;
mod metadata;
mod node;
mod project;
mod round_trip;
