//! Names of triggers, as `.akira/hooks.json` and `emit` spell them.

use config_file::nearest;
use event::{AbsPath, EventName};
use serde_json::{Map, Value};

use crate::limits::MAX_TRIGGER_LENGTH;
use crate::{CommitKind, Operation, SpecAgent, Timing, Trigger, What};

/// The kinds of triggers that a name alone can tell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Named {
    FileSaved,
    FileWillBeSaved,
    Commit,
    SpecStatus,
    Operation(SpecAgent, Operation, Timing),
    Host(EventName),
    Custom(String),
}

/// Why a text is no name of a trigger.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BadTriggerName {
    /// It has characters that no name has, or is too long.
    #[error("a trigger is letters, digits, `.`, `_`, `:` and `-`, 100 at most")]
    Characters,
    /// It names something of the specification agents that there is not.
    #[error("there is no such operation of a specification agent")]
    Operation,
    /// Only who sees it happen can say what it takes.
    #[error("a file has to be named with it")]
    NeedsFile,
    /// Only who sees it happen can say what it takes.
    #[error("`specId` and `newStatus` have to be in its data")]
    NeedsStatus,
}

impl Named {
    /// Reads a name; what is none of ours is the project's own.
    pub(crate) fn parse(name: &str) -> Result<Self, BadTriggerName> {
        let fits = (1..=MAX_TRIGGER_LENGTH).contains(&name.len())
            && name.bytes().all(|it| it.is_ascii_alphanumeric() || b"._:-".contains(&it));
        if !fits {
            return Err(BadTriggerName::Characters);
        }
        Ok(match name {
            Trigger::DID_SAVE | "file-save" => Self::FileSaved,
            Trigger::WILL_SAVE => Self::FileWillBeSaved,
            Trigger::GIT_COMMIT | "git-commit" => Self::Commit,
            Trigger::SPEC_STATUS | "spec-status-change" => Self::SpecStatus,
            _ => {
                if let Some(event) = EventName::from_contract(name) {
                    return Ok(Self::Host(event));
                }
                let (command, timing) = match name.rsplit_once(':') {
                    Some((command, "before")) => (command, Timing::Before),
                    Some((command, "after")) => (command, Timing::After),
                    _ => (name, Timing::After),
                };
                let is_theirs = SpecAgent::ALL
                    .iter()
                    .any(|it| name.strip_prefix(it.as_str()).is_some_and(|it| it.starts_with(['.', ':'])));
                match Operation::of_slash_command(&format!("/{command}")) {
                    Some((agent, operation)) if is_theirs => Self::Operation(agent, operation, timing),
                    _ if is_theirs => return Err(BadTriggerName::Operation),
                    _ => Self::Custom(name.to_owned()),
                }
            }
        })
    }
}

/// Returns every name that is ours, for help and for "did you mean".
pub fn known_triggers() -> Vec<String> {
    let words = [Trigger::DID_SAVE, Trigger::WILL_SAVE, Trigger::GIT_COMMIT, Trigger::SPEC_STATUS];
    let operations = SpecAgent::ALL
        .iter()
        .flat_map(|agent| Operation::ALL.iter().map(move |operation| format!("{agent}.{operation}")));
    let mut names: Vec<String> = words.map(str::to_owned).into();
    names.extend(EventName::ALL.map(|event| event.as_str().to_owned()));
    names.extend(operations);
    names
}

/// Returns the name of ours that somebody who wrote this one may have meant.
pub(crate) fn meant(name: &str) -> Option<String> {
    let known = known_triggers();
    nearest(name, known.iter().map(String::as_str)).filter(|it| *it != name).map(str::to_owned)
}

/// Returns what happened, as whoever calls `emit` tells it. `file` is relative to the workspace.
pub fn what_of(
    name: &str,
    file: Option<String>,
    data: Map<String, Value>,
    root: &AbsPath,
) -> Result<What, BadTriggerName> {
    let word = |key: &str| data.get(key).and_then(Value::as_str).map(str::to_owned);
    Ok(match Named::parse(name)? {
        Named::FileSaved => What::FileSaved { path: file.ok_or(BadTriggerName::NeedsFile)? },
        Named::FileWillBeSaved => What::FileWillBeSaved { path: file.ok_or(BadTriggerName::NeedsFile)? },
        Named::Commit => What::Commit {
            repo_root: root.join(word("repoRoot").unwrap_or_else(|| ".".to_owned())).to_string(),
            commit: word("commitHash").unwrap_or_default(),
            how: match word("commitKind").as_deref() {
                Some("amend") => CommitKind::Amend,
                Some("merge") => CommitKind::Merge,
                Some("rebase") => CommitKind::Rebase,
                _ => CommitKind::Commit,
            },
            branch: word("branch"),
        },
        Named::SpecStatus => What::SpecStatus {
            spec_id: word("specId").ok_or(BadTriggerName::NeedsStatus)?,
            path: file.ok_or(BadTriggerName::NeedsFile)?,
            old_status: word("oldStatus"),
            new_status: word("newStatus").ok_or(BadTriggerName::NeedsStatus)?,
            change_author: word("changeAuthor"),
        },
        Named::Operation(agent, operation, timing) => {
            What::Operation { agent, operation, timing, session: word("sessionId") }
        }
        Named::Host(event) => {
            What::Host { event, host: word("hostName"), session: word("sessionId"), tool: word("toolName") }
        }
        Named::Custom(name) => What::Custom { name, path: file, data },
    })
}
