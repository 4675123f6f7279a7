//! The durable queue: an append-only journal of what happened and of every step of every run.
//!
//! Handing something in is one append and needs no server. Whoever takes something out does so
//! under the journal's lock, after reading what others added: [`Queue::change`].

mod changes;
mod entry;
mod fold;
mod journal;
mod rotation;
mod tail;

pub use changes::Changes;
pub use entry::{Entry, Line, QueuedRun};
pub use fold::{Folded, Run, Stage};
pub use journal::{Queue, QueueError, append, read};
pub use tail::Tail;
