//! One hook event in, one answer out.
//!
//! An event is parsed by `host`, judged by modules within a budget, recorded by `store`
//! and answered by `host` again. [`run`] is that sentence; everything else here is one
//! part of it.
//!
//! INVARIANT: dispatch always answers. Whatever arrives, whatever breaks: exactly one
//! JSON object on stdout, nothing on stderr, exit code 0. Every way to fail has a variant
//! in [`Fault`].

mod action;
pub mod allowance;
mod by_hand;
mod call_folder;
mod command_reading;
mod commit;
mod config;
mod context;
mod ctx_wire;
mod debug_log;
mod dispatch_log;
mod fault;
pub mod files;
mod fit;
mod handed_in;
pub mod history;
pub mod input;
mod intent_settings;
mod invocation;
mod judgement;
pub mod manifest;
mod memo;
mod module;
pub mod modules;
mod outputs;
mod patience;
mod pipeline;
pub mod plan;
mod record;
mod recorded_input;
mod recording;
mod rejudge;
mod repeat;
pub mod replay;
mod retention;
mod run;
#[cfg(feature = "schema")]
pub mod schema;
mod sitting;
mod state;
mod steps;
mod subject;
mod unblock;
mod watchdog;

pub use action::{Action, ActionWire, Artifact, Content, Emitted, NotAnAction, Output};
pub use by_hand::ByHandError;
pub use command_reading::CommandReading;
pub use config::{AgentsSettings, Config};
pub use context::{Context, DebugLog, Ids};
pub use ctx_wire::CtxWire;
pub use fault::Fault;
pub use intent_settings::IntentSettings;
pub use invocation::{Invocation, ShellCalls};
pub use manifest::Manifest;
pub use memo::Memo;
pub use module::{Concluded, Module, ModuleFailure, Profile};
pub use patience::Patient;
pub use record::{ArtifactRecord, EventRecord, PromptRecord};
pub use rejudge::{Permission, Rejudge, Rejudged, rejudge};
pub use retention::Retention;
pub use run::run;
pub use state::{Core, State, StateFault};
pub use steps::script_file;
pub use unblock::{Unblocked, unblock};
pub use watchdog::Alarm;
