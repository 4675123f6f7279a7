//! The data of a payload that its answer needs.

use std::borrow::Cow;

use event::EventName;

use crate::{EventKind, Host, Protocol};

/// The waiting host, its protocol, and the event in the host's spelling.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReplyTarget {
    host: Host,
    protocol: Protocol,
    event_kind: EventKind,
    spelling: Cow<'static, str>,
}

impl ReplyTarget {
    pub(crate) const fn new(
        host: Host,
        protocol: Protocol,
        event_kind: EventKind,
        spelling: Cow<'static, str>,
    ) -> Self {
        Self { host, protocol, event_kind, spelling }
    }

    /// Returns the target for an event kind without a payload. Its spelling is the protocol's usual one,
    /// empty for an event outside the eight.
    pub fn of(protocol: Protocol, event_kind: EventKind) -> Self {
        let spelling = match event_kind {
            EventKind::Other => "",
            event_kind => protocol.spelling(event_kind).unwrap_or(""),
        };
        Self::new(protocol.host(), protocol, event_kind, Cow::Borrowed(spelling))
    }

    /// Returns the target for an event in a host's spelling, such as one from a journal; the
    /// contract's spelling means the host's plain event of that kind.
    pub fn spelled(host: Host, spelling: &str) -> Option<Self> {
        let spoken = |protocol: &Protocol| {
            let is_passed_on = host == Host::VsCode && *protocol == Protocol::CopilotCamel;
            protocol.host() == host || is_passed_on
        };
        let known = Protocol::ALL.into_iter().filter(spoken).find_map(|protocol| {
            let (spelling, event_kind) = protocol.event_kind(spelling)?;
            Some(Self::new(host, protocol, event_kind, Cow::Borrowed(spelling)))
        });
        let contract = || EventName::from_contract(spelling).map(|event| Self::of_fault(host, Some(event)));
        known.or_else(contract)
    }

    /// Returns the target for reporting a fault, if the payload cannot be parsed.
    ///
    /// `event` is the event on the command line, if it is a valid one.
    pub fn of_fault(host: Host, event: Option<EventName>) -> Self {
        Self::of(Protocol::usual(host), event.map_or(EventKind::Other, EventKind::of))
    }

    /// Returns the waiting host.
    pub const fn host(&self) -> Host {
        self.host
    }

    /// Returns the host's protocol.
    pub const fn protocol(&self) -> Protocol {
        self.protocol
    }

    /// Returns the kind of event.
    pub const fn event_kind(&self) -> EventKind {
        self.event_kind
    }

    /// Returns the contract's event. Returns `None` for an event outside the eight.
    pub const fn event(&self) -> Option<EventName> {
        self.event_kind.event()
    }

    /// Returns the event in the host's spelling.
    pub fn spelling(&self) -> &str {
        &self.spelling
    }
}
