//! Our entries in a settings file, for `doctor`.

use config_file::Position;
use event::EventName;

use super::document::{Document, split_mark};
use super::edit_error::EditError;
use super::hooks_toml;
use super::own_entry::OwnEntry;
use super::server::Form;
use crate::Host;

/// One of our entries in a settings file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Registration {
    /// The host's name of the event.
    pub key: String,
    /// The event that it dispatches, if it names one.
    pub event: Option<EventName>,
    /// The value of its `--host`.
    pub host: Option<Host>,
    /// The host's timeout that its command names, in seconds: how long the hook may wait for a person.
    pub waits: Option<u64>,
    /// The host's timeout that the entry has, in the host's unit.
    pub timeout: Option<u64>,
    /// The name of an unknown event.
    pub unknown_event: Option<String>,
    /// The value of `--host`, if it is unknown.
    pub unknown_host: Option<String>,
    /// The program that it starts: a bare name or a path.
    pub program: String,
    /// The whole command, as written.
    pub command: String,
    /// Its line, from 1.
    pub line: usize,
}

/// Lists our entries in a settings file of this syntax.
pub fn registrations_in(form: Form, text: &str) -> Result<Vec<Registration>, EditError> {
    match form {
        Form::Json => registrations(text),
        Form::Toml => hooks_toml::registrations(text),
    }
}

/// Lists our entries in any host's JSON settings file, in the order of the text. Two entries with the same
/// key are a duplicate registration.
pub fn registrations(text: &str) -> Result<Vec<Registration>, EditError> {
    let (_, body) = split_mark(text);
    if body.trim().is_empty() {
        return Ok(Vec::new());
    }
    let document = Document::parse(body)?;
    let registration = |found: OwnEntry| Registration {
        event: found.parsed.event,
        host: found.parsed.host,
        waits: found.parsed.timeout,
        timeout: found.timeout.and_then(|range| body[range.start..range.end].parse().ok()),
        unknown_event: found.parsed.unknown_event,
        unknown_host: found.parsed.unknown_host,
        program: found.parsed.program,
        command: found.command,
        line: Position::of_byte(body, found.entry.start).line,
        key: found.key,
    };
    Ok(OwnEntry::all(&document).into_iter().map(registration).collect())
}
