//! The failures around the modules, and the answer to each.
//!
//! INVARIANT: every fault leads to an answer on stdout, and none to a permission. A fault that leaves nothing to judge
//! is answered without a decision, or with a deny if the manifest has `"onFault": "deny"`; any other fault disables only
//! the part that failed.

use std::error::Error;

use automation::queue::QueueError;
use event::{Decision, EventName, Verdict};
use host::{Host, ParseError};
use project_config::{Manifest, manifest::OnFault};
use session::SessionFault;
use store::FileError;

use crate::input::InputFault;

/// A failure around the modules.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// The payload cannot be read.
    #[error(transparent)]
    Input(#[from] InputFault),
    /// No host matches this payload, and the command line names none.
    #[error("cannot tell which agent program sent this payload; hint: pass `--host NAME`")]
    UnknownHost,
    /// The payload does not have the shape of its host's payloads.
    #[error(transparent)]
    Payload(#[from] ParseError),
    /// The host runs hooks in folders that the agent chooses, and the payload does not identify the session.
    #[error("cannot find the workspace of this call: {} sent no session id; hint: pass `--workspace DIR`", .0.title())]
    Unbound(Host),
    /// The process crashed.
    #[error("steersman crashed")]
    Crash,
    /// Our own code panicked.
    #[error("steersman failed: {0}")]
    Panic(String),
    /// The manifest is broken.
    #[error("cannot read the manifest, using defaults: {0}")]
    Manifest(FileError),
    /// The settings are broken.
    #[error("cannot read the settings, using defaults: {0}")]
    Config(FileError),
    /// The layout file is broken.
    #[error("cannot read the layout, using the default names: {0}")]
    Layout(FileError),
    /// A part of the session cannot be read or written.
    #[error(transparent)]
    Session(SessionFault),
    /// A requested automation is not in the queue; the journal has the request.
    #[error("cannot queue an automation: {}", with_cause(.0))]
    Queue(QueueError),
}

impl Fault {
    /// Returns the warning for the user.
    pub fn warning(&self) -> String {
        format!("steersman: {self}. Run `steersman doctor` for details.")
    }

    /// Returns the event of a fault that knows it.
    pub(crate) fn event(&self) -> Option<EventName> {
        match self {
            Self::Payload(ParseError::Missing { event, .. }) => Some(*event),
            _ => None,
        }
    }

    /// Returns whether the workspace of the event is known.
    pub(crate) fn has_workspace(&self) -> bool {
        !matches!(self, Self::Unbound(_))
    }

    /// Returns the verdict for a fault that leaves nothing to judge.
    pub fn verdict(&self, event: Option<EventName>, manifest: &Manifest) -> Verdict {
        let decision = match self {
            _ if event != Some(EventName::PreToolUse) => Decision::Abstain,
            // WHY regardless of the manifest: the rules of the call's folder are not those of the workspace, and
            // the agent chose that folder.
            Self::Unbound(_) => Decision::Deny {
                reason: format!("steersman {self}. Ask the user to run `steersman doctor`."),
            },
            _ if manifest.on_fault == OnFault::Deny => Decision::Deny {
                reason: format!(
                    "steersman could not judge this call ({self}), and the manifest's `onFault` is `deny`. \
                     Ask the user to run `steersman doctor`."
                ),
            },
            _ => Decision::Abstain,
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
