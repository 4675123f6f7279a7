//! The two files of automations, read into one model.
//!
//! `.akira/hooks.json` (001) and `.vscode/gatomia/hooks.json` (000) may hold comments and
//! trailing commas. The reader reports all their mistakes at once, each with its place.

mod action;
mod akira;
mod append;
mod configuration;
mod dependencies;
mod edit;
mod effective_files;
mod file;
mod gatomia;
mod pattern;
mod runner;
mod settings;
mod switch;
mod table;
mod template;
mod trigger;
mod version;
mod workspace;

#[cfg(feature = "schema")]
pub(crate) use table::{AKIRA_FILE, GATOMIA, WORKSPACE};

pub use append::{AppendError, append};
pub use configuration::{Configuration, Loaded};
pub use edit::{EditError, OtherKeys, declared_ids, definition, edit, key_at, remove};
pub use effective_files::EffectiveFiles;
pub use switch::{SwitchError, switch};
pub(crate) use trigger::TriggerName;
pub use trigger::{BadTriggerName, emitted_kind, known_triggers};
