//! `.orchestration/active_intents.yaml`: reading it, judging it whole, changing single words of it.

mod add;
mod edit;
mod expand;
mod intents_file;
mod node;
mod problem;
mod read;
mod tree;

pub use add::NewIntent;
pub use edit::EditError;
pub use intents_file::{IntentsFile, NotSelectable};
pub use problem::{Invalid, Problem};
#[cfg(all(test, feature = "schema"))]
pub(crate) use read::keys;
