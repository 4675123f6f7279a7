//! All files that steersman stores.
//!
//! INVARIANT: only this crate joins a path below the state folder, and never with text from a
//! payload: ids are digits, module names are checked, the rest are constants. Only this crate reads
//! the clock.
//!
//! INVARIANT: journals are append-only and are written under their lock, one `write` for all lines of
//! a run. The next writer removes an incomplete last line. steersman never rewrites a file of a newer
//! format.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod atomic;
mod automation_files;
mod automation_trust;
mod backup;
mod clock;
mod creation_time;
mod done_gate_lock;
mod file_identity;
mod fingerprint;
mod folder_entry;
mod format;
mod git_dir;
mod hold_of_all;
mod journal;
mod json_file;
mod layout_file;
mod linkless_folder;
mod made_folders;
mod mcp_pins;
mod module_name;
pub mod no_follow;
#[cfg(unix)]
mod overlay_layers;
pub mod plain_file;
mod record_relay;
mod recorded_length;
mod removal;
mod script_files;
mod session_binding;
mod session_dir;
mod shell_calls;
mod shell_folder;
mod subagent_record;
mod timed_lock;
mod trust;
mod user_config;
mod workspace;
mod workspace_root;
mod workspace_state;

pub use atomic::{WriteError, keep_private, replace_file, write_atomic, write_private, write_shared};
pub use automation_files::{AutomationFiles, FileReading, McpFile, TrustedPart};
pub use automation_trust::{TrustStatus, TrustedChange, TrustedFiles};
pub use backup::{BackupError, Backups};
pub use clock::{Timestamp, now, system_time};
pub use creation_time::creation_time;
pub use done_gate_lock::DoneGateLock;
pub use file_identity::FileIdentity;
pub use fingerprint::{Fingerprint, fingerprint};
pub use folder_entry::{create_folder, create_private_folder, link_among_newest, remove_file};
pub use format::{Format, FormatError};
pub use git_dir::{common_git_dir, dot_git_named_by, git_dir, git_dir_around};
pub use hold_of_all::HoldOfAll;
pub use journal::{Batch, Journal, JournalError, JournalHandle, JournalLock, Recordable, read_lines};
pub use json_file::{FileError, parse_json, parse_part, read_json, read_text};
pub use layout_file::{LayoutFile, SessionFileNames, SessionFolderNames};
pub use made_folders::MadeFolders;
pub use mcp_pins::{McpPins, PinState};
pub use module_name::ModuleName;
#[cfg(unix)]
pub use overlay_layers::{Merged, OverlayLayers};
pub use record_relay::RecordRelay;
pub use recorded_length::{is_shorter_than_recorded, record_length};
pub use removal::{Freed, RemoveError};
pub use script_files::{ScriptFiles, TrustedScripts};
pub use session_binding::{SessionBinding, forget_session};
pub use session_dir::{FeatureDir, SessionDir};
pub use shell_calls::{CallStage, ShellCallFolder, StoredCall};
pub use shell_folder::ShellFolder;
pub use subagent_record::SubagentRecord;
pub use timed_lock::lock as lock_patiently;
pub use trust::{Trust, TrustError};
pub use user_config::{Governed, Scope, UserConfig};
pub use workspace::{Workspace, answers_folder, asks_folder, pin_file, served_folder};
pub use workspace_root::{NamedBy, SessionFolders};
