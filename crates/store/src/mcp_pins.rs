//! The definitions of MCP servers that the user has accepted.
//!
//! The record is in the user's state folder, outside every workspace: a repository must not be able to vouch for a server
//! that it defines.

use std::collections::BTreeMap;

use event::AbsPath;
use serde::{Deserialize, Serialize};

use crate::{FileError, Fingerprint, Format, WriteError, create_folder, parse_json, read_text, write_shared};

/// The accepted definitions.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct McpPins {
    /// The format of the file; 1.
    #[serde(default)]
    version: u64,
    /// The hash of each accepted definition, by the file and the name of the server.
    #[serde(default)]
    servers: BTreeMap<String, String>,
    /// The tools that each server offered when the user accepted it: description and schema by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    tools: BTreeMap<String, BTreeMap<String, String>>,
}

/// How a definition compares with the accepted one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PinState {
    /// The user accepted it as it is.
    Accepted,
    /// The user accepted another definition of this server.
    Changed,
    /// The user accepted no definition of this server.
    New,
}

const FORMAT: Format = Format(1);

impl McpPins {
    /// Reads the file in the user's state folder.
    pub fn load(user_state: &AbsPath) -> Result<Self, FileError> {
        let path = file_in(user_state);
        let Some(text) = read_text(&path)? else { return Ok(Self::default()) };
        parse_json(path.as_path(), &text, FORMAT)
    }

    /// Compares a definition with the accepted one.
    pub fn state(&self, key: &str, definition: &Fingerprint) -> PinState {
        match self.servers.get(key) {
            None => PinState::New,
            Some(known) if *known == definition.to_string() => PinState::Accepted,
            Some(_) => PinState::Changed,
        }
    }

    /// Records that the user accepts a definition.
    pub fn accept(&mut self, key: String, definition: &Fingerprint) {
        self.servers.insert(key, definition.to_string());
    }

    /// Returns the tools that a server offered when the user accepted it; `None` if they were never listed.
    pub fn tools(&self, key: &str) -> Option<&BTreeMap<String, String>> {
        self.tools.get(key)
    }

    /// Records the tools that a server offers.
    pub fn accept_tools(&mut self, key: String, tools: BTreeMap<String, String>) {
        self.tools.insert(key, tools);
    }

    /// Writes the file.
    pub fn save(&mut self, user_state: &AbsPath) -> Result<(), WriteError> {
        self.version = FORMAT.0;
        let path = file_in(user_state);
        create_folder(user_state.as_path())
            .map_err(|source| WriteError::Write { path: user_state.as_path().to_path_buf(), source })?;
        let text = serde_json::to_string_pretty(self).unwrap_or_default() + "\n";
        write_shared(path.as_path(), text.as_bytes())
    }
}

fn file_in(user_state: &AbsPath) -> AbsPath {
    user_state.child("mcp-pins.json")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fingerprint;

    #[test]
    fn an_accepted_definition_reads_back_and_another_one_is_a_change() {
        let dir = tempfile::tempdir().unwrap();
        let state = AbsPath::new(dir.path()).unwrap().child("state");
        let (one, other) = (fingerprint([b"npx".as_slice()]), fingerprint([b"sh".as_slice()]));
        let mut pins = McpPins::load(&state).unwrap();
        assert_eq!(pins.state("f#a", &one), PinState::New);
        pins.accept("f#a".into(), &one);
        pins.accept_tools("f#a".into(), BTreeMap::from([("t".to_owned(), "{}".to_owned())]));
        pins.save(&state).unwrap();
        let pins = McpPins::load(&state).unwrap();
        assert_eq!(pins.state("f#a", &one), PinState::Accepted);
        assert_eq!(pins.state("f#a", &other), PinState::Changed);
        assert_eq!(pins.state("f#b", &one), PinState::New);
        assert_eq!(pins.tools("f#a").map(BTreeMap::len), Some(1));
    }
}
