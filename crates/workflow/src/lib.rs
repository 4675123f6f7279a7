//! Drives agents through their workflow.
//!
//! `agent::workflow` says who is next; here the agent's program is asked, what it says is
//! handed on, and every step is recorded before the next begins, so that a run goes on
//! where it was when its process is killed.
//!
//! INVARIANT: a step ends within its time, and nothing of it is left running (`runner` sees
//! to that). Every run ends, by the limits if by nothing else.
//!
//! What is deliberately absent: printing, the environment, signals. The caller hands in the
//! variables, a handle to call the run off, and gets news.

mod answer;
mod arbiter;
mod asked;
mod asking;
mod conduct;
mod conduct_error;
mod first;
mod journal;
mod listener;
mod memory;
mod news;
mod old_runs;
mod prompt;
mod provider_tools;
mod record;
mod recorder;
mod report;
mod run_id;
mod run_log;
#[cfg(feature = "schema")]
pub mod schema;
mod seat;
mod standing;

pub use answer::{Answer, Tokens};
pub use arbiter::Arbiter;
pub use asking::{Question, ask};
pub use conduct::Conduct;
pub use conduct_error::ConductError;
pub use first::{Fate, First};
pub use journal::{RunJournal, RunSummary, runs};
pub use memory::Memory;
pub use news::News;
pub use old_runs::{OldRun, old_runs, remove_run};
pub use prompt::step_prompt;
pub use record::{RecordWire, RunRecord, RunResult, StepOutcome};
pub use report::{Report, ReportedStep};
pub use run_id::RunId;
pub use run_log::{LogError, RunLog};
pub use seat::{Permission, Seat, SeatError, seat_for};
