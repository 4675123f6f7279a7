//! The names of triggers in `.akira/hooks.json` and for `emit`.

use std::fmt;

use config_file::nearest;
use event::{AbsPath, EventName};
use serde_json::{Map, Value};

use crate::limits::MAX_TRIGGER_LENGTH;
use crate::{CommitKind, OccurrenceKind, Operation, SpecAgent, Timing, Trigger};

/// A trigger that one word names.
struct TriggerWord {
    /// The name in help and suggestions.
    name: &'static str,
    /// The name in templates, if it differs.
    short: Option<&'static str>,
    trigger: TriggerName,
}

/// Declares the triggers that one word names together with their words, so that none lacks its word.
macro_rules! trigger_words {
    ($($variant:ident = $name:expr, $short:expr;)*) => {
        /// A trigger as far as its name determines it.
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub(crate) enum TriggerName {
            $($variant,)*
            Operation(SpecAgent, Operation, Timing),
            Host(EventName),
            Custom(String),
        }

        const WORDS: &[TriggerWord] =
            &[$(TriggerWord { name: $name, short: $short, trigger: TriggerName::$variant },)*];

        impl fmt::Display for TriggerName {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self {
                    $(Self::$variant => f.write_str($name),)*
                    Self::Operation(agent, operation, Timing::After) => write!(f, "{agent}.{operation}"),
                    Self::Operation(agent, operation, Timing::Before) => {
                        write!(f, "{agent}.{operation}:before")
                    }
                    Self::Host(event) => f.write_str(event.as_str()),
                    Self::Custom(name) => f.write_str(name),
                }
            }
        }
    };
}

trigger_words! {
    FileSaved = Trigger::DID_SAVE, Some("file-save");
    FileWillBeSaved = Trigger::WILL_SAVE, None;
    FileCreated = Trigger::DID_CREATE, Some("file-create");
    FileDeleted = Trigger::DID_DELETE, Some("file-delete");
    FileRenamed = Trigger::DID_RENAME, Some("file-rename");
    Schedule = Trigger::SCHEDULE, None;
    Commit = Trigger::GIT_COMMIT, Some("git-commit");
    SpecStatus = Trigger::SPEC_STATUS, Some("spec-status-change");
}

/// Why a trigger cannot be emitted under this name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BadTriggerName {
    /// It has invalid characters or is too long.
    #[error("a trigger name has at most 100 characters: letters, digits, `.`, `_`, `:` and `-`")]
    Characters,
    /// It names an unknown operation of a specification agent.
    #[error("unknown operation of a specification agent")]
    Operation,
    /// The trigger is about a file, but no file was passed.
    #[error("this trigger needs a file")]
    NeedsFile,
    /// Only the clock triggers it.
    #[error("only a server triggers this, at the times of `every` or `cron`")]
    OnlyByClock,
    /// The trigger is about a specification's status, but its data lacks the specification or the status.
    #[error("this trigger needs `specId` and `newStatus` in its data")]
    NeedsStatus,
}

impl TriggerName {
    /// Parses a name. A name that steersman does not know is a custom trigger of the project.
    pub(crate) fn parse(name: &str) -> Result<Self, BadTriggerName> {
        let fits = (1..=MAX_TRIGGER_LENGTH).contains(&name.len())
            && name.bytes().all(|it| it.is_ascii_alphanumeric() || b"._:-".contains(&it));
        if !fits {
            return Err(BadTriggerName::Characters);
        }
        if let Some(word) = WORDS.iter().find(|word| word.name == name || word.short == Some(name)) {
            return Ok(word.trigger.clone());
        }
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
            Some((agent, operation)) if is_theirs => Ok(Self::Operation(agent, operation, timing)),
            _ if is_theirs => Err(BadTriggerName::Operation),
            _ => Ok(Self::Custom(name.to_owned())),
        }
    }

    /// Returns whether the trigger is about files, so that a pattern can narrow it.
    pub(crate) const fn takes_pattern(&self) -> bool {
        match self {
            Self::FileSaved
            | Self::FileWillBeSaved
            | Self::FileCreated
            | Self::FileDeleted
            | Self::FileRenamed
            | Self::SpecStatus
            | Self::Custom(_) => true,
            Self::Commit | Self::Operation(..) | Self::Host(_) | Self::Schedule => false,
        }
    }
}

/// Returns every built-in name, for help and for "did you mean".
pub fn known_triggers() -> Vec<String> {
    let operations = SpecAgent::ALL
        .iter()
        .flat_map(|agent| Operation::ALL.iter().map(move |operation| format!("{agent}.{operation}")));
    let mut names: Vec<String> = WORDS.iter().map(|word| word.name.to_owned()).collect();
    names.extend(EventName::ALL.map(|event| event.as_str().to_owned()));
    names.extend(operations);
    names
}

/// The names that other programs give to our triggers, in lower case without separators.
const NAMES_ELSEWHERE: &[(&str, &[&str])] = &[
    (
        Trigger::DID_SAVE,
        &[
            "onsave",
            "save",
            "saved",
            "filesaved",
            "filesave",
            "onfilesave",
            "fileedited",
            "filechanged",
            "ondidsave",
        ],
    ),
    (
        Trigger::DID_CREATE,
        &["filecreated", "filecreate", "oncreate", "created", "onfilecreated", "fileadded"],
    ),
    (
        Trigger::DID_DELETE,
        &["filedeleted", "filedelete", "ondelete", "deleted", "onfiledeleted", "fileremoved"],
    ),
    (Trigger::DID_RENAME, &["filerenamed", "filerename", "onrename", "renamed", "filemoved"]),
    (Trigger::SCHEDULE, &["cron", "every", "timer", "scheduled", "onschedule", "interval"]),
    (Trigger::WILL_SAVE, &["beforesave", "onbeforesave", "onwillsave", "presave"]),
    (Trigger::GIT_COMMIT, &["commit", "oncommit", "postcommit", "precommit", "ongitcommit"]),
    (Trigger::SPEC_STATUS, &["specstatus", "onspecstatus", "specchanged", "statuschange"]),
];

/// Returns the built-in name that a user probably meant: the one most similar to a misspelled name, or ours
/// for the name that another program uses.
pub(crate) fn meant(name: &str) -> Option<String> {
    let plain: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
    let plain = plain.to_ascii_lowercase();
    if let Some((ours, _)) = NAMES_ELSEWHERE.iter().find(|(_, theirs)| theirs.contains(&plain.as_str())) {
        return Some((*ours).to_owned());
    }
    let known = known_triggers();
    nearest(name, known.iter().map(String::as_str)).filter(|it| *it != name).map(str::to_owned)
}

/// Returns the kind of an emitted occurrence. `file` is relative to the workspace.
pub fn emitted_kind(
    name: &str,
    file: Option<String>,
    data: Map<String, Value>,
    root: &AbsPath,
) -> Result<OccurrenceKind, BadTriggerName> {
    let word = |key: &str| data.get(key).and_then(Value::as_str).map(str::to_owned);
    Ok(match TriggerName::parse(name)? {
        TriggerName::FileSaved => OccurrenceKind::FileSaved { path: file.ok_or(BadTriggerName::NeedsFile)? },
        TriggerName::FileWillBeSaved => {
            OccurrenceKind::FileWillBeSaved { path: file.ok_or(BadTriggerName::NeedsFile)? }
        }
        TriggerName::FileCreated => {
            OccurrenceKind::FileCreated { path: file.ok_or(BadTriggerName::NeedsFile)? }
        }
        TriggerName::FileDeleted => {
            OccurrenceKind::FileDeleted { path: file.ok_or(BadTriggerName::NeedsFile)? }
        }
        TriggerName::FileRenamed => OccurrenceKind::FileRenamed {
            path: file.ok_or(BadTriggerName::NeedsFile)?,
            old_path: word("oldFilePath").unwrap_or_default(),
        },
        TriggerName::Schedule => return Err(BadTriggerName::OnlyByClock),
        TriggerName::Commit => OccurrenceKind::Commit {
            repo_root: root.join(word("repoRoot").unwrap_or_else(|| ".".to_owned())).to_string(),
            commit: word("commitHash").unwrap_or_default(),
            how: word("commitKind")
                .and_then(|word| CommitKind::ALL.into_iter().find(|kind| kind.as_str() == word))
                .unwrap_or(CommitKind::Commit),
            branch: word("branch"),
        },
        TriggerName::SpecStatus => OccurrenceKind::SpecStatus {
            spec_id: word("specId").ok_or(BadTriggerName::NeedsStatus)?,
            path: file.ok_or(BadTriggerName::NeedsFile)?,
            old_status: word("oldStatus"),
            new_status: word("newStatus").ok_or(BadTriggerName::NeedsStatus)?,
            change_author: word("changeAuthor"),
        },
        TriggerName::Operation(agent, operation, timing) => {
            OccurrenceKind::Operation { agent, operation, timing, session: word("sessionId") }
        }
        TriggerName::Host(event) => OccurrenceKind::Host {
            event,
            host: word("hostName"),
            session: word("sessionId"),
            tool: word("toolName"),
        },
        TriggerName::Custom(name) => OccurrenceKind::Custom { name, path: file, data },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_documentation_describes_every_trigger() {
        let page = include_str!("../../../../docs/automations.md");
        let words = WORDS.iter().flat_map(|word| std::iter::once(word.name).chain(word.short));
        for name in words.chain(EventName::ALL.map(EventName::as_str)) {
            assert!(page.contains(&format!("`{name}`")), "docs/automations.md lacks the trigger `{name}`");
        }
    }
}
