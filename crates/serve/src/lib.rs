//! The long-running mode: sees what happens in a workspace and lets the engine answer.
//!
//! One thread decides; everything else only wakes it: the file watcher, the runs, a signal.
//! Whatever it is woken by, it looks at the files themselves, so a lost wake-up costs time
//! (a look every two seconds), never an event.
//!
//! What is deliberately absent: a word in the protocol between a hook event and this process.
//! They meet in the store: dispatch appends, serve reads.

mod agents;
mod authorship;
mod by_products;
mod changes;
mod commits;
mod history;
mod lock;
mod note;
mod page;
mod polling;
pub mod registry_file;
mod repositories;
mod server;
mod sessions;
mod specs;
mod tree;
mod watcher;

pub use agents::AgentWorld;
pub use history::{Found, History, HistoryError, Query, find_runs};
pub use lock::{Lock, LockError};
pub use note::Note;
pub use server::{Setup, serve};
