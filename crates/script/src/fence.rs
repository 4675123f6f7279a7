//! A folder that paths may not lead out of.

use std::cell::OnceCell;
use std::fs::{self, File, Metadata};
use std::io::{self, Read as _};
use std::path::{Component, Path, PathBuf};

/// A folder and the way to tell what is inside it.
#[derive(Debug)]
pub(crate) struct Fence {
    root: PathBuf,
    real_root: OnceCell<PathBuf>,
}

/// Something inside, with all links in its path followed.
#[derive(Debug)]
pub(crate) struct Inside {
    /// Where it is.
    pub(crate) path: PathBuf,
    /// The same, seen from the folder.
    pub(crate) relative: PathBuf,
    pub(crate) metadata: Metadata,
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
    /// Makes a fence around an absolute path. Whether it is there shows when it is used.
    pub(crate) fn around(folder: PathBuf) -> Self {
        Self { root: folder, real_root: OnceCell::new() }
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// Returns what is at `path` (relative to the folder, or absolute) if that is inside.
    ///
    /// Existence outside is not told: a path that leaves lexically is `Outside` whether or
    /// not it is there.
    pub(crate) fn admit(&self, path: &Path) -> Result<Inside, Refusal> {
        let below = path.strip_prefix(&self.root).unwrap_or(path);
        match lexical(below) {
            Some(relative) => match self.walk(relative)? {
                Some(inside) => Ok(inside),
                None => self.follow(path),
            },
            None => self.follow(path),
        }
    }

    /// Goes down step by step; `None` if there is a link on the way.
    ///
    /// WHY: without links below it, the folder's own path need not be resolved at all. That
    /// saves about two system calls for each level the workspace lies deep.
    fn walk(&self, relative: PathBuf) -> Result<Option<Inside>, Refusal> {
        let mut path = self.root.clone();
        let mut metadata = None;
        for step in relative.components() {
            path.push(step);
            let found = fs::symlink_metadata(&path).map_err(Refusal::Io)?;
            if found.is_symlink() {
                return Ok(None);
            }
            metadata = Some(found);
        }
        let metadata = match metadata {
            Some(metadata) => metadata,
            None => fs::metadata(&path).map_err(Refusal::Io)?,
        };
        Ok(Some(Inside { path, relative, metadata }))
    }

    /// Follows every link and looks where that leads.
    fn follow(&self, path: &Path) -> Result<Inside, Refusal> {
        let root = if let Some(root) = self.real_root.get() {
            root
        } else {
            let real = fs::canonicalize(&self.root).map_err(Refusal::Io)?;
            self.real_root.get_or_init(|| real)
        };
        let wanted = root.join(path);
        let real = match fs::canonicalize(&wanted) {
            Ok(real) => real,
            Err(error) => {
                let stays = wanted.strip_prefix(root).is_ok_and(|below| lexical(below).is_some());
                return Err(if stays { Refusal::Io(error) } else { Refusal::Outside });
            }
        };
        let relative = real.strip_prefix(root).map_err(|_| Refusal::Outside)?.to_owned();
        let metadata = fs::metadata(&real).map_err(Refusal::Io)?;
        Ok(Inside { path: real, relative, metadata })
    }
}

/// Reads a regular file of at most `limit` bytes, given what is known about it.
pub(crate) fn read(path: &Path, metadata: &Metadata, limit: usize) -> Result<Vec<u8>, ReadRefusal> {
    if metadata.is_dir() {
        return Err(ReadRefusal::Folder);
    }
    // WHY: before opening, because opening a named pipe waits for a writer.
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

/// Resolves `.` and `..` without asking the disk; `None` if that leads above the start.
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
