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

/// The questions of a plan to the file system.
pub trait Tree {
    /// Returns the kind of a path, without following a link. Returns `None` if the path does not exist.
    fn kind(&self, path: &Path) -> Option<Kind>;

    /// Returns the entries of a folder, at most `limit`, and whether these are all. An unreadable folder has none.
    fn list(&self, folder: &Path, limit: usize) -> (Vec<Entry>, bool);

    /// Returns the hard links of a file that has several.
    fn hard_links(&self, path: &Path) -> Option<HardLinks>;
}

/// The hard links of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HardLinks {
    /// The file, by its disk and number there: the same for all its links.
    pub file: (u64, u64),
    /// How many links it has.
    pub count: u64,
}

/// The real file system.
#[derive(Debug, Clone, Copy)]
pub struct Disk;

impl Tree for Disk {
    fn kind(&self, path: &Path) -> Option<Kind> {
        fs::symlink_metadata(path).ok().map(|meta| kind(meta.file_type()))
    }

    #[cfg(target_os = "linux")]
    fn list(&self, folder: &Path, limit: usize) -> (Vec<Entry>, bool) {
        let (mut listed, mut is_all) = (Vec::new(), true);
        let _ = crate::linux::for_each_entry(folder, &mut |entry| {
            is_all = listed.len() < limit;
            if is_all {
                let kind = match entry.kind {
                    libc::DT_DIR => Some(Kind::Folder),
                    libc::DT_REG => Some(Kind::File),
                    libc::DT_LNK => Some(Kind::Link),
                    // Some file systems do not list kinds.
                    libc::DT_UNKNOWN => self.kind(&folder.join(entry.name)),
                    _ => Some(Kind::Other),
                };
                listed.extend(kind.map(|kind| Entry { name: entry.name.to_owned(), kind }));
            }
            is_all
        });
        (listed, is_all)
    }

    #[cfg(not(target_os = "linux"))]
    fn list(&self, folder: &Path, limit: usize) -> (Vec<Entry>, bool) {
        let Ok(mut entries) = fs::read_dir(folder) else { return (Vec::new(), true) };
        let entry = |entry: fs::DirEntry| {
            Some(Entry { name: entry.file_name(), kind: kind(entry.file_type().ok()?) })
        };
        let listed = entries.by_ref().take(limit).filter_map(|found| entry(found.ok()?)).collect();
        (listed, entries.next().is_none())
    }

    #[cfg(unix)]
    fn hard_links(&self, path: &Path) -> Option<HardLinks> {
        use std::os::unix::fs::MetadataExt;
        let meta = fs::symlink_metadata(path).ok().filter(|meta| meta.nlink() > 1)?;
        Some(HardLinks { file: (meta.dev(), meta.ino()), count: meta.nlink() })
    }

    #[cfg(not(unix))]
    fn hard_links(&self, _path: &Path) -> Option<HardLinks> {
        None
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
