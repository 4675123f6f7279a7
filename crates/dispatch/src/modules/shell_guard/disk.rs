//! The real files, for reading scripts that a command runs.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use crate::call_folder::followed;

/// Reads ordinary files only: opening a pipe or a device could wait forever.
#[derive(Debug, Clone, Copy)]
pub struct Disk;

impl shell::Files for Disk {
    fn read(&self, path: &str, limit: usize) -> Option<Vec<u8>> {
        let is_file = std::fs::metadata(path).is_ok_and(|meta| meta.is_file());
        let file = is_file.then(|| File::open(path).ok()).flatten()?;
        let mut bytes = Vec::new();
        file.take(limit as u64).read_to_end(&mut bytes).ok()?;
        Some(bytes)
    }

    fn is_dir(&self, path: &str) -> bool {
        Path::new(path).is_dir()
    }

    fn exists(&self, path: &str) -> bool {
        Path::new(path).symlink_metadata().is_ok()
    }

    fn behind_links(&self, path: &str) -> Option<String> {
        let real = followed(Path::new(path));
        real.to_str().filter(|real| *real != path).map(str::to_owned)
    }

    fn git_share(&self, path: &str) -> Option<shell::GitShare> {
        intent::trace::git_share(Path::new(path))
    }
}
