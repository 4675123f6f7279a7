//! What a settings file says about us, for `doctor`.

use event::EventName;

use super::document::{Document, position, split_mark};
use super::edit_error::EditError;
use super::found::Found;
use crate::Host;

/// One entry of ours in a settings file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Registration {
    /// The host's spelling of the event it stands under.
    pub key: String,
    /// The event that it dispatches, if it names one.
    pub event: Option<EventName>,
    /// What its `--host` says.
    pub host: Option<Host>,
    /// The word for an event that nobody knows.
    pub unknown_event: Option<String>,
    /// What its `--host` says, if nobody knows it.
    pub unknown_host: Option<String>,
    /// The program that it starts: a bare name or a path.
    pub program: String,
    /// The whole command, as it stands there.
    pub command: String,
    /// The line it stands on, from 1.
    pub line: usize,
}

/// Lists our entries in any host's settings file, in the order of the text. Two
/// with one key are a double registration.
pub fn registrations(text: &str) -> Result<Vec<Registration>, EditError> {
    let (_, body) = split_mark(text);
    if body.trim().is_empty() {
        return Ok(Vec::new());
    }
    let document = Document::parse(body)?;
    let registration = |found: Found| Registration {
        event: found.invocation.event,
        host: found.invocation.host,
        unknown_event: found.invocation.unknown_event,
        unknown_host: found.invocation.unknown_host,
        program: found.invocation.program,
        command: found.command,
        line: position(body, found.entry.start).0,
        key: found.key,
    };
    Ok(Found::all(&document).into_iter().map(registration).collect())
}
