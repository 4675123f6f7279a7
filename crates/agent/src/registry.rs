//! All agents, from files and from editor extensions, and whether they are available.
//!
//! INVARIANT: this module writes no file; a snapshot is a value that the caller writes.

mod availability;
mod availability_check;
mod discover;
mod entry;
mod extension;
mod file;
mod governing;
mod list;
mod project_config;
mod refresh;
mod session_rules;
mod snapshot;
mod stamp;
mod state;

pub use availability::{Availability, Unavailable};
pub use availability_check::{AvailabilityContext, availability};
pub use discover::{Discovery, Folders, discover, why_absent};
pub use entry::{AgentType, Entry, EntrySource};
pub use extension::{Extension, Participant, extensions};
pub use file::{AgentFile, agent_files, load_file, load_files};
pub use governing::{Governing, governing};
pub use list::{Registry, Selection};
pub use project_config::{CONFIG_FILE, config_path, project_config};
pub use refresh::{Change, ChangeKind, RefreshContext, Refreshed, merge, refresh};
#[cfg(feature = "schema")]
pub(crate) use session_rules::CachedRulesRecord;
pub use session_rules::{CachedRules, SessionRules, rule, rule_without_agent};
pub use snapshot::{EntryRecord, REGISTRY_VERSION, Snapshot, SnapshotError};
pub use stamp::Stamp;
pub use state::{InvalidStateChange, State};
