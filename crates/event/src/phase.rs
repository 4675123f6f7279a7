//! How far a piece of work has come.

use std::fmt;

/// The stage of a work unit (contract §12).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Phase {
    /// Nothing was asked yet.
    #[default]
    Uninitialized,
    /// A prompt came; nothing was changed yet.
    Planning,
    /// Changes are being made.
    Executing,
    /// The work was closed.
    Complete,
    /// Something has to be mended first; lateral to the others.
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

    /// Finds the phase with exactly this spelling.
    pub fn from_contract(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|phase| phase.as_str() == name)
    }

    /// Returns the number by which the later of two phases is told.
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
