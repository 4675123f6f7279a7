//! The registry as it is stored on disk and printed as JSON.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use store::{Format, FormatError, Timestamp};

use super::availability::Unavailable;
use super::entry::{AgentType, Entry, EntrySource};
use super::list::Registry;
use super::state::State;

/// The format this build writes.
pub const REGISTRY_VERSION: u64 = 1;

/// Why a snapshot cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum SnapshotError {
    /// It is not valid JSON of a registry.
    #[error("cannot parse the snapshot of the registry")]
    Broken(#[from] serde_json::Error),
    /// A newer build wrote it.
    #[error("cannot read the snapshot of the registry")]
    Format(#[from] FormatError),
}

/// The registry at one point in time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Snapshot {
    /// The format.
    pub version: u64,
    /// When it was taken, in milliseconds since 1970.
    pub last_updated: u64,
    /// The agents.
    pub agents: Vec<EntryRecord>,
}

/// One agent, with the specification's field names.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct EntryRecord {
    /// `local:…` or `extension:…`
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its name, followed by its source if the name is not unique.
    pub display_name: String,
    /// Its purpose.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// `local` or `background`
    #[serde(rename = "type")]
    pub kind: String,
    /// `file` or `extension`
    pub source: String,
    /// Its file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source_path: Option<String>,
    /// Its extension.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub extension_id: Option<String>,
    /// The fields of its file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schema: Option<Value>,
    /// When it was found, in milliseconds since 1970.
    pub discovered_at: u64,
    /// When it was last checked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_validated: Option<u64>,
    /// Whether it is available.
    pub available: bool,
    /// Its state, in capitals.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<String>,
    /// Why it is unavailable, in capitals.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unavailable_reason: Option<String>,
}

impl Snapshot {
    /// Creates a snapshot.
    pub fn of(registry: &Registry, now: Timestamp) -> Self {
        let agents = registry.iter().map(EntryRecord::of).collect();
        Self { version: REGISTRY_VERSION, last_updated: now.as_millis(), agents }
    }

    /// Parses a snapshot. Fails for a newer format.
    pub fn parse(text: &str) -> Result<Self, SnapshotError> {
        let value: Value = serde_json::from_str(text)?;
        Format(REGISTRY_VERSION).check(&value)?;
        Ok(serde_json::from_value(value)?)
    }

    /// Returns the snapshot as JSON.
    pub fn to_json(&self) -> Result<String, SnapshotError> {
        Ok(serde_json::to_string_pretty(self)?)
    }

    /// Returns the registry; skips invalid entries.
    pub fn restore(&self) -> Registry {
        let mut registry = Registry::default();
        for record in &self.agents {
            if let Some(entry) = record.restore() {
                // The first of two entries with the same id counts.
                let _taken = registry.add(entry);
            }
        }
        registry
    }
}

impl EntryRecord {
    /// Converts an entry.
    pub fn of(entry: &Entry) -> Self {
        let (source_path, extension_id) = match &entry.source {
            EntrySource::File { path } => (Some(path.to_string_lossy().into_owned()), None),
            EntrySource::Extension { id } => (None, Some(id.clone())),
        };
        Self {
            id: entry.id.clone(),
            name: entry.name.clone(),
            display_name: entry.display_name.clone(),
            description: entry.description.clone(),
            kind: entry.kind.as_str().to_owned(),
            source: entry.source.as_str().to_owned(),
            source_path,
            extension_id,
            schema: schema(entry),
            discovered_at: entry.discovered_at.as_millis(),
            last_validated: entry.last_validated.map(Timestamp::as_millis),
            available: entry.state == State::Available,
            state: Some(entry.state.as_str().to_owned()),
            unavailable_reason: entry.reason.map(|it| it.as_str().to_owned()),
        }
    }

    fn restore(&self) -> Option<Entry> {
        let (source, begins) = match (self.source.as_str(), &self.source_path, &self.extension_id) {
            ("file", Some(path), _) => (EntrySource::File { path: PathBuf::from(path) }, "local:"),
            ("extension", _, Some(id)) => (EntrySource::Extension { id: id.clone() }, "extension:"),
            _ => return None,
        };
        let has_id = self.id.strip_prefix(begins).is_some_and(crate::slug::is_slug);
        if !has_id || self.name.trim().is_empty() || self.display_name.trim().is_empty() {
            return None;
        }
        let written = State::ALL.into_iter().find(|it| Some(it.as_str()) == self.state.as_deref());
        let fallback = if self.available { State::Available } else { State::Unavailable };
        Some(Entry {
            id: self.id.clone(),
            name: self.name.clone(),
            display_name: self.display_name.clone(),
            description: self.description.clone(),
            kind: if self.kind == "background" { AgentType::Background } else { AgentType::Local },
            source,
            // The profile is read from the agent's file.
            profile: None,
            content: None,
            provider: None,
            discovered_at: Timestamp::from_millis(self.discovered_at),
            last_validated: self.last_validated.map(Timestamp::from_millis),
            state: written.unwrap_or(fallback),
            reason: Unavailable::ALL
                .into_iter()
                .find(|it| Some(it.as_str()) == self.unavailable_reason.as_deref()),
            problems: Vec::new(),
        })
    }
}

fn schema(entry: &Entry) -> Option<Value> {
    let profile = entry.profile.as_ref()?;
    let commands: Vec<Value> = profile
        .commands
        .iter()
        .map(|it| {
            let (name, description, tool) = (&it.name, &it.description, &it.tool);
            let mut command = serde_json::json!({ "name": name, "description": description, "tool": tool });
            if !it.parameters.is_empty() {
                command["parameters"] = Value::Array(it.parameters.clone());
            }
            command
        })
        .collect();
    let mut schema = serde_json::json!({
        "id": profile.id,
        "name": profile.name,
        "fullName": profile.full_name,
        "description": profile.description,
        "commands": commands,
        "resources": {
            "prompts": profile.resources.prompts,
            "skills": profile.resources.skills,
            "instructions": profile.resources.instructions,
        },
        "content": entry.content.as_deref().unwrap_or_default(),
    });
    if let Some(icon) = &profile.icon {
        schema["icon"] = Value::String(icon.clone());
    }
    Some(schema)
}
