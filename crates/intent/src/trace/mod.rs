//! `.orchestration/agent_trace.jsonl`: what was written under which intent.

mod before_image;
mod git_head;
mod line_diff;
mod log;
mod record;
mod written;

pub use before_image::{Before, BeforeImages, MAX_BEFORE};
pub use git_head::git_head;
pub use line_diff::{Hunk, LineRange, hunks, line_ranges};
pub use log::{Appended, NotTraced, TraceLog};
pub use record::{BadRecord, MutationClass, TraceRecord};
pub use written::{Written, written};
