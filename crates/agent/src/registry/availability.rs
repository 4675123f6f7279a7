//! Whether an agent is available, and why not.

use store::Timestamp;

/// The result of an availability check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Availability {
    /// The agent's id.
    pub agent_id: String,
    /// Why it is unavailable; `None` if it is available.
    pub reason: Option<Unavailable>,
    /// When it was checked.
    pub checked_at: Timestamp,
}

/// Why an agent is unavailable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Unavailable {
    /// Its file does not exist any more.
    FileDeleted,
    /// Its extension was removed.
    ExtensionUninstalled,
    /// The program that runs it is not installed.
    CliNotInstalled,
    /// Its file is not valid any more.
    InvalidSchema,
    /// Another reason.
    Unknown,
}

impl Unavailable {
    /// All reasons.
    pub const ALL: [Self; 5] = [
        Self::FileDeleted,
        Self::ExtensionUninstalled,
        Self::CliNotInstalled,
        Self::InvalidSchema,
        Self::Unknown,
    ];

    /// Returns the reason for messages.
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::FileDeleted => "its file was deleted",
            Self::ExtensionUninstalled => "its extension was uninstalled",
            Self::CliNotInstalled => "its program is not installed",
            Self::InvalidSchema => "its file is invalid",
            Self::Unknown => "it cannot be checked",
        }
    }

    /// Returns the name used in JSON.
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
    /// Returns whether the agent is available.
    pub fn is_available(&self) -> bool {
        self.reason.is_none()
    }
}
