//! The trigger of an automation, as declared.

use std::fmt;

use event::{AbsPath, EventName};

use crate::config::TriggerName;
use crate::{FilePatterns, Operation, Schedule, SpecAgent, Timing};

/// The trigger of an automation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Trigger {
    /// A file was saved.
    FileSaved {
        /// A glob of the files; without it, all files.
        pattern: Option<FilePatterns>,
    },
    /// An editor is about to save a file; only editors know, so they call `emit`.
    FileWillBeSaved {
        /// A glob of the files; without it, all files.
        pattern: Option<FilePatterns>,
    },
    /// A file appeared.
    FileCreated {
        /// A glob of the files; without it, all files.
        pattern: Option<FilePatterns>,
    },
    /// A file disappeared.
    FileDeleted {
        /// A glob of the files; without it, all files.
        pattern: Option<FilePatterns>,
    },
    /// A file was moved or renamed.
    FileRenamed {
        /// A glob of the new names; without it, all files.
        pattern: Option<FilePatterns>,
    },
    /// A time has come.
    Schedule {
        /// Which times.
        schedule: Schedule,
    },
    /// A commit was made. This trigger needs the file's `allowGit`.
    Commit {
        /// The repository.
        repo_root: AbsPath,
    },
    /// The status of a specification changed.
    SpecStatus {
        /// A glob of the specifications; without it, all.
        pattern: Option<FilePatterns>,
    },
    /// An agent starts or has finished one of the fourteen operations.
    Operation {
        /// The specification agent.
        agent: SpecAgent,
        /// The operation.
        operation: Operation,
        /// Before or after it.
        timing: Timing,
    },
    /// An agent program fired one of its events.
    Host {
        /// The event.
        event: EventName,
    },
    /// A user or program called `emit` with this name.
    Custom {
        /// The name.
        name: String,
        /// A glob of the files; without it, occurrences about any file or about no file.
        pattern: Option<FilePatterns>,
    },
}

impl Trigger {
    /// A file was saved; this and the next three names are those of 001.
    pub const DID_SAVE: &str = "onDidSaveTextDocument";
    /// An editor is about to save.
    pub const WILL_SAVE: &str = "onWillSaveTextDocument";
    /// A commit was made.
    pub const GIT_COMMIT: &str = "gitCommit";
    /// A specification's status changed.
    pub const SPEC_STATUS: &str = "specStatusChange";
    /// A file appeared; this and the next two names are those of VS Code.
    pub const DID_CREATE: &str = "onDidCreateFiles";
    /// A file disappeared.
    pub const DID_DELETE: &str = "onDidDeleteFiles";
    /// A file was renamed.
    pub const DID_RENAME: &str = "onDidRenameFiles";
    /// A time has come.
    pub const SCHEDULE: &str = "schedule";

    /// Returns the glob of the files it is about, if it has one.
    pub fn pattern(&self) -> Option<&FilePatterns> {
        match self {
            Self::FileSaved { pattern }
            | Self::FileWillBeSaved { pattern }
            | Self::FileCreated { pattern }
            | Self::FileDeleted { pattern }
            | Self::FileRenamed { pattern }
            | Self::SpecStatus { pattern }
            | Self::Custom { pattern, .. } => pattern.as_ref(),
            Self::Commit { .. } | Self::Operation { .. } | Self::Host { .. } | Self::Schedule { .. } => None,
        }
    }

    /// Returns whether only a look at all files detects it: which of them are new, gone or renamed.
    pub const fn is_about_presence(&self) -> bool {
        matches!(self, Self::FileCreated { .. } | Self::FileDeleted { .. } | Self::FileRenamed { .. })
    }
}

/// The name used by `emit` and `.akira/hooks.json`.
impl fmt::Display for Trigger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self {
            Self::FileSaved { .. } => TriggerName::FileSaved,
            Self::FileWillBeSaved { .. } => TriggerName::FileWillBeSaved,
            Self::FileCreated { .. } => TriggerName::FileCreated,
            Self::FileDeleted { .. } => TriggerName::FileDeleted,
            Self::FileRenamed { .. } => TriggerName::FileRenamed,
            Self::Schedule { .. } => TriggerName::Schedule,
            Self::Commit { .. } => TriggerName::Commit,
            Self::SpecStatus { .. } => TriggerName::SpecStatus,
            Self::Operation { agent, operation, timing } => {
                TriggerName::Operation(*agent, *operation, *timing)
            }
            Self::Host { event } => TriggerName::Host(*event),
            Self::Custom { name, .. } => TriggerName::Custom(name.clone()),
        };
        name.fmt(f)
    }
}
