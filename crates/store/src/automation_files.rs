//! The files that declare the automations of a workspace, read once.
//!
//! INVARIANT: each file is read exactly once, and both the trust check and the parsers get the bytes
//! of that reading. A file that is swapped in between is neither checked nor run.

use std::collections::BTreeMap;

use event::AbsPath;
use serde_json::Value;

use crate::{FileError, Fingerprint, Workspace, fingerprint, read_text};

/// The files that declare the automations of a workspace, as one reading found them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AutomationFiles {
    akira: Named,
    gatomia: Named,
    config: Named,
    mcp: Vec<(McpFile, Named)>,
}

/// The result of reading one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileReading {
    /// The file does not exist.
    Absent,
    /// The content.
    Bytes(Vec<u8>),
    /// The file exists but cannot be read, for this reason.
    Unreadable(String),
}

/// A file with its name relative to the workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Named {
    name: String,
    reading: FileReading,
}

/// The part of a file that a user trusts and that parsers read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TrustedPart {
    /// The value of the one relevant key.
    Section(Value),
    /// The whole file: it is not plain JSON, so its parts cannot be separated.
    Whole(Vec<u8>),
}

impl AutomationFiles {
    /// Reads every file once.
    pub fn read(workspace: &Workspace) -> Self {
        Self::read_with(workspace, &mut FileReading::of)
    }

    /// Reads every file once, with this reader.
    pub(crate) fn read_with(workspace: &Workspace, read: &mut dyn FnMut(&AbsPath) -> FileReading) -> Self {
        let mut named = |path: AbsPath| Named { name: name_in(workspace, &path), reading: read(&path) };
        let (akira, gatomia) = (named(workspace.akira_file()), named(workspace.gatomia_file()));
        let config = named(workspace.config_file());
        let mcp = McpFile::ALL.iter().map(|file| (*file, named(workspace.root().child(file.path)))).collect();
        Self { akira, gatomia, config, mcp }
    }

    /// Returns `.akira/hooks.json`.
    pub const fn akira(&self) -> &FileReading {
        &self.akira.reading
    }

    /// Returns `.vscode/gatomia/hooks.json`.
    pub const fn gatomia(&self) -> &FileReading {
        &self.gatomia.reading
    }

    /// Returns `.ai/hooks/config.json`. The user trusts its section `automation`; of two equal keys, the last.
    pub const fn config(&self) -> &FileReading {
        &self.config.reading
    }

    /// Returns whether this is the name of `config.json`.
    pub(crate) fn is_config(&self, name: &str) -> bool {
        self.config.name == name
    }

    /// Returns one of these three files by its name, relative to the workspace.
    pub fn reading(&self, name: &str) -> Option<&FileReading> {
        [&self.akira, &self.gatomia, &self.config]
            .into_iter()
            .find(|it| it.name == name)
            .map(|it| &it.reading)
    }

    /// Returns the settings files that declare MCP servers, each with the part that trust covers.
    pub fn mcp_servers(&self) -> impl Iterator<Item = (McpFile, TrustedPart)> {
        self.mcp.iter().filter_map(|(file, named)| Some((*file, part(&named.reading, file.key)?)))
    }

    /// Returns the same files with other content in the file `name`, relative to the workspace.
    #[must_use]
    pub fn with(self, name: &str, content: &str) -> Self {
        self.with_reading(name, &FileReading::Bytes(content.as_bytes().to_vec()))
    }

    /// Returns the same files without the file `name`, relative to the workspace.
    #[must_use]
    pub fn without(self, name: &str) -> Self {
        self.with_reading(name, &FileReading::Absent)
    }

    fn with_reading(mut self, name: &str, reading: &FileReading) -> Self {
        for named in [&mut self.akira, &mut self.gatomia, &mut self.config] {
            if named.name == name {
                named.reading = reading.clone();
            }
        }
        self
    }

    /// Returns a value that differs whenever a text that a user trusts does.
    pub fn fingerprint(&self) -> Fingerprint {
        let parts = self.judged().into_iter().flat_map(|(name, text)| {
            let is_readable = if text.is_some() { "1" } else { "0" };
            let hash = fingerprint([text.unwrap_or_default().as_bytes()]).to_string();
            [name, is_readable.to_owned(), hash]
        });
        let parts: Vec<String> = parts.collect();
        fingerprint(parts.iter().map(String::as_bytes))
    }

    /// Returns the texts that a user trusts, by file name; `None` for a file that cannot be read.
    ///
    /// INVARIANT: every file that can start a program is included. An irrelevant change asks the user
    /// once more; an omitted file would let a program start untrusted.
    pub(crate) fn judged(&self) -> BTreeMap<String, Option<String>> {
        let mut judged = BTreeMap::new();
        for Named { name, reading } in [&self.akira, &self.gatomia] {
            match reading {
                FileReading::Absent => {}
                FileReading::Bytes(bytes) => drop(judged.insert(name.clone(), Some(text_of(bytes)))),
                FileReading::Unreadable(_) => drop(judged.insert(name.clone(), None)),
            }
        }
        let may_call = |text: &Option<String>| {
            text.as_ref().is_none_or(|text| text.contains("mcp") || text.contains("\\u"))
        };
        let calls_servers = judged.values().any(may_call);
        let mcp = self.mcp.iter().filter(|_| calls_servers).map(|(file, named)| (named, file.key));
        for (Named { name, reading }, key) in mcp.chain([(&self.config, SECTION)]) {
            let text = match (reading, part(reading, key)) {
                (FileReading::Unreadable(_), _) => None,
                (_, None) => continue,
                (_, Some(TrustedPart::Section(value))) => Some(format!("{value:#}\n")),
                (_, Some(TrustedPart::Whole(bytes))) => Some(text_of(&bytes)),
            };
            judged.insert(format!("{name} ({key})"), text);
        }
        judged
    }
}

impl FileReading {
    fn of(path: &AbsPath) -> Self {
        match read_text(path) {
            Ok(None) => Self::Absent,
            Ok(Some(bytes)) => Self::Bytes(bytes),
            Err(FileError::Read { source, .. }) => {
                Self::Unreadable(format!("cannot read the file: {source}"))
            }
            Err(error) => Self::Unreadable(error.to_string()),
        }
    }
}

/// A settings file with MCP servers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct McpFile {
    /// The path, relative to the workspace.
    pub path: &'static str,
    /// The key of the servers.
    pub key: &'static str,
}

impl McpFile {
    /// All files, in the order in which steersman looks for a server.
    pub const ALL: &[Self] = &[
        Self { path: ".mcp.json", key: "mcpServers" },
        Self { path: ".vscode/mcp.json", key: "servers" },
        Self { path: ".cursor/mcp.json", key: "mcpServers" },
        Self { path: ".gemini/settings.json", key: "mcpServers" },
    ];
}

/// The key of `config.json` with the settings of automations.
pub(crate) const SECTION: &str = "automation";

/// Returns the relevant part of a file. Returns `None` if the file does not exist or lacks the key.
fn part(reading: &FileReading, key: &str) -> Option<TrustedPart> {
    let FileReading::Bytes(bytes) = reading else { return None };
    match serde_json::from_slice::<Value>(bytes) {
        Ok(whole) => whole.get(key).cloned().map(TrustedPart::Section),
        Err(_) => Some(TrustedPart::Whole(bytes.clone())),
    }
}

/// WHY lossy: users see text. Two files that differ only in bytes that are not UTF-8 look alike, and
/// no parser accepts either.
fn text_of(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn name_in(workspace: &Workspace, path: &AbsPath) -> String {
    path.below(workspace.root()).map_or_else(|_| path.to_string(), |it| it.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Timestamp, Trust};
    use redact::Filter;

    /// A second reading of a file returns untrusted content.
    #[test]
    fn what_is_judged_and_what_is_handed_out_come_from_one_reading_of_each_file() {
        let dir = tempfile::tempdir().unwrap();
        let root = AbsPath::new(dir.path().join("project")).unwrap();
        let user_state = AbsPath::new(dir.path().join("state")).unwrap();
        let workspace = Workspace::at(root.clone());
        let good = |path: &AbsPath| {
            let text = match path.as_path().file_name().and_then(|name| name.to_str()) {
                Some("config.json") => r#"{"automation": {"runner": "good"}}"#,
                Some("mcp.json" | ".mcp.json" | "settings.json") => {
                    r#"{"mcpServers": {"good": {}}, "servers": {}}"#
                }
                _ => "good mcp",
            };
            FileReading::Bytes(text.as_bytes().to_vec())
        };
        let trusted = AutomationFiles::read_with(&workspace, &mut |path| good(path));
        let mut trust = Trust::default();
        trust
            .grant_automations(&user_state, &root, &trusted, &Filter::default(), Timestamp::from_millis(1))
            .unwrap();
        let mut n_reads = BTreeMap::new();
        let files = AutomationFiles::read_with(&workspace, &mut |path| {
            let n = n_reads.entry(path.to_string()).or_insert(0);
            *n += 1;
            if *n == 1 { good(path) } else { FileReading::Bytes(b"evil".to_vec()) }
        });
        let verified = trust.verify(&root, &files).unwrap();
        assert_eq!((verified.files(), verified.files().config()), (&trusted, trusted.config()));
        assert_eq!(verified.files().mcp_servers().count(), McpFile::ALL.len());
        assert!(n_reads.values().all(|n| *n == 1), "{n_reads:?}");
    }

    #[test]
    fn a_file_that_cannot_be_read_is_never_trusted() {
        let dir = tempfile::tempdir().unwrap();
        let root = AbsPath::new(dir.path()).unwrap();
        let workspace = Workspace::at(root.clone());
        let broken = |path: &AbsPath| {
            if path.as_path().ends_with(".akira/hooks.json") {
                FileReading::Unreadable("cannot read the file: it is a folder".to_owned())
            } else {
                FileReading::Absent
            }
        };
        let files = AutomationFiles::read_with(&workspace, &mut |path| broken(path));
        let mut trust = Trust::default();
        assert!(trust.verify(&root, &files).is_err());
        let at = Timestamp::from_millis(1);
        let granted = trust.grant_automations(&root.child("state"), &root, &files, &Filter::default(), at);
        assert!(granted.is_err() && trust.verify(&root, &files).is_err());
    }
}
