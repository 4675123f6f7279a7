//! The short ids of a session's records (contract §5).
//!
//! INVARIANT: every id that becomes part of a path is built here from digits and
//! fixed letters. No id can carry text from a payload.

use std::fmt;

use crate::EventName;

/// A session: eight lower-case hex digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SessionId(u32);

impl SessionId {
    /// Creates the id from a hash of the host's session id.
    pub const fn from_hash(first_bytes: [u8; 4]) -> Self {
        Self(u32::from_be_bytes(first_bytes))
    }

    /// Parses eight digits. Returns `None` for anything else.
    pub fn parse(text: &str) -> Option<Self> {
        let plain = text.len() == 8 && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
        plain.then(|| u32::from_str_radix(text, 16).ok().map(Self)).flatten()
    }
}

impl fmt::Display for SessionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:08x}", self.0)
    }
}

/// A piece of work within a session: `w001`, `w002`, …
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct WorkId(u32);

impl WorkId {
    /// The first work of a session.
    pub const FIRST: Self = Self(1);

    /// Returns the work after this one.
    #[must_use]
    pub const fn next(self) -> Self {
        Self(self.0.saturating_add(1))
    }

    /// Parses `w` and at least three digits.
    pub fn parse(text: &str) -> Option<Self> {
        numbered(text, 'w', 3).map(Self)
    }
}

impl fmt::Display for WorkId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "w{:03}", self.0)
    }
}

/// An agent within a session: `u00` is the main one, `a01`… its subagents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AgentId(u32);

impl AgentId {
    /// The agent the person talks to.
    pub const MAIN: Self = Self(0);

    /// Returns the n-th subagent, counted from one.
    pub const fn sub(number: u32) -> Self {
        Self(number)
    }

    /// Returns the number after the letter.
    pub const fn number(self) -> u32 {
        self.0
    }

    /// Parses `u00`, or `a` and at least two digits.
    pub fn parse(text: &str) -> Option<Self> {
        if text == "u00" {
            return Some(Self::MAIN);
        }
        numbered(text, 'a', 2).filter(|number| *number > 0).map(Self)
    }
}

impl fmt::Display for AgentId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            0 => f.write_str("u00"),
            number => write!(f, "a{number:02}"),
        }
    }
}

/// The number of a turn: the count of the session's prompts.
pub type TurnId = u64;

/// One run of the dispatcher.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct RunId {
    /// The event that it answered.
    pub event: EventName,
    /// The turn of the event.
    pub turn: TurnId,
    /// The time in milliseconds since 1970.
    pub at_ms: u64,
}

impl RunId {
    /// Parses the `Display` form.
    pub fn parse(text: &str) -> Option<Self> {
        let mut parts = text.split('-');
        let event = EventName::from_contract(parts.next()?)?;
        let mut number =
            || parts.next().filter(|part| part.bytes().all(|b| b.is_ascii_digit()))?.parse().ok();
        let (turn, at_ms) = (number()?, number()?);
        parts.next().is_none().then_some(Self { event, turn, at_ms })
    }
}

impl fmt::Display for RunId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}-{}", self.event, self.turn, self.at_ms)
    }
}

fn numbered(text: &str, letter: char, at_least: usize) -> Option<u32> {
    let digits = text.strip_prefix(letter)?;
    let plain = digits.len() >= at_least && digits.bytes().all(|b| b.is_ascii_digit());
    plain.then(|| digits.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_print_as_the_contract_writes_them() {
        assert_eq!(SessionId::from_hash([0xa3, 0xf0, 0xc8, 0x12]).to_string(), "a3f0c812");
        assert_eq!(WorkId::FIRST.to_string(), "w001");
        assert_eq!(WorkId::FIRST.next().to_string(), "w002");
        assert_eq!(AgentId::MAIN.to_string(), "u00");
        assert_eq!(AgentId::sub(1).to_string(), "a01");
        let run = RunId { event: EventName::PreToolUse, turn: 14, at_ms: 1_740_700_000_123 };
        assert_eq!(run.to_string(), "PreToolUse-14-1740700000123");
    }

    #[test]
    fn ids_read_back_what_they_print_and_nothing_else() {
        assert_eq!(SessionId::parse("a3f0c812"), Some(SessionId(0xa3f0_c812)));
        for not_an_id in ["A3F0C812", "a3f0c81", "a3f0c8123", "../../..", "+3f0c812", ""] {
            assert_eq!(SessionId::parse(not_an_id), None, "{not_an_id}");
        }
        assert_eq!(WorkId::parse("w012"), Some(WorkId(12)));
        assert_eq!(WorkId::parse("w1"), None);
        assert_eq!(AgentId::parse("a07"), Some(AgentId(7)));
        assert_eq!(AgentId::parse("a00"), None);
        assert_eq!(AgentId::parse("u00"), Some(AgentId::MAIN));
        let run = RunId { event: EventName::Stop, turn: 3, at_ms: 1_740_700_000_123 };
        assert_eq!(RunId::parse("Stop-3-1740700000123"), Some(run));
        for not_a_run in ["Stop-3", "Stop-3-x", "Stop-3-1-1", "stop-3-1", "Stop-+3-1", ""] {
            assert_eq!(RunId::parse(not_a_run), None, "{not_a_run}");
        }
    }
}
