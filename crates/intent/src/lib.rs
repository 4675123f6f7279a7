//! What an agent was asked to do: which files it may write for it, and what it wrote.
//!
//! INVARIANT: nothing here prints, reads the environment or asks for the time. What is
//! deliberately absent: the hosts' names for things (paths to protect are handed in) and any
//! decision about the answer (what is found out is returned as data).

mod changes;
mod compiled;
mod context;
mod expansion;
mod file;
mod gate;
mod hash;
mod intent;
pub mod journal;
mod kept;
mod pattern;
#[cfg(feature = "schema")]
pub mod schema;
mod scope;
mod selection;
mod stale_files;
mod status;
pub mod trace;
mod unicode;
mod workspace_intents;

pub use changes::{Changes, Drift, Limits, Moment};
pub use compiled::{Compiled, LoadError, Summary};
pub use context::{active_block, choice_block};
pub use expansion::{DeclinedRequest, ExpansionRequest, ExpansionRequests, RequestError};
pub use file::{EditError, IntentsFile, Invalid, NewIntent, NotSelectable};
pub use gate::{Gate, GateDecision, Judgement, NO_INTENT, NO_INTENT_HINT, Touched};
pub use hash::{ContentHash, NotAHash};
pub use intent::{Intent, IntentId, NotAnId};
pub use kept::Sought;
pub use pattern::{BadPattern, Pattern};
pub use scope::{IgnoreFile, Located, Protected, Reach, Scope, Target, Violation, Why};
pub use selection::{Selection, SelectionError};
pub use stale_files::{STALE_FILE, Stale, StaleFiles};
pub use status::{NoSuchStep, Status};
pub use workspace_intents::{ChangeError, WorkspaceIntents};
