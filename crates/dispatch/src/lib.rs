//! Answers one hook event with one JSON object.
//!
//! `host` parses the event, modules judge it within a budget, `host` renders the verdict, `session` records the run.
//! [`run`] calls these steps in order; every other file has one part of a step.
//!
//! INVARIANT: dispatch always answers. For any input and any failure it prints exactly one JSON object on stdout and
//! nothing on stderr, and exits with 0. Every failure has a variant in [`Fault`].

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod action;
mod agent_output;
mod approval;
mod call_folder;
mod carryover;
mod command_reading;
mod confinement;
mod context;
mod ctx_wire;
mod debug_log;
mod decision_fallback;
mod dispatch_log;
mod event_completion;
mod fault;
pub mod input;
mod intent_settings;
mod launch_context;
mod loop_breaker;
mod merged_verdict;
mod module;
pub mod modules;
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

pub use action::{Action, ActionWire, Content, NotAnAction, Output};
pub use approval::why_impossible as why_not_approved;
pub use carryover::Carryover;
pub use command_reading::CommandReading;
pub use confinement::ShellEntryCheck;
pub use context::Context;
pub use ctx_wire::CtxWire;
pub use debug_log::DebugLog;
pub use fault::Fault;
pub use intent_settings::{IntentMode, IntentSettings};
pub use launch_context::{LaunchContext, ShellCalls};
pub use module::{Concluded, Module, ModuleFailure, Profile};
pub use rejudge::{Permission, Rejudge, Rejudged, rejudge};
pub use run::run;
pub use steps::script_file;
pub use timed_reader::TimedReader;
pub use watchdog::Alarm;
