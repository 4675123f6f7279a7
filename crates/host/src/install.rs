//! Registers steersman with agent programs: settings files, entries, and edits of files that belong
//! to users.
//!
//! All functions map text to text. `cli` reads and writes the files, makes backups and diffs for
//! `--dry-run`, and checks the disk, which [`hosts_in_use`] does through a closure.
//!
//! INVARIANT: an edit is a splice into the existing text. Foreign bytes are never reprinted, so
//! comments, key order, indentation, line ends, trailing commas and a byte-order mark survive.
//! [`unregister`] removes exactly the bytes that [`register`] inserted.
//!
//! INVARIANT: an entry is ours if its command, split into words, runs a program named `steersman`
//! with the first argument `dispatch`. There is no marker key (Codex rejects a file with unknown
//! keys) and no substring search (a user's own `echo steersman dispatch` is not ours). An MCP server
//! is ours if it has our name and runs such a program with the first argument `mcp`.

mod command_line;
mod document;
mod edit_error;
mod gap;
mod governing;
mod hook_plan;
mod hook_plans;
mod hook_source;
mod hook_switch;
mod hooks_toml;
mod insert;
mod layout;
mod managed_plans;
mod own_entry;
mod pin_json;
mod program;
mod register;
mod registration;
mod remove;
mod server;
mod server_approval;
mod server_entry;
mod server_json;
mod server_toml;
mod settings_file;
mod settings_variable;
mod shell_env_line;
mod shell_env_toml;
mod shell_plan;
mod trust;
mod unregister;
mod usage_evidence;
mod user_plans;

pub use edit_error::EditError;
pub use governing::governing_files;
pub use hook_plan::{HookPlan, HookRow, Pin, Shape, TimeoutUnit, WindowsShell};
pub use hook_source::{
    HookSource, SourceKind, When, finds_project_from_subfolder, other_hook_sources, runs_equal_commands_once,
};
pub use hook_switch::{HookSwitch, SwitchRoot, SwitchedOff};
pub use program::{ForeignProgram, Program};
pub use register::register;
pub use registration::{Registration, registrations, registrations_in};
pub use server::{Form, ServerPlan};
pub use server_approval::{Approval, ServerApproval};
pub use server_entry::{ServerRegistration, register_server, registered_server, unregister_server};
pub use settings_file::SettingsFile;
pub use settings_variable::{SettingsVariable, SystemSettingsVariable};
pub use shell_plan::{ShellPlan, ShellSetting};
pub use trust::{
    CodexTrust, FolderTrust, asks_for_folder_trust, codex_trust, copilot_trust, listed_folder_trust,
};
pub use unregister::{Removed, unregister};
pub use usage_evidence::{HostInUse, Root, UsageEvidence, hosts_in_use, usage_evidence};
