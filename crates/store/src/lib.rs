//! Everything steersman keeps on disk.
//!
//! INVARIANT: only this crate joins a path below the state folder, and no path
//! is ever joined with text from a payload: ids are digits, module names are
//! checked, the rest are constants. Only this crate asks what time it is.
//!
//! INVARIANT: journals are append-only and are written under their lock, one
//! `write` for all the lines of a run. A torn last line is taken off by the next
//! writer. A file of a newer format is never rewritten.

mod atomic;
mod automation_files;
mod automation_trust;
mod backup;
mod birth;
mod clock;
mod file_identity;
mod fingerprint;
mod format;
mod journal;
mod json_file;
mod layout_file;
mod mcp_file;
mod module_name;
pub mod no_follow;
mod patient_lock;
pub mod plain_file;
mod removal;
mod script_files;
mod session_binding;
mod session_dir;
mod trust;
mod workspace;
mod workspace_root;

pub use atomic::{WriteError, replace_file, write_atomic, write_private, write_shared};
pub use automation_files::{AutomationFiles, FileReading, TrustedPart};
pub use automation_trust::{Standing, TrustedChange, TrustedFiles};
pub use backup::{Backups, KeepError};
pub use birth::born;
pub use clock::{Timestamp, now};
pub use file_identity::FileIdentity;
pub use fingerprint::{Fingerprint, fingerprint};
pub use format::{Format, FormatError};
pub use journal::{Batch, Held, Journal, JournalError, JournalHandle, Recordable, read_lines};
pub use json_file::{FileError, parse_json, parse_part, read_json, read_text};
pub use layout_file::{LayoutFile, SessionFileNames, SessionFolderNames};
pub use mcp_file::McpFile;
pub use module_name::ModuleName;
pub use patient_lock::lock as lock_patiently;
pub use removal::{Freed, RemoveError};
pub use script_files::{ScriptFiles, TrustedScripts};
pub use session_binding::{SessionBinding, forget_session};
pub use session_dir::{FeatureDir, SessionDir};
pub use trust::{Trust, TrustError};
pub use workspace::Workspace;
pub use workspace_root::{NamedBy, Whereabouts};
