//! The phase of a work unit.

use std::fmt;

/// The phase of a work unit (contract §12).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Phase {
    /// The session has received no prompt yet.
    #[default]
    Uninitialized,
    /// The session has received a prompt; no file was changed yet.
    Planning,
    /// The agent is changing files.
    Executing,
    /// The work is closed.
    Complete,
    /// A problem must be repaired first; not part of the linear order.
    Blocked,
}

impl Phase {
    /// Every phase, in order.
    pub const ALL: [Self; 5] =
        [Self::Uninitialized, Self::Planning, Self::Executing, Self::Complete, Self::Blocked];

    /// Returns the contract's spelling.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Uninitialized => "UNINITIALIZED",
            Self::Planning => "PLANNING",
            Self::Executing => "EXECUTING",
            Self::Complete => "COMPLETE",
            Self::Blocked => "BLOCKED",
        }
    }

    /// Returns the phase with exactly this spelling.
    pub fn from_contract(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|phase| phase.as_str() == name)
    }

    /// Returns the phase's rank in the linear order.
    pub const fn ordinal(self) -> u8 {
        match self {
            Self::Uninitialized => 0,
            Self::Planning => 1,
            Self::Executing => 2,
            Self::Complete => 3,
            Self::Blocked => 99,
        }
    }
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
