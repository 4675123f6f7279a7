//! Creates folders and removes files, for all crates.

use std::fs;
use std::io;
use std::path::Path;

use crate::atomic::keep_others_out;

/// Creates a folder and the missing ones above it.
#[expect(clippy::disallowed_methods, reason = "this crate writes files")]
pub fn create_folder(path: &Path) -> io::Result<()> {
    fs::create_dir_all(path)
}

/// Creates a folder that only the user may open, and the missing ones above it.
pub fn create_private_folder(path: &Path) -> io::Result<()> {
    create_folder(path)?;
    keep_others_out(path)
}

/// Removes a file. Returns `false` if it does not exist: of two processes that remove it, one gets `true`.
#[expect(clippy::disallowed_methods, reason = "this crate writes files")]
pub fn remove_file(path: &Path) -> io::Result<bool> {
    match fs::remove_file(path) {
        Ok(()) => Ok(true),
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            Ok(false)
        }
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_removed_once_and_a_folder_never() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join("a/b");
        create_folder(&folder).unwrap();
        create_folder(&folder).unwrap();
        let file = folder.join("c");
        fs::write(&file, "x").unwrap();
        assert!(!remove_file(&file.join("below")).unwrap());
        assert!(remove_file(&file).unwrap());
        assert!(!remove_file(&file).unwrap());
        assert!(remove_file(&folder).is_err());
    }
}
