//! The workspace's default intent, for every session that has not selected one.
//!
//! A user sets it with `steersman intent select`. It is stored in the state folder, which git
//! ignores: the current task is local to this machine.

use std::fs;
use std::io;
use std::path::PathBuf;

use event::AbsPath;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use store::{Format, FormatError, Timestamp, Workspace, WriteError, plain_file, write_shared};

use crate::IntentId;

/// The selected intent, with the time of the selection.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(title = "intent-selection"))]
pub struct Selection {
    /// The format of the file.
    version: u64,
    /// The intent.
    pub intent_id: IntentId,
    /// The time of the selection, in ISO 8601.
    pub since: String,
}

/// Why the selection cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum SelectionError {
    /// It exists but cannot be read.
    #[error("cannot read `{}`: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// It cannot be parsed by this build.
    #[error("cannot parse `{}`: {why}", path.display())]
    Unusable {
        /// The file.
        path: PathBuf,
        /// The reason.
        why: String,
    },
    /// A newer build wrote it.
    #[error("`{}`: {source}", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// The error.
        source: FormatError,
    },
    /// It cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// It cannot be removed, or its folder cannot be created.
    #[error("cannot change `{}`: {source}", path.display())]
    Change {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
}

const FORMAT: Format = Format(1);

/// Far larger than a selection.
const MAX_BYTES: u64 = 64 * 1024;

impl Selection {
    /// Creates a selection.
    pub fn new(intent_id: IntentId, since: Timestamp) -> Self {
        Self { version: FORMAT.0, intent_id, since: since.to_string() }
    }

    /// Reads the default of a workspace. Without one this costs a single failed `stat`. Returns
    /// `None` then.
    pub fn read(workspace: &Workspace) -> Result<Option<Self>, SelectionError> {
        let path = path_of(workspace);
        let failed = |source| SelectionError::Read { path: path.clone(), source };
        let meta = match fs::symlink_metadata(&path) {
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                return Ok(None);
            }
            other => other.map_err(failed)?,
        };
        // Opening a pipe would block until it has a writer; a link could lead to a foreign file.
        if !meta.is_file() || meta.len() > MAX_BYTES {
            let what = "not a regular file of at most 64 KiB";
            return Err(failed(io::Error::new(io::ErrorKind::InvalidInput, what)));
        }
        let bytes = plain_file::read(&path).map_err(failed)?;
        let unusable = |error: serde_json::Error| SelectionError::Unusable {
            path: path.clone(),
            why: error.to_string(),
        };
        let value: Value = serde_json::from_slice(&bytes).map_err(unusable)?;
        FORMAT.check(&value).map_err(|source| SelectionError::Format { path: path.clone(), source })?;
        serde_json::from_value(value).map(Some).map_err(unusable)
    }

    /// Makes this the default of a workspace. Does not replace a selection of a newer build.
    pub fn write(&self, workspace: &Workspace) -> Result<(), SelectionError> {
        Self::refuse_newer(workspace)?;
        let path = path_of(workspace);
        workspace.make_tmp_dir().map_err(|source| SelectionError::Change { path: path.clone(), source })?;
        let text = serde_json::to_string_pretty(self).unwrap_or_default() + "\n";
        Ok(write_shared(&path, text.as_bytes())?)
    }

    /// Removes the default of a workspace. Returns whether there was one.
    pub fn clear(workspace: &Workspace) -> Result<bool, SelectionError> {
        Self::refuse_newer(workspace)?;
        let path = path_of(workspace);
        store::remove_file(&path).map_err(|source| SelectionError::Change { path, source })
    }

    /// Fails for a file of a newer build, which may contain fields that this one would drop. A broken
    /// file may be replaced.
    fn refuse_newer(workspace: &Workspace) -> Result<(), SelectionError> {
        match Self::read(workspace) {
            Err(error @ SelectionError::Format { source: FormatError::Newer(_), .. }) => Err(error),
            _ => Ok(()),
        }
    }
}

fn path_of(workspace: &Workspace) -> PathBuf {
    let file: AbsPath = workspace.selection_file();
    file.as_path().to_path_buf()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn workspace() -> (tempfile::TempDir, Workspace) {
        let dir = tempfile::tempdir().unwrap();
        let workspace = Workspace::at(AbsPath::new(dir.path()).unwrap());
        (dir, workspace)
    }

    #[test]
    fn what_is_written_is_read_until_it_is_cleared() {
        let (dir, workspace) = workspace();
        assert_eq!(Selection::read(&workspace).unwrap(), None);
        assert!(!Selection::clear(&workspace).unwrap());
        let at = Timestamp::from_millis(1_740_700_000_123);
        let selection = Selection::new(IntentId::parse("INT-007").unwrap(), at);
        selection.write(&workspace).unwrap();
        assert_eq!(Selection::read(&workspace).unwrap().as_ref(), Some(&selection));
        let text = fs::read_to_string(dir.path().join(".ai/tmp/intent.json")).unwrap();
        assert_eq!(
            text,
            "{\n  \"version\": 1,\n  \"intentId\": \"INT-007\",\n  \"since\": \"2025-02-27T23:46:40.123Z\"\n}\n"
        );
        assert_eq!(fs::read_to_string(dir.path().join(".ai/tmp/.gitignore")).unwrap(), "*\n");
        assert!(Selection::clear(&workspace).unwrap());
        assert_eq!(Selection::read(&workspace).unwrap(), None);
    }

    #[test]
    fn a_file_of_a_newer_build_is_neither_read_nor_touched() {
        let (dir, workspace) = workspace();
        workspace.make_tmp_dir().unwrap();
        let file = dir.path().join(".ai/tmp/intent.json");
        let newer = r#"{"version":2,"intentId":"INT-001","since":"x","more":true}"#;
        fs::write(&file, newer).unwrap();
        let selection = Selection::new(IntentId::parse("INT-002").unwrap(), Timestamp::from_millis(0));
        let complaints = [
            Selection::read(&workspace).unwrap_err(),
            selection.write(&workspace).unwrap_err(),
            Selection::clear(&workspace).unwrap_err(),
        ];
        for complaint in complaints {
            assert!(complaint.to_string().contains("format 2 is newer"), "{complaint}");
        }
        assert_eq!(fs::read_to_string(&file).unwrap(), newer);
    }

    #[test]
    fn a_broken_file_is_an_error_to_read_and_can_be_replaced() {
        let (dir, workspace) = workspace();
        workspace.make_tmp_dir().unwrap();
        let file = dir.path().join(".ai/tmp/intent.json");
        for broken in ["", "{", "[]", r#"{"version":1,"intentId":"X","since":"now"}"#, r#"{"version":"1"}"#] {
            fs::write(&file, broken).unwrap();
            assert!(Selection::read(&workspace).is_err(), "{broken}");
        }
        let selection = Selection::new(IntentId::parse("INT-002").unwrap(), Timestamp::from_millis(0));
        selection.write(&workspace).unwrap();
        assert_eq!(Selection::read(&workspace).unwrap(), Some(selection));
    }

    #[cfg(unix)]
    #[test]
    fn a_link_in_its_place_is_not_followed() {
        let (dir, workspace) = workspace();
        workspace.make_tmp_dir().unwrap();
        let (elsewhere, file) = (dir.path().join("elsewhere.json"), dir.path().join(".ai/tmp/intent.json"));
        fs::write(&elsewhere, r#"{"version":1,"intentId":"INT-001","since":"x"}"#).unwrap();
        std::os::unix::fs::symlink(&elsewhere, &file).unwrap();
        assert!(matches!(Selection::read(&workspace), Err(SelectionError::Read { .. })));
    }
}
