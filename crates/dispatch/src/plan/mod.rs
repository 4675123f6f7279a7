//! The plan graph: what is to be done, in which order, where, and how far it has come.
//!
//! The file is the planning agent's and stays as it was accepted. What became of each node
//! since is kept in the state (`plan.nodes`, one word per node) and in the journal
//! (`PLAN_NODE`): setting a word twice changes nothing, so processes need not agree on more.

mod check;
mod checked;
mod current;
mod glob;
mod graph;
mod kept;
mod manifest_file;
mod mark;
mod node_id;
mod sound;
mod standing;

pub use check::{checked_graph, checked_manifest};
pub use checked::{Checked, note_check};
pub use current::{Current, load};
pub(crate) use current::{MODULE, load_part, read};
pub use graph::{Node, NodeStatus, OneOrMore, PlanGraph};
#[cfg(feature = "schema")]
pub(crate) use kept::KeptPlanRecord;
pub(crate) use kept::{NodeLine, Source};
pub use manifest_file::PlanManifest;
pub use mark::{MarkError, Marked, mark};
pub use standing::Standing;
pub(crate) use standing::over;

use glob::bad_glob;
use node_id::bad_id;
use sound::is_sound;
