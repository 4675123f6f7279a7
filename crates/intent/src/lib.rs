//! Intents: declared tasks of agents, the files they may write, and the trace of their writes.
//!
//! INVARIANT: this crate does not print, read the environment or read the clock. Deliberately absent:
//! names specific to hosts (the caller passes the paths to protect) and decisions about the answer
//! (results are returned as data).

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod changes;
mod compiled_intents;
mod context;
mod criterion;
mod expansion;
mod file;
mod gate;
mod hash;
mod intent;
mod intent_cache;
pub mod journal;
mod pattern;
#[cfg(feature = "schema")]
pub mod schema;
mod scope;
mod selection;
mod source_place;
mod stale_files;
mod status;
pub mod trace;
mod unicode;
mod workspace_intents;

pub use changes::{
    Baseline, Changes, Coverage, Drift, FileSystemTime, FolderRecord, LeftChanges, Limits, OpenSince,
    OwnFiles, ScanStart, Watched,
};
pub use compiled_intents::{CompiledIntents, LoadError, Summary};
pub use context::{active_block, choice_block};
pub use criterion::Criterion;
pub use expansion::{DeclinedRequest, ExpansionRequest, ExpansionRequests, RequestError};
pub use file::{EditError, IntentsFile, Invalid, NewIntent, NotSelectable};
pub use gate::{Gate, GateDecision, GateJudgement, NO_INTENT, NO_INTENT_HINT, Touched, makes_temp_file};
pub use hash::{ContentHash, InvalidHash, MAX_HASHED};
pub use intent::{Intent, IntentId, InvalidIntentId};
pub use intent_cache::IntentLookup;
pub use pattern::{BadPattern, Pattern};
pub use scope::{
    IgnoreFile, Located, Protected, Reach, Scope, Target, Violation, ViolationReason, WritablePaths,
    real_path,
};
pub use selection::{Selection, SelectionError};
pub use stale_files::{STALE_FILE, Stale, StaleFiles};
pub use status::{InvalidTransition, Status};
pub use workspace_intents::{ChangeError, WorkspaceIntents};
