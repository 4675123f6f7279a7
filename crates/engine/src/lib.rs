//! Executes automation runs.
//!
//! The queue's journal is the truth; this crate takes runs from it, executes them and records
//! each step. One [`Engine`] belongs to one thread, which calls [`Engine::turn`] whenever
//! something may have changed. Each attempt of a run has its own thread, which sends reports to
//! the engine and writes nothing.
//!
//! INVARIANT: the engine writes `started` to the journal before an attempt does anything, and
//! writes its end before it drops the run. After a kill at any moment every run is therefore
//! either still queued, or known to have been running and marked as interrupted before its retry.
//!
//! Deliberately absent: event sources, printing, the process's environment.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod active;
mod attempt;
mod automation_set;
mod coalesce;
mod confinement;
mod end_entry;
mod ending;
mod engine;
pub mod impediment;
mod live_output;
mod metrics;
mod pending_runs;
mod project;
mod recovery;
pub mod repository;
mod run_event;
mod schedule;
mod settings;
mod specification;
mod tool_list;
mod write_buffer;

mod action;
mod worker;

pub use action::post_json;
pub use automation_set::AutomationSet;
pub use ending::Ending;
pub use engine::{ActiveRun, Engine, Offered, Turn};
pub use impediment::{CommitObstacle, Impediment, ImpedimentSearch};
pub use metrics::Metrics;
pub use project::branch_of;
pub use recovery::Recovered;
pub use run_event::RunEvent;
pub use settings::Settings;
pub use specification::Specification;
pub use tool_list::{ListError, ListSettings, ToolList, list_tools};
pub use worker::Report;
