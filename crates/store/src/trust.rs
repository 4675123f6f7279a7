//! The workspaces that a user has allowed to run their own code.
//!
//! The record is in the user's state folder, outside every workspace: a repository must not be able
//! to vouch for itself. Trust is for a path *and* for its content at that time; changed scripts must
//! be trusted again.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::PathBuf;
use std::time::Duration;

use event::AbsPath;
use serde::{Deserialize, Serialize};

use crate::{
    Fingerprint, Format, Timestamp, WriteError, create_folder, lock_patiently, no_follow, plain_file,
    write_shared,
};

/// The recorded trust.
#[derive(Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Trust {
    /// The format of the file; 1.
    version: u64,
    /// The trusted content, by the folder of the workspace.
    pub(crate) workspaces: BTreeMap<String, TrustRecord>,
}

/// The trusted content of one workspace.
#[derive(Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub(crate) struct TrustRecord {
    /// The hash of all its scripts.
    scripts: String,
    /// When it was trusted, in milliseconds since 1970.
    pub(crate) at: u64,
    /// The hash of each automation file.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) automations: BTreeMap<String, String>,
    /// The hash of everything its agents may start and use without asking.
    #[serde(skip_serializing_if = "Option::is_none")]
    agents: Option<String>,
    /// The hashes of the validations of plans.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    validations: BTreeSet<String>,
}

/// Why trust cannot be read or recorded.
#[derive(Debug, thiserror::Error)]
pub enum TrustError {
    /// The trust file or a script cannot be read.
    #[error("cannot read `{}`", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// The trust file cannot be parsed by this build.
    #[error("cannot parse the trust file `{}`: {why}", path.display())]
    Unusable {
        /// The file.
        path: PathBuf,
        /// The reason.
        why: String,
    },
    /// A folder of scripts is too deep.
    #[error("the folder `{}` is nested too deep; hint: move its scripts closer to `.ai/hooks`", path.display())]
    TooDeep {
        /// The folder.
        path: PathBuf,
    },
    /// Other processes hold the lock of the trust file for too long.
    #[error("cannot lock `{}` within {} seconds; hint: another command changes your trust; run this one again", path.display(), LOCK_TIMEOUT.as_secs())]
    Busy {
        /// The lock.
        path: PathBuf,
    },
    /// The trust file cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
}

const FORMAT: Format = Format(1);

/// How long a command waits for others that change the trust file.
const LOCK_TIMEOUT: Duration = Duration::from_secs(10);

impl Trust {
    /// Reads the trust file in the user's state folder.
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

    /// Returns whether the workspace is trusted with these scripts.
    pub fn covers(&self, workspace: &AbsPath, scripts: &Fingerprint) -> bool {
        self.workspaces.get(&workspace.to_string()).is_some_and(|known| known.scripts == scripts.to_string())
    }

    /// Returns whether the workspace was ever trusted, perhaps with other scripts.
    pub fn knows(&self, workspace: &AbsPath) -> bool {
        self.workspaces.contains_key(&workspace.to_string())
    }

    /// Records that a user trusts the workspace with these scripts.
    pub fn grant(&mut self, workspace: &AbsPath, scripts: &Fingerprint, at: Timestamp) {
        let entry = self.workspaces.entry(workspace.to_string()).or_default();
        entry.scripts = scripts.to_string();
        entry.at = at.as_millis();
    }

    /// Returns whether the workspace's agents are trusted with everything they may start and use now.
    pub fn covers_agents(&self, workspace: &AbsPath, agents: &Fingerprint) -> bool {
        let known = self.workspaces.get(&workspace.to_string()).and_then(|known| known.agents.as_deref());
        known == Some(agents.to_string().as_str())
    }

    /// Records everything that the agents of a trusted workspace may start and use.
    pub fn grant_agents(&mut self, workspace: &AbsPath, agents: &Fingerprint) {
        if let Some(known) = self.workspaces.get_mut(&workspace.to_string()) {
            known.agents = Some(agents.to_string());
        }
    }

    /// Returns whether the workspace is trusted to run this validation of a plan.
    pub fn covers_validation(&self, workspace: &AbsPath, command: &str) -> bool {
        let known = self.workspaces.get(&workspace.to_string());
        known.is_some_and(|known| known.validations.contains(&validation_hash(command)))
    }

    /// Records the validations that `plan check` may run in a trusted workspace.
    pub fn grant_validations<'a>(
        &mut self,
        workspace: &AbsPath,
        commands: impl IntoIterator<Item = &'a str>,
    ) {
        if let Some(known) = self.workspaces.get_mut(&workspace.to_string()) {
            known.validations = commands.into_iter().map(validation_hash).collect();
        }
    }

    /// Changes the trust file in the user's state folder. The file has the trust of all workspaces, so processes that
    /// change it take turns.
    pub fn change<T>(
        user_state: &AbsPath,
        change: impl FnOnce(&mut Self) -> Result<T, TrustError>,
    ) -> Result<T, TrustError> {
        let path = user_state.child("trust.lock").as_path().to_path_buf();
        let file = create_folder(user_state.as_path())
            .and_then(|()| no_follow::options().write(true).create(true).open(&path));
        let lock = file.map_err(|source| TrustError::Read { path: path.clone(), source })?;
        if !lock_patiently(&lock, LOCK_TIMEOUT) {
            return Err(TrustError::Busy { path });
        }
        let mut trust = Self::load(user_state)?;
        let changed = change(&mut trust)?;
        trust.save(user_state)?;
        Ok(changed)
    }

    /// Writes the trust file in the user's state folder.
    pub(crate) fn save(&mut self, user_state: &AbsPath) -> Result<(), TrustError> {
        self.version = FORMAT.0;
        let path = file_in(user_state);
        create_folder(user_state.as_path())
            .map_err(|source| TrustError::Read { path: user_state.as_path().to_path_buf(), source })?;
        let text = serde_json::to_string_pretty(self).unwrap_or_default() + "\n";
        Ok(write_shared(&path, text.as_bytes())?)
    }
}

fn validation_hash(command: &str) -> String {
    crate::fingerprint([command.as_bytes()]).to_string()
}

fn file_in(user_state: &AbsPath) -> PathBuf {
    user_state.child("trust.json").as_path().to_path_buf()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::{ScriptFiles, Workspace};

    #[test]
    fn processes_that_change_the_trust_of_several_workspaces_take_turns() {
        let dir = tempfile::tempdir().unwrap();
        let state = AbsPath::new(dir.path().join("state")).unwrap();
        let root = |n: usize| AbsPath::new(dir.path().join(n.to_string())).unwrap();
        let scripts = crate::fingerprint([b"none".as_slice()]);
        std::thread::scope(|scope| {
            for n in 0..16 {
                let (state, root, scripts) = (&state, root(n), &scripts);
                scope.spawn(move || {
                    let grant = |trust: &mut Trust| {
                        trust.grant(&root, scripts, Timestamp::from_millis(1));
                        Ok(())
                    };
                    Trust::change(state, grant).unwrap();
                });
            }
        });
        let trust = Trust::load(&state).unwrap();
        assert!((0..16).all(|n| trust.covers(&root(n), &scripts)));
    }

    #[test]
    fn trust_is_for_a_place_and_for_what_was_there() {
        let dir = tempfile::tempdir().unwrap();
        let root = AbsPath::new(dir.path().join("project")).unwrap();
        let state = AbsPath::new(dir.path().join("state")).unwrap();
        let workspace = Workspace::at(root.clone());
        let script = root.join(".ai/hooks/features/x/hook.mjs");
        fs::create_dir_all(script.as_path().parent().unwrap()).unwrap();
        fs::write(script.as_path(), "export default {}").unwrap();
        let now = || ScriptFiles::read(&workspace).unwrap().fingerprint();
        let before = now();

        let mut trust = Trust::load(&state).unwrap();
        assert!(!trust.covers(&root, &before));
        trust.grant(&root, &before, Timestamp::from_millis(1));
        trust.save(&state).unwrap();

        let mut trust = Trust::load(&state).unwrap();
        assert!(trust.covers(&root, &before));
        fs::write(script.as_path(), "export default {changed: true}").unwrap();
        assert!(!trust.covers(&root, &now()));
        assert!(trust.knows(&root));
        assert!(trust.revoke(&state, &root));
        assert!(!trust.revoke(&state, &root));
    }

    #[test]
    fn a_trust_file_of_a_newer_build_is_left_alone() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("trust.json"), r#"{"version":9,"workspaces":{}}"#).unwrap();
        let error = Trust::load(&AbsPath::new(dir.path()).unwrap()).unwrap_err();
        assert!(error.to_string().contains("format 9 is newer"), "{error}");
    }
}
