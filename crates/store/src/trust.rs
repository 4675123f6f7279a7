//! Which workspaces a person has allowed to run code of their own.
//!
//! Kept in the user's state folder, outside every workspace: a repository must not be
//! able to vouch for itself. Trust is for a path *and* for what was there when it was
//! given; changed scripts have to be trusted anew.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use event::AbsPath;
use serde::{Deserialize, Serialize};

use crate::{Fingerprint, Format, Timestamp, Workspace, WriteError, fingerprint, plain_file, write_shared};

/// The remembered answers.
#[derive(Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Trust {
    /// The format of the file; 1.
    version: u64,
    /// What was trusted, by the folder of the workspace.
    pub(crate) workspaces: BTreeMap<String, TrustedWire>,
}

/// What was trusted in one workspace.
#[derive(Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub(crate) struct TrustedWire {
    /// The hash of all its scripts.
    scripts: String,
    /// When, in milliseconds since 1970.
    pub(crate) at: u64,
    /// The hash of each file of automations.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) automations: BTreeMap<String, String>,
    /// What its agents may start and use without asking.
    #[serde(skip_serializing_if = "Option::is_none")]
    agents: Option<String>,
}

/// Why the remembered answers could not be read or kept.
#[derive(Debug, thiserror::Error)]
pub enum TrustError {
    /// The file or a script could not be read.
    #[error("cannot read `{}`", path.display())]
    Read {
        /// Which one.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The file is not what this build writes.
    #[error("`{}` is not a trust file of this build: {why}", path.display())]
    Unusable {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// Scripts are not looked for that far down.
    #[error("`{}` is too deep down; scripts have to be nearer to `.ai/hooks`", path.display())]
    TooDeep {
        /// The folder.
        path: PathBuf,
    },
    /// The file could not be written.
    #[error(transparent)]
    Write(#[from] WriteError),
}

const FORMAT: Format = Format(1);

impl Trust {
    /// Reads the remembered answers from the user's state folder.
    pub fn load(user_state: &AbsPath) -> Result<Self, TrustError> {
        let path = file_in(user_state);
        let bytes = match plain_file::read(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Self::default()),
            Err(source) => return Err(TrustError::Read { path, source }),
            Ok(bytes) => bytes,
        };
        let unusable = |why: String| TrustError::Unusable { path: path.clone(), why };
        let value: serde_json::Value =
            serde_json::from_slice(&bytes).map_err(|error| unusable(error.to_string()))?;
        FORMAT.check(&value).map_err(|error| unusable(error.to_string()))?;
        serde_json::from_value(value).map_err(|error| unusable(error.to_string()))
    }

    /// Returns whether this workspace was trusted as it is now.
    pub fn covers(&self, workspace: &AbsPath, scripts: &Fingerprint) -> bool {
        self.workspaces.get(&workspace.to_string()).is_some_and(|known| known.scripts == scripts.to_string())
    }

    /// Returns whether this workspace was ever trusted, perhaps with other scripts.
    pub fn knows(&self, workspace: &AbsPath) -> bool {
        self.workspaces.contains_key(&workspace.to_string())
    }

    /// Remembers that a person trusts the workspace with these scripts.
    pub fn grant(&mut self, workspace: &AbsPath, scripts: &Fingerprint, at: Timestamp) {
        let entry = self.workspaces.entry(workspace.to_string()).or_default();
        entry.scripts = scripts.to_string();
        entry.at = at.as_millis();
    }

    /// Returns whether the workspace's agents were trusted with what they may start and use now.
    pub fn covers_agents(&self, workspace: &AbsPath, agents: &Fingerprint) -> bool {
        let known = self.workspaces.get(&workspace.to_string()).and_then(|known| known.agents.as_deref());
        known == Some(agents.to_string().as_str())
    }

    /// Remembers what the agents of a trusted workspace may start and use.
    pub fn grant_agents(&mut self, workspace: &AbsPath, agents: &Fingerprint) {
        if let Some(known) = self.workspaces.get_mut(&workspace.to_string()) {
            known.agents = Some(agents.to_string());
        }
    }

    /// Keeps the answers in the user's state folder.
    pub fn save(&mut self, user_state: &AbsPath) -> Result<(), TrustError> {
        self.version = FORMAT.0;
        let path = file_in(user_state);
        fs::create_dir_all(user_state.as_path())
            .map_err(|source| TrustError::Read { path: user_state.as_path().to_path_buf(), source })?;
        let text = serde_json::to_string_pretty(self).unwrap_or_default() + "\n";
        Ok(write_shared(&path, text.as_bytes())?)
    }
}

/// Returns one fingerprint of every file a workspace's scripts could be made of.
///
/// WHY every file: a script may import a file of any name, and the manifest may name one.
pub fn scripts_fingerprint(workspace: &Workspace) -> Result<Fingerprint, TrustError> {
    let hooks = workspace.hooks_dir();
    let mut files = Vec::new();
    collect_scripts(hooks.as_path(), 0, &mut files)?;
    files.sort();
    let mut parts: Vec<Vec<u8>> = Vec::with_capacity(files.len() * 2);
    for file in &files {
        let name = file.strip_prefix(hooks.as_path()).unwrap_or(file);
        parts.push(name.to_string_lossy().into_owned().into_bytes());
        let content =
            plain_file::read(file).map_err(|source| TrustError::Read { path: file.clone(), source })?;
        parts.push(fingerprint([content.as_slice()]).to_string().into_bytes());
    }
    Ok(fingerprint(parts.iter().map(Vec::as_slice)))
}

/// How deep scripts are looked for; `features/<name>/lib/x.mjs` is three.
const MAX_DEPTH: usize = 8;

fn collect_scripts(dir: &Path, depth: usize, found: &mut Vec<PathBuf>) -> Result<(), TrustError> {
    let entries = match fs::read_dir(dir) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(source) => return Err(TrustError::Read { path: dir.to_path_buf(), source }),
        Ok(entries) => entries,
    };
    for entry in entries.flatten() {
        let path = entry.path();
        let is_dir = entry.file_type().is_ok_and(|kind| kind.is_dir());
        // The settings beside the scripts are read by us and run by nobody.
        let is_setting = depth == 0 && path.extension().is_some_and(|extension| extension == "json");
        if is_dir && depth == MAX_DEPTH {
            return Err(TrustError::TooDeep { path });
        } else if is_dir {
            collect_scripts(&path, depth + 1, found)?;
        } else if !is_setting && path.is_file() {
            found.push(path);
        }
    }
    Ok(())
}

fn file_in(user_state: &AbsPath) -> PathBuf {
    user_state.child("trust.json").as_path().to_path_buf()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trust_is_for_a_place_and_for_what_was_there() {
        let dir = tempfile::tempdir().unwrap();
        let root = AbsPath::new(dir.path().join("project")).unwrap();
        let state = AbsPath::new(dir.path().join("state")).unwrap();
        let workspace = Workspace::at(root.clone());
        let script = root.join(".ai/hooks/features/x/hook.mjs");
        fs::create_dir_all(script.as_path().parent().unwrap()).unwrap();
        fs::write(script.as_path(), "export default {}").unwrap();
        let before = scripts_fingerprint(&workspace).unwrap();

        let mut trust = Trust::load(&state).unwrap();
        assert!(!trust.covers(&root, &before));
        trust.grant(&root, &before, Timestamp::from_millis(1));
        trust.save(&state).unwrap();

        let mut trust = Trust::load(&state).unwrap();
        assert!(trust.covers(&root, &before));
        fs::write(script.as_path(), "export default {changed: true}").unwrap();
        assert!(!trust.covers(&root, &scripts_fingerprint(&workspace).unwrap()));
        assert!(trust.knows(&root));
        assert!(trust.revoke(&state, &root));
        assert!(!trust.revoke(&state, &root));
    }

    #[test]
    fn no_file_a_script_could_be_made_of_is_left_out() {
        let dir = tempfile::tempdir().unwrap();
        let hooks = dir.path().join(".ai/hooks");
        let workspace = Workspace::at(AbsPath::new(dir.path()).unwrap());
        let mut known = scripts_fingerprint(&workspace).unwrap();
        for (file, counts) in [
            ("direct.mjs", true),
            ("features/x/hook.mjs", true),
            ("features/x/words.txt", true),
            ("features/x/data.json", true),
            ("a/b/c/d/e/f/g/h/deep.mjs", true),
            ("config.json", false),
            ("dispatch.manifest.json", false),
        ] {
            fs::create_dir_all(hooks.join(file).parent().unwrap()).unwrap();
            fs::write(hooks.join(file), "export default {}").unwrap();
            let now = scripts_fingerprint(&workspace).unwrap();
            assert_eq!(now != known, counts, "{file}");
            known = now;
        }
        fs::create_dir_all(hooks.join("a/b/c/d/e/f/g/h/i")).unwrap();
        assert!(scripts_fingerprint(&workspace).is_err());
    }

    #[test]
    fn a_trust_file_of_a_newer_build_is_left_alone() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("trust.json"), r#"{"version":9,"workspaces":{}}"#).unwrap();
        let error = Trust::load(&AbsPath::new(dir.path()).unwrap()).unwrap_err();
        assert!(error.to_string().contains("format 9 is newer"), "{error}");
    }
}
