//! Something that happened and may set automations off.

use std::collections::BTreeMap;
use std::fmt;

use event::EventName;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use store::Timestamp;

use crate::wire::{event_name, millis};
use crate::{Chain, OccurrenceId, Operation, SpecAgent, Timing, Trigger};

/// Something that happened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Occurrence {
    /// Its id.
    pub id: OccurrenceId,
    /// When, in milliseconds since 1970.
    #[serde(with = "millis")]
    #[cfg_attr(feature = "schema", schemars(with = "u64"))]
    pub ts: Timestamp,
    /// What it was.
    #[serde(flatten)]
    pub what: What,
    /// The automations that led to it.
    #[serde(default, skip_serializing_if = "Chain::is_empty")]
    pub chain: Chain,
    /// How often in a row the automation it is for was set off by this because it changed during its run.
    #[serde(default, skip_serializing_if = "is_first")]
    pub round: u32,
    /// What templates may say besides: `user`, `branch`, `feature`, …
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub values: BTreeMap<String, String>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands it over like this")]
const fn is_first(round: &u32) -> bool {
    *round == 0
}

/// What happened. Paths are relative to the workspace, with `/`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub enum What {
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
    /// A commit was made.
    Commit {
        /// The repository, as an absolute path.
        repo_root: String,
        /// Its hash.
        commit: String,
        /// How it came about.
        how: CommitKind,
        /// The branch it is on; none if no branch is checked out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        branch: Option<String>,
    },
    /// The status of a specification changed.
    SpecStatus {
        /// The folder's name, such as `011-custom-agent-hooks`.
        spec_id: String,
        /// The file.
        path: String,
        /// What it was; none if it had none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        old_status: Option<String>,
        /// What it is now.
        new_status: String,
        /// Who changed it, if that is known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        change_author: Option<String>,
    },
    /// An agent was asked for an operation, or is done with it.
    Operation {
        /// Whose operation.
        agent: SpecAgent,
        /// Which.
        operation: Operation,
        /// On which side of it.
        timing: Timing,
        /// The session, where one is known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        session: Option<String>,
    },
    /// An agent program fired an event.
    Host {
        /// Which.
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
    /// Somebody called `emit`.
    Custom {
        /// With which name.
        name: String,
        /// About which file.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        path: Option<String>,
        /// With which data.
        #[serde(default, skip_serializing_if = "Map::is_empty")]
        data: Map<String, Value>,
    },
}

/// How a commit came about.
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
    /// The name of what a person asked for with `automation run`.
    pub const BY_HAND: &str = "manual";

    /// Makes one that no automation led to.
    pub fn new(now: Timestamp, what: What) -> Self {
        let id = OccurrenceId::fresh(now);
        Self { id, ts: now, what, chain: Chain::default(), round: 0, values: BTreeMap::new() }
    }

    /// Returns the file it is about.
    pub fn file(&self) -> Option<&str> {
        match &self.what {
            What::FileSaved { path } | What::FileWillBeSaved { path } | What::SpecStatus { path, .. } => {
                Some(path)
            }
            What::Custom { path, .. } => path.as_deref(),
            What::Commit { .. } | What::Operation { .. } | What::Host { .. } => None,
        }
    }
}

/// The name of the trigger it meets.
impl fmt::Display for What {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::FileSaved { .. } => f.write_str(Trigger::DID_SAVE),
            Self::FileWillBeSaved { .. } => f.write_str(Trigger::WILL_SAVE),
            Self::Commit { .. } => f.write_str(Trigger::GIT_COMMIT),
            Self::SpecStatus { .. } => f.write_str(Trigger::SPEC_STATUS),
            Self::Operation { agent, operation, timing, .. } => {
                let trigger = Trigger::Operation { agent: *agent, operation: *operation, timing: *timing };
                trigger.fmt(f)
            }
            Self::Host { event, .. } => f.write_str(event.as_str()),
            Self::Custom { name, .. } => f.write_str(name),
        }
    }
}
