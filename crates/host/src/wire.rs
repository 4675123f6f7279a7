//! What has to be remembered of a payload to answer it.

use std::borrow::Cow;

use event::EventName;

use crate::{Host, Moment, Protocol};

/// Who is waiting for an answer, to what, and how it spells that.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wire {
    host: Host,
    protocol: Protocol,
    moment: Moment,
    spelling: Cow<'static, str>,
}

impl Wire {
    pub(crate) const fn new(
        host: Host,
        protocol: Protocol,
        moment: Moment,
        spelling: Cow<'static, str>,
    ) -> Self {
        Self { host, protocol, moment, spelling }
    }

    /// Returns the wire of a moment that no payload has been read for. Its spelling is
    /// the protocol's usual one; an event outside the eight has none.
    pub fn of(protocol: Protocol, moment: Moment) -> Self {
        let spelling = match moment {
            Moment::Other => "",
            moment => protocol.spelling(moment).unwrap_or(""),
        };
        Self::new(protocol.host(), protocol, moment, Cow::Borrowed(spelling))
    }

    /// Returns the wire of an event that a host spells like this, such as one from a journal;
    /// the contract's own spelling stands for the host's plain event of that kind.
    pub fn spelled(host: Host, spelling: &str) -> Option<Self> {
        let spoken = |protocol: &Protocol| {
            let is_passed_on = host == Host::VsCode && *protocol == Protocol::CopilotCamel;
            protocol.host() == host || is_passed_on
        };
        let known = Protocol::ALL.into_iter().filter(spoken).find_map(|protocol| {
            let (spelling, moment) = protocol.moment(spelling)?;
            Some(Self::new(host, protocol, moment, Cow::Borrowed(spelling)))
        });
        let contract = || EventName::from_contract(spelling).map(|event| Self::of_fault(host, Some(event)));
        known.or_else(contract)
    }

    /// Returns the wire to report a fault on, when the payload could not be parsed.
    ///
    /// `event` is what the command line says, if that is an event at all.
    pub fn of_fault(host: Host, event: Option<EventName>) -> Self {
        Self::of(Protocol::usual(host), event.map_or(Moment::Other, Moment::of))
    }

    /// Returns the host that waits.
    pub const fn host(&self) -> Host {
        self.host
    }

    /// Returns which of the host's protocols it speaks.
    pub const fn protocol(&self) -> Protocol {
        self.protocol
    }

    /// Returns the kind of event it waits on.
    pub const fn moment(&self) -> Moment {
        self.moment
    }

    /// Returns the contract's event; `None` is an event outside the eight.
    pub const fn event(&self) -> Option<EventName> {
        self.moment.event()
    }

    /// Returns the event in the host's own spelling.
    pub fn spelling(&self) -> &str {
        &self.spelling
    }
}
