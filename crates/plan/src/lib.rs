//! The plan graph: the nodes of the work, their order and scope, and the progress of each.
//!
//! The planning agent owns the file, which stays as it was accepted. The status of each node since then is in the
//! state (`plan.nodes`, one word per node) and in the journal (`PLAN_NODE`). Setting a word twice changes nothing, so
//! processes need no further agreement.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod cache;
mod check;
mod current;
mod glob;
mod graph;
mod manifest_file;
mod mark;
mod node_id;
mod progress;
mod valid;
mod validation;

pub use cache::{CachedPlanRecord, NodeLine, PlanFile};
pub use check::{checked_graph, checked_manifest};
pub use current::{CurrentPlan, MODULE, load, load_part, read};
pub use graph::{Node, NodeStatus, OneOrMore, PlanGraph};
pub use manifest_file::PlanManifest;
pub use mark::{MarkError, Marked, mark};
pub use progress::{PlanProgress, cleared};
pub use validation::{ValidationResult, record_validations};
