//! How an agent program is told to call us: which settings file, which entries,
//! and how they get into a file that belongs to somebody else and out again.
//!
//! Everything here is text → text. Reading the file, the backup, the diff for
//! `--dry-run` and the writing belong to `cli`; so does asking the disk, which
//! [`hosts_in_use`] does through a closure.
//!
//! INVARIANT: an edit is a splice into the text as it stands. Bytes that are not
//! ours are never printed anew, so comments, key order, indentation, line ends,
//! trailing commas and a byte order mark survive because nothing touches them.
//! [`unregister`] takes out exactly the bytes [`register`] put in.
//!
//! INVARIANT: an entry is ours if its command, read as words, runs a program
//! named `steersman` with the first argument `dispatch`. No marker key (Codex
//! refuses a file with unknown keys) and no search for a substring (a person's
//! own `echo steersman dispatch` is not ours). An MCP server is ours if it has our
//! name and runs such a program with the first argument `mcp`.

mod also_reads;
mod command_line;
mod document;
mod edit_error;
mod found;
mod gap;
mod governing;
mod insert;
mod layout;
mod plan;
mod plans;
mod program;
mod register;
mod registration;
mod remove;
mod server;
mod server_entry;
mod server_json;
mod server_toml;
mod settings_file;
mod trace;
mod unregister;

pub use also_reads::{HookSource, SourceKind, When, also_reads};
pub use edit_error::EditError;
pub use governing::governing_files;
pub use plan::{HookRow, Plan, Shape, TimeoutUnit, WindowsShell};
pub use program::{NotOurs, Program};
pub use register::register;
pub use registration::{Registration, registrations};
pub use server::{Form, ServerPlan};
pub use server_entry::{ServerRegistration, register_server, registered_server, unregister_server};
pub use settings_file::SettingsFile;
pub use trace::{InUse, Root, Trace, hosts_in_use, traces};
pub use unregister::{Removed, unregister};
