//! What sets an automation off, as declared.

use std::fmt;

use event::{AbsPath, EventName};

use crate::{Operation, SpecAgent, Timing};

/// What sets an automation off.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Trigger {
    /// A file was saved.
    FileSaved {
        /// Which files, as a glob; without it, all.
        pattern: Option<String>,
    },
    /// An editor is about to save a file; only editors know, so it comes by `emit`.
    FileWillBeSaved {
        /// Which files, as a glob; without it, all.
        pattern: Option<String>,
    },
    /// A commit was made. There is no such trigger without the file's `allowGit`.
    Commit {
        /// In which repository.
        repo_root: AbsPath,
    },
    /// The status of a specification changed.
    SpecStatus {
        /// Which specifications, as a glob; without it, all.
        pattern: Option<String>,
    },
    /// An agent was asked for one of the fourteen operations.
    Operation {
        /// Whose operation.
        agent: SpecAgent,
        /// Which.
        operation: Operation,
        /// On which side of it.
        timing: Timing,
    },
    /// An agent program fired one of its events.
    Host {
        /// Which.
        event: EventName,
    },
    /// Somebody called `emit` with this name.
    Custom {
        /// The name.
        name: String,
        /// Of which files, as a glob; without it, all, and also when there is none.
        pattern: Option<String>,
    },
}

impl Trigger {
    /// The names of 001.
    pub const DID_SAVE: &str = "onDidSaveTextDocument";
    /// An editor is about to save.
    pub const WILL_SAVE: &str = "onWillSaveTextDocument";
    /// A commit was made.
    pub const GIT_COMMIT: &str = "gitCommit";
    /// A specification's status changed.
    pub const SPEC_STATUS: &str = "specStatusChange";

    /// Returns which files it is about, if it says so.
    pub fn pattern(&self) -> Option<&str> {
        match self {
            Self::FileSaved { pattern }
            | Self::FileWillBeSaved { pattern }
            | Self::SpecStatus { pattern }
            | Self::Custom { pattern, .. } => pattern.as_deref(),
            Self::Commit { .. } | Self::Operation { .. } | Self::Host { .. } => None,
        }
    }
}

/// The name by which `emit` and `.akira/hooks.json` know it.
impl fmt::Display for Trigger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::FileSaved { .. } => f.write_str(Self::DID_SAVE),
            Self::FileWillBeSaved { .. } => f.write_str(Self::WILL_SAVE),
            Self::Commit { .. } => f.write_str(Self::GIT_COMMIT),
            Self::SpecStatus { .. } => f.write_str(Self::SPEC_STATUS),
            Self::Operation { agent, operation, timing: Timing::After } => write!(f, "{agent}.{operation}"),
            Self::Operation { agent, operation, timing: Timing::Before } => {
                write!(f, "{agent}.{operation}:before")
            }
            Self::Host { event } => f.write_str(event.as_str()),
            Self::Custom { name, .. } => f.write_str(name),
        }
    }
}
