//! `.ai/memory/dropped.json`: lessons that a user dropped and does not want to see again.

use serde::{Deserialize, Serialize};
use store::Format;

/// The dropped lessons.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Dropped {
    /// The format of this file; 1.
    pub version: u64,
    /// The lessons, the most recently dropped last.
    pub dropped: Vec<DroppedLesson>,
}

/// A dropped lesson.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DroppedLesson {
    /// The lesson's id.
    pub id: String,
    /// The lesson's title, for users who read the file.
    #[serde(default)]
    pub title: String,
    /// When it was dropped, in milliseconds since 1970.
    #[serde(default)]
    pub ts: u64,
}

impl Dropped {
    /// The format this build reads and writes.
    pub const FORMAT: Format = Format(1);
}
