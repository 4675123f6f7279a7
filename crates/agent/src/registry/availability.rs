//! Whether an agent can be called right now, and why not.

use store::Timestamp;

/// What a look at an agent found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Availability {
    /// The agent's id.
    pub agent_id: String,
    /// Why it cannot be called; `None` when it can.
    pub reason: Option<Unavailable>,
    /// When it was looked at.
    pub checked_at: Timestamp,
}

/// Why an agent cannot be called.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Unavailable {
    /// Its file does not exist any more.
    FileDeleted,
    /// Its extension was removed.
    ExtensionUninstalled,
    /// The program that runs it is not there.
    CliNotInstalled,
    /// Its file is not valid any more.
    InvalidSchema,
    /// Something else.
    Unknown,
}

impl Unavailable {
    /// Every one of them.
    pub const ALL: [Self; 5] = [
        Self::FileDeleted,
        Self::ExtensionUninstalled,
        Self::CliNotInstalled,
        Self::InvalidSchema,
        Self::Unknown,
    ];

    /// Returns it as people read it.
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::FileDeleted => "its file is gone",
            Self::ExtensionUninstalled => "its extension is gone",
            Self::CliNotInstalled => "its program is not installed",
            Self::InvalidSchema => "its file is not valid",
            Self::Unknown => "it cannot be looked at",
        }
    }

    /// Returns the word used in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::FileDeleted => "FILE_DELETED",
            Self::ExtensionUninstalled => "EXTENSION_UNINSTALLED",
            Self::CliNotInstalled => "CLI_NOT_INSTALLED",
            Self::InvalidSchema => "INVALID_SCHEMA",
            Self::Unknown => "UNKNOWN",
        }
    }
}

impl Availability {
    /// Returns whether the agent can be called.
    pub fn is_available(&self) -> bool {
        self.reason.is_none()
    }
}
