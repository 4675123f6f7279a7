//! The durable queue: an append-only journal of occurrences and of every step of every run.
//!
//! Emitting an occurrence is one append and needs no server. A process takes runs from the queue
//! under the journal's lock, after it has read the lines of others: [`Queue::change`].

mod changes;
mod entry;
mod journal;
mod queue_state;
mod rotation;
mod tail;

pub use changes::Changes;
pub use entry::{Entry, Line, QueuedRun};
pub use journal::{Queue, QueueError, append, read};
pub use queue_state::{QueueState, Run, Stage};
pub use tail::Tail;
