//! `.orchestration/active_intents.yaml`: parsing, checking and editing.

mod add;
mod edit;
mod expand;
mod intents_file;
mod read;
mod table;

pub use add::NewIntent;
pub use edit::EditError;
pub use intents_file::{IntentsFile, Invalid, NotSelectable};
#[cfg(feature = "schema")]
pub(crate) use table::INTENTS;
