//! The figures of a session, and the pages that show them.
//!
//! INVARIANT: every figure is computed from `events.jsonl` in one pass, and the page states how far that pass came. There
//! are no running counters that could drift.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

pub mod adr;
mod decision;
mod figures;
mod journal_line;
mod listing;
mod markdown;
pub mod page;
mod summary;

pub use figures::Figures;
pub use summary::{Frame, JournalPart, OpenNode, StopSummary};
