//! The server: detects occurrences in a workspace and lets the engine run automations for them.
//!
//! One thread decides; the file watcher, the runs and signals only wake it. At every step that thread
//! reads the files themselves, so a lost wake-up costs time (it checks every two seconds), never an
//! event.
//!
//! Deliberately absent: a protocol between hook events and this process. They share the store:
//! dispatch appends, serve reads.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod agents;
mod authorship;
mod changes;
mod commits;
mod editor_files;
mod history;
mod inspection;
mod lock;
mod note;
mod poller;
mod presence;
pub mod registry_file;
mod repositories;
mod schedules;
mod server;
mod sessions;
mod specs;
mod tree;
mod watcher;
mod web;

pub use agents::AgentSources;
pub use history::{Found, History, HistoryError, Query, RunCount, count_runs, find_runs};
pub use inspection::Inspection;
pub use lock::{Lock, LockError};
pub use note::Note;
pub use server::{Announce, OpenBrowser, ServerStatus, Setup, serve};
pub use web::{Editor, GrantTrust};
