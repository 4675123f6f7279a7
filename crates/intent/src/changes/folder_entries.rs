//! Reads the entries of a folder with their times.
//!
//! WHY not `std::fs::read_dir`: its `metadata` resolves the whole path of every entry, and musl reads a folder in pieces
//! of 2 KiB. A scan of 100,000 files spends nearly all of its time here.

use std::ffi::OsString;
use std::io;
use std::path::Path;

/// An entry of a folder.
#[derive(Debug, Clone)]
pub(super) struct FolderEntry {
    /// Its name; bytes that are not UTF-8 are replaced.
    pub(super) name: String,
    /// Its name as the file system has it, if that is not UTF-8.
    pub(super) raw_name: Option<OsString>,
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
    use super::{EntryState, FolderEntry, OsString, Path, io};
    use rustix::fd::OwnedFd;
    use rustix::fs::{AtFlags, CWD, FileType, Mode, OFlags, RawDir, Stat, openat, statat};
    use rustix::io::Errno;
    use std::ffi::CStr;
    use std::os::unix::ffi::{OsStrExt, OsStringExt};
    use std::path::PathBuf;

    /// The buffer of one reading of a folder: some hundred entries.
    const BUFFER: usize = 32 * 1024;

    /// Reads the entries that `is_wanted` accepts by name and state. Returns the number of all.
    ///
    /// WHY it asks before it copies a name: nearly all entries of a large workspace are old files.
    pub(in super::super) fn read(
        folder: &Path,
        entries: &mut Vec<FolderEntry>,
        is_wanted: impl Fn(&[u8], &EntryState) -> bool,
    ) -> io::Result<usize> {
        let mut n_entries = 0;
        let opened = open(folder)?;
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
            n_entries += 1;
            let state = state_of(&stat);
            if is_wanted(name.to_bytes(), &state) {
                let (name, raw_name) = names_of(name);
                entries.push(FolderEntry { name, raw_name, state });
            }
        }
        Ok(n_entries)
    }

    const FLAGS: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);

    /// The longest part of a path that is opened at once; the system permits 4,096 bytes.
    const LONGEST_STEP: usize = 2048;

    /// Opens a folder, also one whose path is longer than the system permits: a program reaches such a folder step by step,
    /// and may change the files in it.
    fn open(folder: &Path) -> io::Result<OwnedFd> {
        match openat(CWD, folder, FLAGS | OFlags::NOFOLLOW, Mode::empty()) {
            Err(Errno::NAMETOOLONG) => open_in_steps(folder),
            opened => Ok(opened?),
        }
    }

    fn open_in_steps(folder: &Path) -> io::Result<OwnedFd> {
        let mut above: Option<OwnedFd> = None;
        let mut step = PathBuf::new();
        for part in folder.components() {
            step.push(part);
            if step.as_os_str().as_bytes().len() > LONGEST_STEP {
                above = Some(open_below(above.as_ref(), &step)?);
                step = PathBuf::new();
            }
        }
        match above {
            Some(last) if step.as_os_str().is_empty() => Ok(last),
            above => open_below(above.as_ref(), &step),
        }
    }

    fn open_below(above: Option<&OwnedFd>, step: &Path) -> io::Result<OwnedFd> {
        Ok(match above {
            Some(above) => openat(above, step, FLAGS | OFlags::NOFOLLOW, Mode::empty())?,
            None => openat(CWD, step, FLAGS | OFlags::NOFOLLOW, Mode::empty())?,
        })
    }

    fn names_of(name: &CStr) -> (String, Option<OsString>) {
        match name.to_str() {
            Ok(name) => (name.to_owned(), None),
            Err(_) => {
                (name.to_string_lossy().into_owned(), Some(OsString::from_vec(name.to_bytes().to_vec())))
            }
        }
    }

    pub(in super::super) fn state(path: &Path) -> io::Result<EntryState> {
        Ok(state_of(&statat(CWD, path, AtFlags::SYMLINK_NOFOLLOW)?))
    }

    /// Lists the entries of a folder without looking at them: the name, the inode, and whether it is a folder.
    pub(in super::super) fn names(folder: &Path) -> io::Result<Vec<(String, u64, bool)>> {
        let opened = open(folder)?;
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
            found.push((name.to_string_lossy().into_owned(), entry.ino(), is_folder));
        }
        Ok(found)
    }

    /// Returns a time in nanoseconds, zero if it is before 1970. The types of both numbers differ between systems.
    ///
    /// WHY in 64 bits, which reach to the year 2554: products of 128 bits took a twentieth of a search.
    fn nanoseconds(seconds: impl TryInto<u64>, nanos: impl TryInto<u64>) -> u128 {
        let (seconds, nanos) = (seconds.try_into().unwrap_or(0), nanos.try_into().unwrap_or(0));
        u128::from(seconds.saturating_mul(1_000_000_000).saturating_add(nanos))
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

    pub(in super::super) fn read(
        folder: &Path,
        entries: &mut Vec<FolderEntry>,
        is_wanted: impl Fn(&[u8], &EntryState) -> bool,
    ) -> io::Result<usize> {
        let mut n_entries = 0;
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let Ok(meta) = entry.metadata() else { continue };
            n_entries += 1;
            let (name, state) = (entry.file_name().to_string_lossy().into_owned(), state_of(&meta));
            if is_wanted(name.as_bytes(), &state) {
                let raw_name = entry.file_name().to_str().is_none().then(|| entry.file_name());
                entries.push(FolderEntry { name, raw_name, state });
            }
        }
        Ok(n_entries)
    }

    pub(in super::super) fn state(path: &Path) -> io::Result<EntryState> {
        Ok(state_of(&fs::symlink_metadata(path)?))
    }

    pub(in super::super) fn names(folder: &Path) -> io::Result<Vec<(String, u64, bool)>> {
        let mut entries = Vec::new();
        read(folder, &mut entries, |_, _| true)?;
        Ok(entries.into_iter().map(|it| (it.name, 0, it.state.is_folder)).collect())
    }

    fn state_of(meta: &fs::Metadata) -> EntryState {
        let newest_ns = FileSystemTime::of_metadata(meta).nanoseconds();
        EntryState { is_folder: meta.is_dir(), inode: 0, size: meta.len(), content_ns: newest_ns, newest_ns }
    }
}

pub(super) use imp::{names, read, state};
