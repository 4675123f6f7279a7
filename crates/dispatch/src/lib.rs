//! Answers one hook event with one JSON object.
//!
//! `host` parses the event, modules judge it within a budget, `host` renders the verdict, `session` records the run.
//! [`run`] calls these steps in order; every other file has one part of a step.
//!
//! INVARIANT: dispatch always answers. For any input and any failure it prints exactly one JSON object on stdout and
//! nothing on stderr, and exits with 0. Every failure has a variant in [`Fault`].

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod announced_command;
mod approval;
mod confinement;
mod ctx_wire;
mod decision_fallback;
mod dispatch_log;
mod event_completion;
mod fault;
pub mod input;
mod launch_context;
mod loop_breaker;
mod merged_verdict;
mod output_filter;
mod outputs;
mod person_order;
mod pipeline;
mod recording;
mod rejudge;
pub mod replay;
mod run;
#[cfg(feature = "schema")]
pub mod schema;
mod steps;
mod stop_limit;
mod timed_reader;

pub use approval::{SEALED_BASIS, why_impossible as why_not_approved};
pub use confinement::ShellEntryCheck;
pub use ctx_wire::CtxWire;
pub use fault::Fault;
pub use launch_context::{CheckRequest, CheckResult, LaunchContext, ShellCalls};
pub use rejudge::{Permission, Rejudge, Rejudged, rejudge};
pub use run::run;
pub use steps::script_file;
pub use timed_reader::TimedReader;
pub use watchdog::Alarm;
