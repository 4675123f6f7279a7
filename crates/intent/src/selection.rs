//! The workspace's default: the intent of every session that has selected none itself.
//!
//! A person sets it with `steersman intent select`. It is kept in the state folder, which git does
//! not see: which intent is worked on here and now is nobody else's business.

use std::fs;
use std::io;
use std::path::PathBuf;

use event::AbsPath;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use store::{Format, FormatError, Timestamp, Workspace, WriteError, plain_file, write_shared};

use crate::IntentId;

/// Which intent was selected, and when.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(title = "intent-selection"))]
pub struct Selection {
    /// The format of the file.
    version: u64,
    /// The intent.
    pub intent_id: IntentId,
    /// Since when, in ISO 8601.
    pub since: String,
}

/// Why the default could not be read or kept.
#[derive(Debug, thiserror::Error)]
pub enum SelectionError {
    /// It is there but cannot be read.
    #[error("cannot read `{}`: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// It is not what this build writes.
    #[error("`{}` is not a selection: {why}", path.display())]
    Unusable {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// A newer build wrote it.
    #[error("`{}`: {source}", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// What it says.
        source: FormatError,
    },
    /// It could not be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// It could not be taken away, or the folder for it could not be made.
    #[error("cannot change `{}`: {source}", path.display())]
    Change {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

const FORMAT: Format = Format(1);

/// Far more than a selection takes.
const MAX_BYTES: u64 = 64 * 1024;

impl Selection {
    /// Makes a selection.
    pub fn new(intent_id: IntentId, since: Timestamp) -> Self {
        Self { version: FORMAT.0, intent_id, since: since.to_string() }
    }

    /// Reads the default of a workspace. Without one this costs a single failed `stat`.
    pub fn read(workspace: &Workspace) -> Result<Option<Self>, SelectionError> {
        let path = path_of(workspace);
        let failed = |source| SelectionError::Read { path: path.clone(), source };
        let meta = match fs::symlink_metadata(&path) {
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                return Ok(None);
            }
            other => other.map_err(failed)?,
        };
        // Opening a pipe would wait for its writer; a link could lead to what is not ours.
        if !meta.is_file() || meta.len() > MAX_BYTES {
            let what = "not an ordinary file of at most 64 KiB";
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

    /// Makes this the default of a workspace. A default that a newer build wrote stays.
    pub fn write(&self, workspace: &Workspace) -> Result<(), SelectionError> {
        Self::refuse_newer(workspace)?;
        let path = path_of(workspace);
        workspace.make_tmp_dir().map_err(|source| SelectionError::Change { path: path.clone(), source })?;
        let text = serde_json::to_string_pretty(self).unwrap_or_default() + "\n";
        Ok(write_shared(&path, text.as_bytes())?)
    }

    /// Takes the default of a workspace away; returns whether there was one.
    pub fn clear(workspace: &Workspace) -> Result<bool, SelectionError> {
        Self::refuse_newer(workspace)?;
        let path = path_of(workspace);
        match fs::remove_file(&path) {
            Ok(()) => Ok(true),
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                Ok(false)
            }
            Err(source) => Err(SelectionError::Change { path, source }),
        }
    }

    /// A broken file may be replaced, one of a newer build may hold what this one would drop.
    fn refuse_newer(workspace: &Workspace) -> Result<(), SelectionError> {
        match Self::read(workspace) {
            Err(error @ SelectionError::Format { source: FormatError::Newer { .. }, .. }) => Err(error),
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
