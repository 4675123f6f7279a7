//! A session as a sequence of turns with their entries, built from the lines of its journal.
//!
//! Deliberately absent: printing and pages. `session show` prints a timeline, `page` renders it.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod dropped;
mod order_entry;
pub mod target;
mod timeline_builder;
mod turn;

pub use dropped::{Dropped, PERMITTED_REMARK, dropped_parts};
pub use session::RecordedDecision;
pub use timeline_builder::TimelineBuilder;
pub use turn::{Call, Entry, EntryKind, Outcome, Prompt, Turn};
