//! `.ai/memory/dropped.json`: lessons that a person does not want to see again.

use serde::{Deserialize, Serialize};
use store::Format;

/// The lessons that were dropped.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Dropped {
    /// The format of this file; 1.
    pub version: u64,
    /// The lessons, the last dropped last.
    pub dropped: Vec<DroppedLesson>,
}

/// One of them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DroppedLesson {
    /// Its id.
    pub id: String,
    /// What it said, for people who look here.
    #[serde(default)]
    pub title: String,
    /// When, in milliseconds since 1970.
    #[serde(default)]
    pub ts: u64,
}

impl Dropped {
    /// The format this build reads and writes.
    pub const FORMAT: Format = Format(1);
}
