//! Reads the entries of a folder with their times.
//!
//! WHY not `std::fs::read_dir`: its `metadata` resolves the whole path of every entry, and musl reads a folder in pieces
//! of 2 KiB. A scan of 100,000 files spends nearly all of its time here.

use std::io;
use std::path::Path;

/// An entry of a folder.
#[derive(Debug, Clone)]
pub(super) struct FolderEntry {
    /// Its name; bytes that are not UTF-8 are replaced.
    pub(super) name: String,
    /// Its state.
    pub(super) state: EntryState,
}

/// The state of a file or folder: where it is, and when it last changed.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct EntryState {
    /// Whether it is a folder; a link to one is not.
    pub(super) is_folder: bool,
    /// The inode number, zero if unknown.
    pub(super) inode: u64,
    /// The size in bytes.
    pub(super) size: u64,
    /// When its content last changed, in nanoseconds.
    pub(super) content_ns: u128,
    /// When its content or its entry last changed, in nanoseconds.
    pub(super) newest_ns: u128,
}

#[cfg(unix)]
mod imp {
    use super::{EntryState, FolderEntry, Path, io};
    use rustix::fs::{AtFlags, CWD, FileType, Mode, OFlags, RawDir, Stat, openat, statat};

    /// The buffer of one reading of a folder: some hundred entries.
    const BUFFER: usize = 32 * 1024;

    pub(in super::super) fn read(folder: &Path, entries: &mut Vec<FolderEntry>) -> io::Result<()> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC | OFlags::NOFOLLOW;
        let opened = openat(CWD, folder, flags, Mode::empty())?;
        let mut buffer = Vec::with_capacity(BUFFER);
        let mut dir = RawDir::new(&opened, buffer.spare_capacity_mut());
        while let Some(entry) = dir.next() {
            let entry = entry?;
            let name = entry.file_name();
            if matches!(name.to_bytes(), b"." | b"..") {
                continue;
            }
            // An entry that is gone meanwhile is a change of the folder.
            let Ok(stat) = statat(&opened, name, AtFlags::SYMLINK_NOFOLLOW) else { continue };
            entries.push(FolderEntry { name: name.to_string_lossy().into_owned(), state: state_of(&stat) });
        }
        Ok(())
    }

    pub(in super::super) fn state(path: &Path) -> io::Result<EntryState> {
        Ok(state_of(&statat(CWD, path, AtFlags::SYMLINK_NOFOLLOW)?))
    }

    /// Lists the folders in a folder, without looking at files.
    pub(in super::super) fn folders(folder: &Path) -> io::Result<Vec<(String, u64)>> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC | OFlags::NOFOLLOW;
        let opened = openat(CWD, folder, flags, Mode::empty())?;
        let mut buffer = Vec::with_capacity(BUFFER);
        let mut dir = RawDir::new(&opened, buffer.spare_capacity_mut());
        let mut found = Vec::new();
        while let Some(entry) = dir.next() {
            let entry = entry?;
            let name = entry.file_name();
            if matches!(name.to_bytes(), b"." | b"..") {
                continue;
            }
            let is_folder = match entry.file_type() {
                FileType::Directory => true,
                // Some file systems do not say.
                FileType::Unknown => statat(&opened, name, AtFlags::SYMLINK_NOFOLLOW)
                    .is_ok_and(|stat| state_of(&stat).is_folder),
                _ => false,
            };
            if is_folder {
                found.push((name.to_string_lossy().into_owned(), entry.ino()));
            }
        }
        Ok(found)
    }

    /// The types of both numbers differ between systems.
    fn nanoseconds(seconds: impl Into<i128>, nanos: impl Into<i128>) -> u128 {
        u128::try_from(seconds.into() * 1_000_000_000 + nanos.into()).unwrap_or(0)
    }

    fn state_of(stat: &Stat) -> EntryState {
        let content_ns = nanoseconds(stat.st_mtime, stat.st_mtime_nsec);
        // WHY the entry too: `mv`, `cp -p` and `tar` keep the time of the content.
        let entry_ns = nanoseconds(stat.st_ctime, stat.st_ctime_nsec);
        EntryState {
            is_folder: FileType::from_raw_mode(stat.st_mode) == FileType::Directory,
            inode: stat.st_ino,
            size: u64::try_from(stat.st_size).unwrap_or(0),
            content_ns,
            newest_ns: content_ns.max(entry_ns),
        }
    }
}

#[cfg(not(unix))]
mod imp {
    use super::{EntryState, FolderEntry, Path, io};
    use crate::FileSystemTime;
    use std::fs;

    pub(in super::super) fn read(folder: &Path, entries: &mut Vec<FolderEntry>) -> io::Result<()> {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let Ok(meta) = entry.metadata() else { continue };
            entries.push(FolderEntry {
                name: entry.file_name().to_string_lossy().into_owned(),
                state: state_of(&meta),
            });
        }
        Ok(())
    }

    pub(in super::super) fn state(path: &Path) -> io::Result<EntryState> {
        Ok(state_of(&fs::symlink_metadata(path)?))
    }

    pub(in super::super) fn folders(folder: &Path) -> io::Result<Vec<(String, u64)>> {
        let mut entries = Vec::new();
        read(folder, &mut entries)?;
        Ok(entries.into_iter().filter(|it| it.state.is_folder).map(|it| (it.name, 0)).collect())
    }

    fn state_of(meta: &fs::Metadata) -> EntryState {
        let newest_ns = FileSystemTime::of_metadata(meta).nanoseconds();
        EntryState { is_folder: meta.is_dir(), inode: 0, size: meta.len(), content_ns: newest_ns, newest_ns }
    }
}

pub(super) use imp::{folders, read, state};
