//! The view of the file system that a plan is made from: the disk, or a table in tests.

use std::ffi::OsString;
use std::fs;
use std::path::Path;

/// The kind of a directory entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A folder.
    Folder,
    /// A regular file.
    File,
    /// A symbolic link.
    Link,
    /// A socket, a device or a pipe.
    Other,
}

/// A directory entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its name.
    pub name: OsString,
    /// Its kind.
    pub kind: Kind,
}

/// What a plan asks the file system.
pub trait Tree {
    /// Returns the kind of a path, without following a link. Returns `None` if nothing is there.
    fn kind(&self, path: &Path) -> Option<Kind>;

    /// Returns the entries of a folder, at most `limit`, and whether these are all. An unreadable folder has none.
    fn list(&self, folder: &Path, limit: usize) -> (Vec<Entry>, bool);

    /// Returns whether a file has several hard links.
    fn is_linked_twice(&self, path: &Path) -> bool;
}

/// The real file system.
#[derive(Debug, Clone, Copy)]
pub struct Disk;

impl Tree for Disk {
    fn kind(&self, path: &Path) -> Option<Kind> {
        fs::symlink_metadata(path).ok().map(|meta| kind(meta.file_type()))
    }

    fn list(&self, folder: &Path, limit: usize) -> (Vec<Entry>, bool) {
        let Ok(mut entries) = fs::read_dir(folder) else { return (Vec::new(), true) };
        let entry = |entry: fs::DirEntry| {
            Some(Entry { name: entry.file_name(), kind: kind(entry.file_type().ok()?) })
        };
        let listed = entries.by_ref().take(limit).filter_map(|found| entry(found.ok()?)).collect();
        (listed, entries.next().is_none())
    }

    fn is_linked_twice(&self, path: &Path) -> bool {
        #[cfg(unix)]
        return fs::symlink_metadata(path).is_ok_and(|meta| std::os::unix::fs::MetadataExt::nlink(&meta) > 1);
        #[cfg(not(unix))]
        return path.as_os_str().is_empty();
    }
}

fn kind(of: fs::FileType) -> Kind {
    match () {
        () if of.is_symlink() => Kind::Link,
        () if of.is_dir() => Kind::Folder,
        () if of.is_file() => Kind::File,
        () => Kind::Other,
    }
}
