//! A folder that paths must not leave.

use std::cell::OnceCell;
use std::fs::{self, File, Metadata};
use std::io::{self, Read as _};
use std::path::{Component, Path, PathBuf};

/// A folder that paths must not leave.
#[derive(Debug)]
pub(crate) struct ConfinedFolder {
    root: PathBuf,
    real_root: OnceCell<PathBuf>,
}

/// A file or folder inside, with all links in its path followed.
#[derive(Debug)]
pub(crate) struct Inside {
    /// The absolute path.
    pub(crate) path: PathBuf,
    /// The path relative to the folder.
    pub(crate) relative: PathBuf,
    pub(crate) metadata: Metadata,
}

/// Why a path is refused.
#[derive(Debug)]
pub(crate) enum ConfineError {
    /// With its links followed, the path is not below the folder.
    Outside,
    /// The operating system could not resolve the path.
    Io(io::Error),
}

/// Why a file cannot be read.
#[derive(Debug)]
pub(crate) enum ReadError {
    TooLarge,
    /// The path is a folder.
    Folder,
    Io(io::Error),
}

impl ConfinedFolder {
    /// Confines paths to an absolute path; its existence is checked on first use.
    pub(crate) fn at(folder: PathBuf) -> Self {
        Self { root: folder, real_root: OnceCell::new() }
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// Returns the file at `path` (relative to the folder, or absolute) if it is inside.
    ///
    /// Does not reveal which files exist outside: a path that leaves lexically is `Outside`
    /// whether or not it exists.
    pub(crate) fn admit(&self, path: &Path) -> Result<Inside, ConfineError> {
        let below = path.strip_prefix(&self.root).unwrap_or(path);
        match lexical(below) {
            Some(relative) => match self.walk(relative)? {
                Some(inside) => Ok(inside),
                None => self.follow(path),
            },
            None => self.follow(path),
        }
    }

    /// Descends component by component; `None` if a component is a link.
    ///
    /// WHY: without links below it, the folder's own path need not be resolved at all. That
    /// saves about two system calls for each level of the workspace's depth.
    fn walk(&self, relative: PathBuf) -> Result<Option<Inside>, ConfineError> {
        let mut path = self.root.clone();
        let mut metadata = None;
        for step in relative.components() {
            path.push(step);
            let found = fs::symlink_metadata(&path).map_err(ConfineError::Io)?;
            if found.is_symlink() {
                return Ok(None);
            }
            metadata = Some(found);
        }
        let metadata = match metadata {
            Some(metadata) => metadata,
            None => fs::metadata(&path).map_err(ConfineError::Io)?,
        };
        Ok(Some(Inside { path, relative, metadata }))
    }

    /// Follows every link and checks the resulting path.
    fn follow(&self, path: &Path) -> Result<Inside, ConfineError> {
        let root = if let Some(root) = self.real_root.get() {
            root
        } else {
            let real = fs::canonicalize(&self.root).map_err(ConfineError::Io)?;
            self.real_root.get_or_init(|| real)
        };
        let wanted = root.join(path);
        let real = match fs::canonicalize(&wanted) {
            Ok(real) => real,
            Err(error) => {
                let stays = wanted.strip_prefix(root).is_ok_and(|below| lexical(below).is_some());
                return Err(if stays { ConfineError::Io(error) } else { ConfineError::Outside });
            }
        };
        let relative = real.strip_prefix(root).map_err(|_| ConfineError::Outside)?.to_owned();
        let metadata = fs::metadata(&real).map_err(ConfineError::Io)?;
        Ok(Inside { path: real, relative, metadata })
    }
}

/// Reads a regular file of at most `limit` bytes, given its metadata.
pub(crate) fn read(path: &Path, metadata: &Metadata, limit: usize) -> Result<Vec<u8>, ReadError> {
    if metadata.is_dir() {
        return Err(ReadError::Folder);
    }
    // WHY: before opening, because opening a named pipe blocks until a writer opens it.
    if !metadata.is_file() {
        return Err(ReadError::Io(io::Error::other("not a regular file")));
    }
    if metadata.len() > limit as u64 {
        return Err(ReadError::TooLarge);
    }
    let file = File::open(path).map_err(ReadError::Io)?;
    let mut bytes = Vec::with_capacity(usize::try_from(metadata.len()).unwrap_or(0) + 1);
    // The file may have grown since its size was read.
    file.take(limit as u64 + 1).read_to_end(&mut bytes).map_err(ReadError::Io)?;
    if bytes.len() > limit { Err(ReadError::TooLarge) } else { Ok(bytes) }
}

/// Resolves `.` and `..` lexically; `None` if that leads above the start.
fn lexical(path: &Path) -> Option<PathBuf> {
    let mut clean = PathBuf::new();
    for component in path.components() {
        match component {
            Component::Normal(name) => clean.push(name),
            Component::CurDir => {}
            Component::ParentDir if clean.pop() => {}
            Component::ParentDir | Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    Some(clean)
}
