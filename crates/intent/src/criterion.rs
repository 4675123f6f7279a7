//! A criterion for the completion of an intent.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A criterion for the completion of an intent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Criterion {
    /// A sentence, which a reader judges.
    Text(String),
    /// A command, which steersman can run.
    Run {
        /// The command line; the criterion holds if it exits with 0.
        run: String,
    },
}

impl Criterion {
    /// Returns the command line; `None` for a sentence.
    pub fn command(&self) -> Option<&str> {
        match self {
            Self::Text(_) => None,
            Self::Run { run } => Some(run),
        }
    }
}

impl fmt::Display for Criterion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => f.write_str(text),
            Self::Run { run } => write!(f, "`{run}` exits with 0"),
        }
    }
}
