//! All files that a workspace's scripts may consist of, read once.
//!
//! INVARIANT: the fingerprint that a user trusts and the source text that is compiled come from the
//! same bytes, so a script that is swapped after the check does not run.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use event::AbsPath;

use crate::{Fingerprint, Trust, TrustError, Workspace, fingerprint, plain_file};

/// The files below `.ai/hooks`, by their paths relative to it, as one reading found them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ScriptFiles(BTreeMap<PathBuf, Vec<u8>>);

/// Scripts that a user trusts, as they were when this was checked.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TrustedScripts(ScriptFiles);

impl ScriptFiles {
    /// Reads every file that a workspace's scripts may consist of, each once.
    ///
    /// WHY every file: a script may import a file of any name, and the manifest may name one.
    pub fn read(workspace: &Workspace) -> Result<Self, TrustError> {
        let mut read = |path: &Path| plain_file::read(path);
        Self::read_with(workspace, &mut read)
    }

    fn read_with(
        workspace: &Workspace,
        read: &mut dyn FnMut(&Path) -> io::Result<Vec<u8>>,
    ) -> Result<Self, TrustError> {
        let hooks = workspace.hooks_dir();
        let mut found = Vec::new();
        collect_scripts(hooks.as_path(), 0, &mut found)?;
        let mut files = BTreeMap::new();
        for path in found {
            let content = read(&path).map_err(|source| TrustError::Read { path: path.clone(), source })?;
            let name = path.strip_prefix(hooks.as_path()).unwrap_or(&path).to_path_buf();
            files.insert(name, content);
        }
        Ok(Self(files))
    }

    /// Returns one fingerprint of all files.
    pub fn fingerprint(&self) -> Fingerprint {
        let parts = self.0.iter().flat_map(|(name, content)| {
            let hash = fingerprint([content.as_slice()]).to_string().into_bytes();
            [name.to_string_lossy().into_owned().into_bytes(), hash]
        });
        let parts: Vec<Vec<u8>> = parts.collect();
        fingerprint(parts.iter().map(Vec::as_slice))
    }

    /// Lists the files with their content, by their paths relative to `.ai/hooks`.
    pub fn iter(&self) -> impl Iterator<Item = (&Path, &[u8])> {
        self.0.iter().map(|(path, content)| (path.as_path(), content.as_slice()))
    }

    /// Returns the same files with this content in the file `path`, relative to `.ai/hooks`.
    #[must_use]
    pub fn with(mut self, path: &Path, content: &[u8]) -> Self {
        self.0.insert(path.to_path_buf(), content.to_vec());
        self
    }
}

impl TrustedScripts {
    /// Returns the content of the file `path`, relative to `.ai/hooks`. Returns `None` if it did not
    /// exist when the scripts were checked.
    pub fn get(&self, path: &Path) -> Option<&[u8]> {
        self.0.0.get(path).map(Vec::as_slice)
    }
}

impl Trust {
    /// Returns the scripts as trusted. Returns `None` if no user has trusted them as they are.
    pub fn vouch_scripts(&self, workspace: &AbsPath, scripts: ScriptFiles) -> Option<TrustedScripts> {
        self.covers(workspace, &scripts.fingerprint()).then_some(TrustedScripts(scripts))
    }
}

/// The maximum depth of script folders; `features/<name>/lib/x.mjs` is three.
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
        if is_dir && depth == MAX_DEPTH {
            return Err(TrustError::TooDeep { path });
        } else if is_dir {
            collect_scripts(&path, depth + 1, found)?;
        } else if !is_setting(depth, &path) && path.is_file() {
            found.push(path);
        }
    }
    Ok(())
}

/// Returns whether this is a settings file next to the scripts, which only steersman reads.
fn is_setting(depth: usize, path: &Path) -> bool {
    depth == 0 && path.extension().is_some_and(|extension| extension == "json")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Timestamp;

    #[test]
    fn no_file_a_script_could_be_made_of_is_left_out() {
        let dir = tempfile::tempdir().unwrap();
        let hooks = dir.path().join(".ai/hooks");
        let workspace = Workspace::at(AbsPath::new(dir.path()).unwrap());
        let now = || ScriptFiles::read(&workspace).map(|files| files.fingerprint());
        let mut known = now().unwrap();
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
            let now = now().unwrap();
            assert_eq!(now != known, counts, "{file}");
            known = now;
        }
        fs::create_dir_all(hooks.join("a/b/c/d/e/f/g/h/i")).unwrap();
        assert!(now().is_err());
    }

    /// A second reading of a file returns untrusted content.
    #[test]
    fn what_is_judged_and_what_is_handed_out_come_from_one_reading_of_each_file() {
        let dir = tempfile::tempdir().unwrap();
        let root = AbsPath::new(dir.path()).unwrap();
        let workspace = Workspace::at(root.clone());
        let features = workspace.hooks_dir().join("features/x");
        fs::create_dir_all(features.as_path()).unwrap();
        for name in ["hook.mjs", "part.mjs"] {
            fs::write(features.join(name).as_path(), "good").unwrap();
        }
        let mut trust = Trust::default();
        let good = ScriptFiles::read(&workspace).unwrap();
        trust.grant(&root, &good.fingerprint(), Timestamp::from_millis(1));
        let mut n_reads = BTreeMap::new();
        let files = ScriptFiles::read_with(&workspace, &mut |path| {
            let n = n_reads.entry(path.to_path_buf()).or_insert(0);
            *n += 1;
            Ok(if *n == 1 { b"good".to_vec() } else { b"evil".to_vec() })
        });
        let trusted = trust.vouch_scripts(&root, files.unwrap()).unwrap();
        for name in ["features/x/hook.mjs", "features/x/part.mjs"] {
            assert_eq!(trusted.get(Path::new(name)), Some(&b"good"[..]), "{name}");
        }
        assert_eq!(trusted.get(Path::new("features/x/late.mjs")), None);
        assert_eq!(n_reads.into_values().collect::<Vec<_>>(), [1, 1]);
    }
}
