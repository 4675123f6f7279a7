//! The eight effects that a verdict can have in a host.

use std::fmt;

use crate::closed_set::closed_set;

closed_set! {
    /// An effect that a host may or may not support.
    pub enum Verb {
        /// Block it: the call, the prompt, the stopping.
        Deny,
        /// Ask the user.
        Ask,
        /// Permit it without asking the user.
        Allow,
        /// Run the tool with another input.
        Rewrite,
        /// Send context to the model.
        Context,
        /// Show a message to the user.
        Message,
        /// End the agent's turn.
        EndTurn,
        /// Replace what the model reads of a tool's result.
        Replace,
    }
}

impl Verb {
    /// Returns the name used in journals and tables.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Deny => "deny",
            Self::Ask => "ask",
            Self::Allow => "allow",
            Self::Rewrite => "rewrite",
            Self::Context => "context",
            Self::Message => "message",
            Self::EndTurn => "end turn",
            Self::Replace => "replace result",
        }
    }
}

impl fmt::Display for Verb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
