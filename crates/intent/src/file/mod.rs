//! `.orchestration/active_intents.yaml`: reading it, judging it whole, changing single words of it.

mod add;
mod edit;
mod expand;
mod intents_file;
mod invalid;
mod read;
mod table;

pub use add::NewIntent;
pub use edit::EditError;
pub use intents_file::{IntentsFile, NotSelectable};
pub use invalid::Invalid;
#[cfg(feature = "schema")]
pub(crate) use table::INTENTS;
