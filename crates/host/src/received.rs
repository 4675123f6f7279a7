//! A payload, understood; or why it was not.

use event::{Event, EventName};

use crate::Wire;

/// A payload that was understood.
#[derive(Debug, Clone, PartialEq)]
pub struct Received {
    /// What is needed to answer it.
    pub wire: Wire,
    /// What it says.
    pub event: Heard,
}

/// What a payload says.
#[derive(Debug, Clone, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "there is one per process; a box would be an allocation more")]
pub enum Heard {
    /// One of the eight events.
    Event(Event),
    /// An event the host has and the contract has not; silence is the right answer.
    NotOurs {
        /// In the host's spelling.
        name: String,
    },
}

/// Why a payload could not be understood.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ParseError {
    /// The payload is a list, a number, a text or nothing.
    #[error("the payload is {0}, not an object")]
    NotAnObject(&'static str),
    /// Neither the payload nor the command line says what happened.
    #[error("neither the payload nor the command line names an event")]
    NoEvent,
    /// An event that no host is known to send.
    #[error("`{0}` is not an event any host is known to send")]
    UnknownEvent(String),
    /// What makes the event this event is not there.
    #[error("a {event} without `{field}`")]
    Missing {
        /// Which event.
        event: EventName,
        /// The field, in the spelling of the contract.
        field: &'static str,
    },
}
