//! What a program said in the end.

use serde::{Deserialize, Serialize};

/// What a program said.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Answer {
    /// Its last word, or all it printed where it does not tell them apart.
    pub text: String,
    /// What it says it has used.
    pub tokens: Option<Tokens>,
    /// Why it says it has failed, whatever its exit code.
    pub failure: Option<String>,
}

/// Tokens as a program counts them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Tokens {
    /// Read by the model.
    pub input: u64,
    /// Written by the model.
    pub output: u64,
}

impl Tokens {
    /// Adds others.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            input: self.input.saturating_add(other.input),
            output: self.output.saturating_add(other.output),
        }
    }
}
