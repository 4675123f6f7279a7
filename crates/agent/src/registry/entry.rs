//! The registry's entry of one agent.

use config_file::Problem;
use std::path::PathBuf;

use store::Timestamp;

use super::availability::Unavailable;
use super::state::State;
use crate::definition::{Definition, Profile, ProviderName};

/// The place where an agent runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum AgentType {
    /// In the host that reads its file.
    Local,
    /// In a separate program or extension.
    Background,
}

/// The source of an agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EntrySource {
    /// A file of the project.
    File {
        /// Its path.
        path: PathBuf,
    },
    /// An editor extension.
    Extension {
        /// The extension's id: `publisher.name`.
        id: String,
    },
}

/// An agent in the registry.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// `local:…` or `extension:…`; unique.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its name, followed by its source if the name is not unique.
    pub display_name: String,
    /// Its purpose.
    pub description: Option<String>,
    /// The place where it runs.
    pub kind: AgentType,
    /// Its source.
    pub source: EntrySource,
    /// The presentation in its file.
    pub profile: Option<Profile>,
    /// The text of its file below the front matter.
    pub content: Option<String>,
    /// The program that must be installed for it.
    pub provider: Option<ProviderName>,
    /// When it was found.
    pub discovered_at: Timestamp,
    /// When it was last checked.
    pub last_validated: Option<Timestamp>,
    /// Whether it is available.
    pub state: State,
    /// Why it is unavailable, if known.
    pub reason: Option<Unavailable>,
    /// Its problems.
    pub problems: Vec<Problem>,
}

impl AgentType {
    /// Returns the name used in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Local => "local",
            Self::Background => "background",
        }
    }
}

impl EntrySource {
    /// Returns the name used in JSON.
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::File { .. } => "file",
            Self::Extension { .. } => "extension",
        }
    }

    /// Returns the suffix of a name that is not unique.
    pub(super) const fn suffix(&self) -> &'static str {
        match self {
            Self::File { .. } => " (Local)",
            Self::Extension { .. } => " (Extension)",
        }
    }
}

impl Entry {
    /// Creates the entry of an agent from a file.
    pub fn of_file(definition: &Definition, path: PathBuf, now: Timestamp) -> Self {
        let profile = definition.profile.clone();
        Self {
            id: format!("local:{}", profile.id),
            name: profile.name.clone(),
            display_name: profile.name.clone(),
            description: Some(profile.description.clone()).filter(|it| !it.is_empty()),
            kind: AgentType::Local,
            source: EntrySource::File { path },
            content: Some(definition.system_prompt.clone()),
            provider: definition.provider.as_ref().map(|it| it.name),
            profile: Some(profile),
            discovered_at: now,
            last_validated: Some(now),
            state: State::Discovering,
            reason: None,
            problems: Vec::new(),
        }
    }

    /// Moves to the state that a check leads to. A file that became invalid passes through
    /// unavailable, since no other transition leads from available to error.
    pub(super) fn settle(&mut self, reason: Option<Unavailable>) {
        let way: &[State] = match reason {
            None => &[State::Available],
            Some(Unavailable::InvalidSchema) => &[State::Unavailable, State::Error],
            Some(_) => &[State::Unavailable],
        };
        self.reason = reason;
        for state in way {
            self.state = self.state.to(*state).unwrap_or(self.state);
        }
    }
}
