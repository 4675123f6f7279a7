//! The final answer of an agent program.

use serde::{Deserialize, Serialize};

/// The final answer of an agent program.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Answer {
    /// The last message, or the whole output if the program does not separate messages.
    pub text: String,
    /// The token usage that the program reports.
    pub tokens: Option<Tokens>,
    /// The failure that the program reports, whatever its exit code.
    pub failure: Option<String>,
}

/// Token usage as a program reports it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Tokens {
    /// Tokens read by the model.
    pub input: u64,
    /// Tokens written by the model.
    pub output: u64,
}

impl Tokens {
    /// Returns the sum of both.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            input: self.input.saturating_add(other.input),
            output: self.output.saturating_add(other.output),
        }
    }
}
