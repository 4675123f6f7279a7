//! A folder for the time of one measurement, removed when it goes out of scope.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// A folder for this run below the system's temporary folder.
pub(crate) struct Scratch {
    path: PathBuf,
}

impl Scratch {
    /// Makes a new, empty folder whose name starts with `purpose`.
    pub(crate) fn new(purpose: &str) -> Result<Self> {
        let mut attempt = 0;
        loop {
            let name = format!("{purpose}-{}-{attempt}", std::process::id());
            let path = std::env::temp_dir().join(name);
            match fs::create_dir(&path) {
                Ok(()) => return Ok(Self { path }),
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => attempt += 1,
                Err(error) => {
                    return Err(error).with_context(|| format!("cannot make folder `{}`", path.display()));
                }
            }
        }
    }

    /// Returns where the folder is.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // A left-over folder in the temporary folder is not worth an error.
        let _ = fs::remove_dir_all(&self.path);
    }
}
