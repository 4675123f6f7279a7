//! Everything that can go wrong around the modules, and what is answered then.
//!
//! INVARIANT: no fault ends in silence on stdout, and none turns into a permission.
//! A fault that leaves nothing to judge is answered with no decision (or a refusal, if
//! the manifest says `"onFault": "deny"`); every other one only costs what it broke.

use std::error::Error;
use std::io;

use automation::queue::QueueError;
use event::{Decision, EventName, Verdict};
use host::ParseError;
use store::{FileError, JournalError, WriteError};

use crate::Manifest;
use crate::input::InputFault;
use crate::manifest::OnFault;
use crate::state::StateFault;

/// Something went wrong around the modules.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// There is no payload.
    #[error(transparent)]
    Input(#[from] InputFault),
    /// No host is known by this payload, and none was named.
    #[error("the payload is of no agent program that steersman knows; hint: name it with `--host`")]
    UnknownHost,
    /// The payload is not what its host sends.
    #[error(transparent)]
    Payload(#[from] ParseError),
    /// The process was about to be ended by the system.
    #[error("steersman crashed")]
    Crash,
    /// Our own code failed.
    #[error("steersman failed: {0}")]
    Panic(String),
    /// The manifest is broken; the defaults serve.
    #[error("the manifest cannot be used, the defaults serve: {0}")]
    Manifest(FileError),
    /// The settings are broken; the defaults serve.
    #[error("the settings cannot be used, the defaults serve: {0}")]
    Config(FileError),
    /// The layout file is broken; the usual names serve.
    #[error("the layout cannot be used, the usual names serve: {0}")]
    Layout(FileError),
    /// The snapshot is broken or newer.
    #[error(transparent)]
    State(StateFault),
    /// The snapshot cannot be read.
    #[error("state.json cannot be read: {0}")]
    StateUnreadable(io::Error),
    /// The snapshot cannot be written; the journal has everything.
    #[error("{}", with_cause(.0))]
    StateUnwritable(WriteError),
    /// An automation that was asked for is not in its queue; the journal has the request.
    #[error("an automation could not be queued: {}", with_cause(.0))]
    Queue(QueueError),
    /// The session's folder cannot be made.
    #[error("nothing can be recorded: {0}")]
    Unwritable(String),
    /// The journal cannot be used.
    #[error("nothing can be recorded: {}", with_cause(.0))]
    Journal(JournalError),
}

impl Fault {
    /// Returns what to tell the person.
    pub fn warning(&self) -> String {
        format!("steersman: {self}. Run `steersman doctor` for the whole story.")
    }

    /// Returns the event the fault is about, if it knows.
    pub(crate) fn event(&self) -> Option<EventName> {
        match self {
            Self::Payload(ParseError::Missing { event, .. }) => Some(*event),
            _ => None,
        }
    }

    /// Returns the verdict for a fault that left nothing to judge.
    pub fn verdict(&self, event: Option<EventName>, manifest: &Manifest) -> Verdict {
        let denies = manifest.on_fault == OnFault::Deny && event == Some(EventName::PreToolUse);
        let decision = if denies {
            Decision::Deny {
                reason: format!(
                    "steersman could not judge this call ({self}), and the manifest's `onFault` is `deny`. \
                     Ask the person to run `steersman doctor`."
                ),
            }
        } else {
            Decision::Abstain
        };
        Verdict { decision, warnings: vec![self.warning()], ..Verdict::silence() }
    }
}

fn with_cause(error: &dyn Error) -> String {
    match error.source() {
        Some(cause) => format!("{error}: {cause}"),
        None => error.to_string(),
    }
}
