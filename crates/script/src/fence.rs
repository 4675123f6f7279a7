//! A folder that paths may not lead out of.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

/// A folder, with all links in its own path followed.
#[derive(Debug)]
pub(crate) struct Fence {
    root: PathBuf,
}

/// Why a path is not let through.
#[derive(Debug)]
pub(crate) enum Refusal {
    /// With its links followed it is not below the folder.
    Outside,
    /// The system could not say.
    Io(io::Error),
}

/// Why a file's content is not handed out.
#[derive(Debug)]
pub(crate) enum ReadRefusal {
    TooLarge,
    /// A folder.
    Folder,
    Io(io::Error),
}

impl Fence {
    pub(crate) fn around(folder: &Path) -> io::Result<Self> {
        Ok(Self { root: fs::canonicalize(folder)? })
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// Returns the real path of `path` (relative to the folder, or absolute) if it is inside.
    ///
    /// Existence outside is not told: a path that leaves lexically is `Outside` whether or
    /// not it is there.
    pub(crate) fn admit(&self, path: &Path) -> Result<PathBuf, Refusal> {
        let wanted = self.root.join(path);
        match fs::canonicalize(&wanted) {
            Ok(real) if real.starts_with(&self.root) => Ok(real),
            Ok(_) => Err(Refusal::Outside),
            Err(_) if !lexically_below(&self.root, &wanted) => Err(Refusal::Outside),
            Err(error) => Err(Refusal::Io(error)),
        }
    }
}

/// Reads a regular file of at most `limit` bytes.
pub(crate) fn read(path: &Path, limit: usize) -> Result<Vec<u8>, ReadRefusal> {
    // WHY: asked before opening, because opening a named pipe waits for a writer.
    let metadata = fs::metadata(path).map_err(ReadRefusal::Io)?;
    if metadata.is_dir() {
        return Err(ReadRefusal::Folder);
    }
    if !metadata.is_file() {
        return Err(ReadRefusal::Io(io::Error::other("not a regular file")));
    }
    if metadata.len() > limit as u64 {
        return Err(ReadRefusal::TooLarge);
    }
    let file = File::open(path).map_err(ReadRefusal::Io)?;
    let mut bytes = Vec::with_capacity(usize::try_from(metadata.len()).unwrap_or(0) + 1);
    // The file may have grown since it was measured.
    file.take(limit as u64 + 1).read_to_end(&mut bytes).map_err(ReadRefusal::Io)?;
    if bytes.len() > limit { Err(ReadRefusal::TooLarge) } else { Ok(bytes) }
}

fn lexically_below(root: &Path, path: &Path) -> bool {
    use std::path::Component;
    let mut clean = PathBuf::new();
    for component in path.components() {
        match component {
            Component::ParentDir => {
                clean.pop();
            }
            Component::CurDir => {}
            other => clean.push(other),
        }
    }
    clean.starts_with(root)
}
