//! `.orchestration/agent_trace.jsonl`: the writes and their intents.

mod before_image;
mod blame;
mod export;
mod file_change;
mod git_head;
mod git_index;
mod git_status;
mod history;
mod line_diff;
mod line_marks;
mod lines;
mod log;
pub(crate) mod pending;
mod record;
mod staged_report;
mod stats;
mod verify;

pub use before_image::{Before, MAX_BEFORE};
pub use blame::{Author, Edit, Evidence, MovedFile, NoEvidence, blame};
pub use export::{AGENT_TRACE, CSV_HEADER, agent_trace, csv};
pub use file_change::{FileChange, file_change};
pub(crate) use git_head::commit_of;
pub use git_head::{git_head, is_head_new};
pub use git_index::GitIndex;
pub use git_status::{changed_files, checkout_of, git_status};
pub use history::{history, history_through_moves, renamed_from};
pub use line_diff::{Hunk, LineRange, hunks, line_ranges};
pub use line_marks::LineMarks;
pub use log::{Appended, Earlier, TraceLog};
pub use pending::{Found, HeldCalls, MAX_PENDING_FILES, PendingCall, PendingCalls, PendingFile};
pub use record::{BadRecord, MutationClass, TraceRecord};
pub use staged_report::{SettledCallRecord, StagedReport, StagedReportRecord, StagedReports};
pub use stats::{IntentStats, stats};
pub use verify::{Verification, verify};
