//! Replacing a file so that a reader sees the old content or the new, never half.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Why a file could not be replaced.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The new content could not be put beside the old.
    #[error("cannot write `{}`", path.display())]
    Write {
        /// The file beside the target.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The new content could not take the old one's place.
    #[error("cannot replace `{}`", path.display())]
    Replace {
        /// The target.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

/// Puts `content` into `path` by way of a file beside it.
///
/// The file beside it has a fixed name: callers hold a lock or are the only writer,
/// and a crash then leaves one stray file at most, which the next write takes over.
pub fn write_atomic(path: &Path, content: &[u8]) -> Result<(), WriteError> {
    let beside = beside(path);
    let put = || {
        let mut file = fs::File::create(&beside)?;
        file.write_all(content)
    };
    put().map_err(|source| {
        // A half-written file beside the target would only confuse people.
        let _ = fs::remove_file(&beside);
        WriteError::Write { path: beside.clone(), source }
    })?;
    fs::rename(&beside, path).map_err(|source| WriteError::Replace { path: path.to_path_buf(), source })
}

fn beside(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".tmp");
    PathBuf::from(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_old_content_stays_when_the_new_cannot_be_written() {
        let dir = tempfile::tempdir().unwrap();
        let target = dir.path().join("state.json");
        write_atomic(&target, b"old").unwrap();
        // A folder where the file beside it would go makes the write fail.
        fs::create_dir(dir.path().join("state.json.tmp")).unwrap();
        assert!(matches!(write_atomic(&target, b"new"), Err(WriteError::Write { .. })));
        assert_eq!(fs::read(&target).unwrap(), b"old");
    }

    #[test]
    fn nothing_is_left_beside_the_target() {
        let dir = tempfile::tempdir().unwrap();
        let target = dir.path().join("state.json");
        write_atomic(&target, b"one").unwrap();
        write_atomic(&target, b"two").unwrap();
        assert_eq!(fs::read(&target).unwrap(), b"two");
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
    }
}
