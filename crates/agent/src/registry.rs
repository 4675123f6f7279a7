//! Every agent there is, from files and from editor extensions, and whether it can be used.
//!
//! INVARIANT: nothing is written here; a snapshot is a value, and whoever holds the
//! workspace writes it.

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
mod ruling;
mod snapshot;
mod stamp;
mod state;

pub use availability::{Availability, Unavailable};
pub use availability_check::{Surroundings, availability};
pub use discover::{Discovery, Folders, discover};
pub use entry::{AgentType, Entry, EntrySource};
pub use extension::{Extension, Participant, extensions};
pub use file::{AgentFile, agent_files, load_file, load_files};
pub use governing::{Governing, governing};
pub use list::{Registry, Selection};
pub use project_config::{CONFIG_FILE, config_path, project_config};
pub use refresh::{Change, ChangeKind, Refreshed, World, merge, refresh};
#[cfg(feature = "schema")]
pub(crate) use ruling::RuledWire;
pub use ruling::{Ruled, Ruling, rule, rule_without_agent};
pub use snapshot::{EntryRecord, REGISTRY_VERSION, Snapshot, SnapshotError};
pub use stamp::Stamp;
pub use state::{NotAllowed, State};
