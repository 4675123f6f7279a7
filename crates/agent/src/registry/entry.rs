//! One agent as the registry has it.

use config_file::Problem;
use std::path::PathBuf;

use store::Timestamp;

use super::availability::Unavailable;
use super::state::State;
use crate::definition::{Definition, Profile, ProviderName};

/// Where an agent runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum AgentType {
    /// In the host that reads its file.
    Local,
    /// In a program or an extension of its own.
    Background,
}

/// Where an agent comes from.
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
    /// `local:…` or `extension:…`; no other entry has it.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its name, with its source where several have the name.
    pub display_name: String,
    /// What it is for.
    pub description: Option<String>,
    /// Where it runs.
    pub kind: AgentType,
    /// Where it comes from.
    pub source: EntrySource,
    /// What its file says of it.
    pub profile: Option<Profile>,
    /// The text of its file below the fields.
    pub content: Option<String>,
    /// The program that has to be installed for it.
    pub provider: Option<ProviderName>,
    /// When it was found.
    pub discovered_at: Timestamp,
    /// When it was last looked at.
    pub last_validated: Option<Timestamp>,
    /// Whether it can be used.
    pub state: State,
    /// Why it cannot be used, where that is known.
    pub reason: Option<Unavailable>,
    /// What is wrong with it.
    pub problems: Vec<Problem>,
}

impl AgentType {
    /// Returns the word used in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Local => "local",
            Self::Background => "background",
        }
    }
}

impl EntrySource {
    /// Returns the word used in JSON.
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::File { .. } => "file",
            Self::Extension { .. } => "extension",
        }
    }

    /// Returns what is put behind a name that several have.
    pub(super) const fn suffix(&self) -> &'static str {
        match self {
            Self::File { .. } => " (Local)",
            Self::Extension { .. } => " (Extension)",
        }
    }
}

impl Entry {
    /// Makes the entry of an agent from a file.
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

    /// Goes to the state that a finding leads to; a file that stopped being valid goes by way of
    /// unavailable, since nothing else leads from available to error.
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
