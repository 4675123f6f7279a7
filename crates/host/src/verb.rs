//! The six things a verdict can ask of a host.

use std::fmt;

/// One thing a host may or may not be able to carry out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Verb {
    /// Stop it: the call, the prompt, the stopping.
    Deny,
    /// Let a person decide.
    Ask,
    /// Permit it without asking the person.
    Allow,
    /// Run the tool with another input.
    Rewrite,
    /// Tell the model something.
    Context,
    /// Tell the person something.
    Message,
}

impl Verb {
    /// Every verb, in the order of the capability table's columns.
    pub const ALL: [Self; 6] =
        [Self::Deny, Self::Ask, Self::Allow, Self::Rewrite, Self::Context, Self::Message];

    /// Returns the word used in journals and tables.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Deny => "deny",
            Self::Ask => "ask",
            Self::Allow => "allow",
            Self::Rewrite => "rewrite",
            Self::Context => "context",
            Self::Message => "message",
        }
    }
}

impl fmt::Display for Verb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
