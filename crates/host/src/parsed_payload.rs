//! A parsed payload, and the errors of parsing.

use event::{Event, EventName};

use crate::ReplyTarget;

/// A parsed payload.
#[derive(Debug, Clone, PartialEq)]
pub struct ParsedPayload {
    /// The data needed to answer it.
    pub target: ReplyTarget,
    /// The event.
    pub event: ParsedEvent,
}

/// The event of a payload.
#[derive(Debug, Clone, PartialEq)]
pub enum ParsedEvent {
    /// One of the eight events.
    Event(Event),
    /// The host is about to ask the user about a call.
    Permission(PermissionRequest),
    /// An event that the host has and the contract does not; the answer is empty.
    OutsideContract {
        /// The host's name of the event.
        name: String,
    },
}

/// A call about which the host is about to ask the user.
#[derive(Debug, Clone, PartialEq)]
pub struct PermissionRequest {
    /// The call, as an event before it.
    pub event: Event,
    /// Whether the host says that no rule of the user causes the question.
    pub is_merely_unlisted: bool,
}

/// Why a payload cannot be parsed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ParseError {
    /// The payload is not an object.
    #[error("the payload must be an object, not {0}")]
    NotAnObject(&'static str),
    /// Neither the payload nor the command line names an event.
    #[error("neither the payload nor the command line names an event")]
    NoEvent,
    /// An event that no known host sends.
    #[error("unknown event `{0}`")]
    UnknownEvent(String),
    /// A required field is missing.
    #[error("missing field `{field}` in {event}")]
    Missing {
        /// The event.
        event: EventName,
        /// The field, in the contract's spelling.
        field: &'static str,
    },
}
