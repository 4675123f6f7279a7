//! Reads sessions back from disk.
//!
//! INVARIANT: nothing here writes, creates a file or takes a lock. Journals are read line by line, so their
//! length costs time but no memory. A torn last line does not count as a line.

mod lines;
mod overview;
mod recorded_event;
mod runs;
mod snapshot;

use std::collections::BTreeMap;
use std::io;
use std::ops::ControlFlow;

use event::TurnId;
use store::SessionDir;

use crate::PromptRecord;

pub use lines::{each_line, each_line_after, head, parse};
pub use overview::{COUNTED_BYTES, Overview, overview, overviews};
pub use recorded_event::{NotReplayable, recorded_event};
pub use runs::{Run, RunCollector, find};
pub use snapshot::{SnapshotError, snapshot};

/// Returns the prompts by the turn that each started.
pub fn prompts(session: &SessionDir) -> io::Result<BTreeMap<TurnId, PromptRecord>> {
    let mut prompts = BTreeMap::new();
    each_line(&session.prompts_file(), |line| {
        if let Ok(prompt) = serde_json::from_str::<PromptRecord>(line) {
            prompts.insert(prompt.turn_id, prompt);
        }
        ControlFlow::<()>::Continue(())
    })?;
    Ok(prompts)
}
