//! Reading back what sessions left behind.
//!
//! INVARIANT: nothing here writes, makes a file or takes a lock. A journal is read line by
//! line, so its length costs time but no memory; a torn last line is not a line yet.

mod lines;
mod overview;
mod prompts;
mod run_record;
mod runs;
mod snapshot;

pub use lines::{each_line, head, parse};
pub use overview::{COUNTED_BYTES, Overview, overview, overviews};
pub use prompts::prompts;
pub use run_record::{ModuleReport, RunRecord};
pub use runs::{Gather, Run, find};
pub use snapshot::{SnapshotError, snapshot};
