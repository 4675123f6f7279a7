//! `state.json`: the state of a session, as pointers that any writer may set again.
//!
//! The journal is the truth; this is a snapshot of it. Every run records its patch, so the next writer rebuilds a
//! snapshot that is late, lost or broken from the journal.
//!
//! INVARIANT: applying patches in any order, any number of times, gives the same state for the fields that must
//! not go back. There are no counters and no arrays.

mod core;
mod hold;
mod patch;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use store::{Format, FormatError};

pub use self::core::{Core, KeptReason, KeptStops, reason_hash};
pub use self::hold::{Hold, HoldRuling};
pub use self::patch::{PatchFault, reserved_field};

/// The snapshot of a session.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct State {
    /// The format of this file; 1.
    pub version: u64,
    /// Ids, turn and phase.
    pub core: Core,
    /// The plan in force.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub plan: Map<String, Value>,
    /// The available capabilities.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub cap: Map<String, Value>,
    /// Pointers to delegated work.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub rlm: Map<String, Value>,
    /// Pointers to recorded experience.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub memory: Map<String, Value>,
    /// Pointers of the project's own modules, by module.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub features: Map<String, Value>,
}

/// Why a snapshot cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StateFault {
    /// It does not parse; the next run rebuilds it from the journal.
    #[error("cannot parse state.json: {0}")]
    Broken(String),
    /// A newer build wrote it; this one must not touch it.
    #[error("state.json: {0}")]
    Newer(FormatError),
}

impl State {
    /// The format this build reads and writes.
    pub const FORMAT: Format = Format(1);

    /// Returns the state of a new session.
    pub fn new() -> Self {
        Self { version: Self::FORMAT.0, ..Self::default() }
    }

    /// Reads a snapshot.
    pub fn parse(bytes: &[u8]) -> Result<Self, StateFault> {
        let broken = |error: serde_json::Error| StateFault::Broken(error.to_string());
        let value: Value = serde_json::from_slice(bytes).map_err(broken)?;
        if !value.is_object() {
            return Err(StateFault::Broken("not an object".into()));
        }
        match Self::FORMAT.check(&value) {
            Err(newer @ FormatError::Newer(_)) => return Err(StateFault::Newer(newer)),
            Err(other) => return Err(StateFault::Broken(other.to_string())),
            Ok(()) => {}
        }
        let mut state: Self = serde_json::from_value(value).map_err(broken)?;
        state.version = Self::FORMAT.0;
        Ok(state)
    }

    /// Returns the snapshot as the text of its file.
    pub fn to_text(&self) -> String {
        // A map of strings and numbers always serializes.
        serde_json::to_string(self).unwrap_or_default() + "\n"
    }
}
