//! An occurrence: an event in the workspace that may trigger automations.

mod secrets;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use event::EventName;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use store::Timestamp;

use crate::config::TriggerName;
use crate::serde_formats::{event_name, millis};
use crate::{AutomationId, Chain, OccurrenceId, Operation, SpecAgent, Timing};

/// An event that may trigger automations.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Occurrence {
    /// Its id.
    pub id: OccurrenceId,
    /// When it happened, in milliseconds since 1970.
    #[serde(with = "millis")]
    #[cfg_attr(feature = "schema", schemars(with = "u64"))]
    pub ts: Timestamp,
    /// Its kind, with the data of that kind.
    #[serde(flatten)]
    pub kind: OccurrenceKind,
    /// The automations that led to it.
    #[serde(default, skip_serializing_if = "Chain::is_empty")]
    pub chain: Chain,
    /// How often in a row a change during its own run has triggered the automation that this is for.
    #[serde(default, skip_serializing_if = "is_first")]
    pub round: u32,
    /// Further values for templates: `user`, `branch`, `feature`, …
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub values: BTreeMap<String, String>,
    /// The files of a batch; empty for an occurrence about one file or none.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub files: BTreeSet<String>,
    /// The automations whose pattern matches the file, if its name contains a secret and is not stored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub matched: Option<Vec<AutomationId>>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
const fn is_first(round: &u32) -> bool {
    *round == 0
}

/// The kind of an occurrence. Paths are relative to the workspace, with `/`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub enum OccurrenceKind {
    /// A file was saved.
    FileSaved {
        /// The file.
        path: String,
    },
    /// An editor is about to save a file.
    FileWillBeSaved {
        /// The file.
        path: String,
    },
    /// A file appeared.
    FileCreated {
        /// The file.
        path: String,
    },
    /// A file disappeared.
    FileDeleted {
        /// The file.
        path: String,
    },
    /// A file was moved or renamed.
    FileRenamed {
        /// The file under its new name.
        path: String,
        /// Its name before.
        old_path: String,
    },
    /// The time of a schedule has come.
    Scheduled {
        /// That time, in milliseconds since 1970.
        due: u64,
    },
    /// A commit was made.
    Commit {
        /// The repository, as an absolute path.
        repo_root: String,
        /// Its hash.
        commit: String,
        /// The kind of git command that made it.
        how: CommitKind,
        /// The current branch; absent if HEAD is detached.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        branch: Option<String>,
    },
    /// The status of a specification changed.
    SpecStatus {
        /// The folder's name, such as `011-custom-agent-hooks`.
        spec_id: String,
        /// The file.
        path: String,
        /// The status before; absent if the specification had no status.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        old_status: Option<String>,
        /// The new status.
        new_status: String,
        /// The author of the change, if known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        change_author: Option<String>,
    },
    /// An agent starts or has finished an operation.
    Operation {
        /// The specification agent.
        agent: SpecAgent,
        /// The operation.
        operation: Operation,
        /// Before or after it.
        timing: Timing,
        /// The session, if known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        session: Option<String>,
    },
    /// An agent program fired an event.
    Host {
        /// The event.
        #[serde(with = "event_name")]
        #[cfg_attr(feature = "schema", schemars(with = "String"))]
        event: EventName,
        /// The agent program.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        host: Option<String>,
        /// The session.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        session: Option<String>,
        /// The tool, for events about one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tool: Option<String>,
    },
    /// A user or program called `steersman emit`.
    Custom {
        /// The name given to `emit`.
        name: String,
        /// The file it is about.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        path: Option<String>,
        /// The data given to `emit`.
        #[serde(default, skip_serializing_if = "Map::is_empty")]
        data: Map<String, Value>,
    },
}

/// The kind of git command that made a commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the names are all there is to say")]
pub enum CommitKind {
    Commit,
    Amend,
    Merge,
    Rebase,
}

impl CommitKind {
    /// Every kind.
    pub const ALL: [Self; 4] = [Self::Commit, Self::Amend, Self::Merge, Self::Rebase];

    /// Returns the word used in journals and templates.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Commit => "commit",
            Self::Amend => "amend",
            Self::Merge => "merge",
            Self::Rebase => "rebase",
        }
    }
}

impl Occurrence {
    /// The name of the occurrence that `automation run` makes.
    pub const MANUAL: &str = "manual";

    /// Makes an occurrence that no automation led to.
    pub fn new(now: Timestamp, kind: OccurrenceKind) -> Self {
        let id = OccurrenceId::fresh(now);
        Self {
            id,
            ts: now,
            kind,
            chain: Chain::default(),
            round: 0,
            values: BTreeMap::new(),
            files: BTreeSet::new(),
            matched: None,
        }
    }

    /// Returns the file it is about for people: of a batch the first and the number of the others.
    pub fn shown_file(&self) -> Option<String> {
        match self.files.first() {
            Some(first) if self.files.len() > 1 => Some(format!("{first} and {} more", self.files.len() - 1)),
            Some(only) => Some(only.clone()),
            None => self.file().map(str::to_owned),
        }
    }

    /// Returns the file it is about.
    pub fn file(&self) -> Option<&str> {
        use OccurrenceKind as Kind;
        match &self.kind {
            Kind::FileSaved { path }
            | Kind::FileWillBeSaved { path }
            | Kind::FileCreated { path }
            | Kind::FileDeleted { path }
            | Kind::FileRenamed { path, .. }
            | Kind::SpecStatus { path, .. } => Some(path),
            Kind::Custom { path, .. } => path.as_deref(),
            Kind::Commit { .. } | Kind::Operation { .. } | Kind::Host { .. } | Kind::Scheduled { .. } => None,
        }
    }
}

/// The name of the trigger it meets.
impl fmt::Display for OccurrenceKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self {
            Self::FileSaved { .. } => TriggerName::FileSaved,
            Self::FileWillBeSaved { .. } => TriggerName::FileWillBeSaved,
            Self::FileCreated { .. } => TriggerName::FileCreated,
            Self::FileDeleted { .. } => TriggerName::FileDeleted,
            Self::FileRenamed { .. } => TriggerName::FileRenamed,
            Self::Scheduled { .. } => TriggerName::Schedule,
            Self::Commit { .. } => TriggerName::Commit,
            Self::SpecStatus { .. } => TriggerName::SpecStatus,
            Self::Operation { agent, operation, timing, .. } => {
                TriggerName::Operation(*agent, *operation, *timing)
            }
            Self::Host { event, .. } => TriggerName::Host(*event),
            Self::Custom { name, .. } => TriggerName::Custom(name.clone()),
        };
        name.fmt(f)
    }
}
