//! A session on disk: its journal, its state, and every way to read or change them.
//!
//! A hook opens the session of its event ([`OpenSession`]) and appends its lines ([`Commit`]). Commands read
//! sessions back ([`history`]) and change one on behalf of a user ([`ManualChange`]).
//!
//! INVARIANT: the journal is the truth. Every run records its patch to the state, so a snapshot that is late,
//! lost or broken can be rebuilt from the journal.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

pub mod allowance;
mod commit;
mod done_check;
pub mod history;
pub mod hold;
mod ids;
mod journal_tail;
mod manual_change;
mod open_session;
pub mod person;
pub mod record;
mod recorded_decision;
pub mod recorded_input;
mod repeat;
mod retention;
mod run_record;
mod session_fault;
pub mod shell_call;
mod state;
mod subject;
mod unblock;

pub use commit::{Commit, Committed};
pub use done_check::{CheckLine, CheckOutcome, DoneCheck};
pub use ids::Ids;
pub use journal_tail::JournalTail;
pub use manual_change::{ManualChange, ManualChangeError};
pub use open_session::{LOCK_TIMEOUT, OpenSession, fold, identity, patch_of_core, starts_turn, work_of};
pub use record::{Artifact, ArtifactRecord, Emitted, EventRecord, LineWriter, PromptRecord};
pub use recorded_decision::RecordedDecision;
pub use repeat::{RepeatKey, last_stop};
pub use retention::{Forever, Keep, Retention};
pub use run_record::{
    CutShortLine, CutShortRecord, LineDataView, LineView, ModuleReport, RunRecord, TouchView,
};
pub use session_fault::SessionFault;
pub use state::{
    Core, Hold, HoldRuling, KeptReason, KeptStops, PatchFault, State, StateFault, reason_hash, reserved_field,
};
pub use subject::{Subject, shown_path};
pub use unblock::{Unblocked, unblock};
