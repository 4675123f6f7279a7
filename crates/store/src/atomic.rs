//! Replaces a file so that a reader sees the old or the new content, never a part of it.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::{create_folder, no_follow, remove_file, timed_lock};

/// How long a writer waits for others.
const LOCK_TIMEOUT: Duration = Duration::from_secs(2);

/// Why a file cannot be replaced.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The temporary file next to the target cannot be written.
    #[error("cannot write `{}`", path.display())]
    Write {
        /// The temporary file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// The temporary file cannot be renamed to the target.
    #[error("cannot replace `{}`", path.display())]
    Replace {
        /// The target.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
}

/// Writes `content` to `path` through a temporary file next to it.
///
/// The temporary file has a fixed name: callers hold a lock or are the only writer, so a crash leaves
/// at most one stray file, which the next write reuses.
pub fn write_atomic(path: &Path, content: &[u8]) -> Result<(), WriteError> {
    put(path, content, None, &beside(path))
}

/// Writes `content` to a file that other processes may write at the same time: the last writer wins.
///
/// Locks the temporary file. Otherwise one writer could rename another's half-written content.
pub fn write_shared(path: &Path, content: &[u8]) -> Result<(), WriteError> {
    put_in_turn(path, content, None)
}

/// Like [`write_shared`], but only the owner may read the file and enter its folder.
pub fn write_private(path: &Path, content: &[u8]) -> Result<(), WriteError> {
    let failed = |source| WriteError::Write { path: path.to_path_buf(), source };
    if let Some(folder) = path.parent() {
        create_folder(folder).and_then(|()| keep_others_out(folder)).map_err(failed)?;
    }
    put_in_turn(path, content, owner_only())
}

/// Lets only the user read and write a file.
pub fn keep_private(path: &Path) -> io::Result<()> {
    owner_only().map_or(Ok(()), |permissions| fs::set_permissions(path, permissions))
}

#[cfg(unix)]
pub(crate) fn keep_others_out(folder: &Path) -> io::Result<()> {
    fs::set_permissions(folder, std::os::unix::fs::PermissionsExt::from_mode(0o700))
}

#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "elsewhere there is nothing to set")]
fn owner_only() -> Option<fs::Permissions> {
    Some(std::os::unix::fs::PermissionsExt::from_mode(0o600))
}

#[cfg(not(unix))]
pub(crate) fn keep_others_out(_folder: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(not(unix))]
fn owner_only() -> Option<fs::Permissions> {
    None
}

/// Writes `content` to a user's file, such as a settings file.
///
/// Follows a link and keeps it, keeps the file's permissions, fails on a write-protected file, and
/// creates missing folders.
#[expect(clippy::disallowed_methods, reason = "this crate writes files")]
pub fn replace_file(path: &Path, content: &[u8]) -> Result<(), WriteError> {
    let failed = |source| WriteError::Replace { path: path.to_path_buf(), source };
    let real = behind_links(path).map_err(failed)?;
    match fs::metadata(&real) {
        Ok(meta) if meta.is_dir() => Err(failed(io::ErrorKind::IsADirectory.into())),
        // Renaming over it would succeed, and opening it too for an administrator.
        Ok(meta) if meta.permissions().readonly() => {
            Err(failed(io::Error::new(io::ErrorKind::PermissionDenied, "the file is write-protected")))
        }
        Ok(meta) => {
            OpenOptions::new().write(true).open(&real).map_err(failed)?;
            put_in_turn(&real, content, Some(meta.permissions()))
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            real.parent().map_or(Ok(()), create_folder).map_err(failed)?;
            put_in_turn(&real, content, None)
        }
        Err(error) => Err(failed(error)),
    }
}

/// Waits until no other process writes the temporary file, then writes it.
pub(crate) fn put_in_turn(
    path: &Path,
    content: &[u8],
    permissions: Option<fs::Permissions>,
) -> Result<(), WriteError> {
    let beside = beside(path);
    let turn = || loop {
        let file = no_follow::options().write(true).create(true).truncate(false).open(&beside)?;
        if !timed_lock::lock(&file, LOCK_TIMEOUT) {
            return Err(io::Error::new(io::ErrorKind::WouldBlock, "other processes keep writing it"));
        }
        // Its previous holder may have renamed it to the target.
        if is_at(&file, &beside) {
            return Ok(file);
        }
    };
    let _turn = match turn() {
        // We own it; closing it releases the lock.
        Ok(file) => file,
        Err(source) if source.kind() == io::ErrorKind::WouldBlock => {
            return Err(WriteError::Write { path: beside, source });
        }
        // Something is in the way: the write itself reports it, and removes a link.
        Err(_) => return put(path, content, permissions, &beside),
    };
    put(path, content, permissions, &beside)
}

#[expect(clippy::disallowed_methods, reason = "this crate writes files")]
fn put(
    path: &Path,
    content: &[u8],
    permissions: Option<fs::Permissions>,
    beside: &Path,
) -> Result<(), WriteError> {
    let put = || {
        let mut file = no_follow::options().write(true).create(true).truncate(true).open(beside)?;
        permissions.map_or(Ok(()), |permissions| file.set_permissions(permissions))?;
        file.write_all(content)
    };
    put().map_err(|source| {
        // A half-written temporary file would confuse users, and a link in its place would block the
        // next write too.
        let _ = remove_file(beside);
        WriteError::Write { path: beside.to_path_buf(), source }
    })?;
    fs::rename(beside, path).map_err(|source| WriteError::Replace { path: path.to_path_buf(), source })
}

#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let identity = |meta: fs::Metadata| (meta.dev(), meta.ino());
    let there = fs::symlink_metadata(path).map(identity);
    file.metadata().map(identity).is_ok_and(|ours| there.is_ok_and(|there| there == ours))
}

#[cfg(not(unix))]
fn is_at(_file: &File, path: &Path) -> bool {
    path.exists()
}

/// Returns the target of a link, or `path` itself if it is not a link.
fn behind_links(path: &Path) -> io::Result<PathBuf> {
    let is_link = fs::symlink_metadata(path).is_ok_and(|meta| meta.is_symlink());
    if is_link { fs::canonicalize(path) } else { Ok(path.to_path_buf()) }
}

fn beside(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".tmp");
    PathBuf::from(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_old_content_stays_when_the_new_cannot_be_written() {
        let dir = tempfile::tempdir().unwrap();
        let target = dir.path().join("state.json");
        write_atomic(&target, b"old").unwrap();
        // A folder in place of the temporary file makes the write fail.
        fs::create_dir(dir.path().join("state.json.tmp")).unwrap();
        assert!(matches!(write_atomic(&target, b"new"), Err(WriteError::Write { .. })));
        assert_eq!(fs::read(&target).unwrap(), b"old");
    }

    #[test]
    fn nothing_is_left_beside_the_target() {
        let dir = tempfile::tempdir().unwrap();
        let target = dir.path().join("state.json");
        write_atomic(&target, b"one").unwrap();
        write_atomic(&target, b"two").unwrap();
        assert_eq!(fs::read(&target).unwrap(), b"two");
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
    }

    #[test]
    fn of_many_writers_at_once_each_leaves_its_content_whole() {
        let dir = tempfile::tempdir().unwrap();
        let target = dir.path().join("agents.json");
        let content = |n: usize| format!("{n}").repeat(5_000 * (n + 1));
        write_shared(&target, content(0).as_bytes()).unwrap();
        std::thread::scope(|scope| {
            for n in 0..6 {
                let (target, content) = (&target, &content);
                scope.spawn(move || {
                    for _ in 0..30 {
                        write_shared(target, content(n).as_bytes()).unwrap();
                        let found = fs::read_to_string(target).unwrap();
                        assert!((0..6).any(|it| content(it) == found), "{} bytes", found.len());
                    }
                });
            }
        });
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
    }

    #[test]
    fn what_a_killed_writer_left_is_taken_over() {
        let dir = tempfile::tempdir().unwrap();
        let target = dir.path().join("agents.json");
        fs::write(dir.path().join("agents.json.tmp"), "half of it and much longer").unwrap();
        write_shared(&target, b"new").unwrap();
        assert_eq!(fs::read(&target).unwrap(), b"new");
    }

    #[cfg(unix)]
    #[test]
    fn a_persons_file_keeps_its_link_and_its_permissions() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let dir = tempfile::tempdir().unwrap();
        let (real, link) = (dir.path().join("real.json"), dir.path().join("link.json"));
        fs::write(&real, "old").unwrap();
        fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
        symlink("real.json", &link).unwrap();
        replace_file(&link, b"new").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&real).unwrap(), b"new");
        assert_eq!(fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o640);
    }

    #[test]
    fn a_write_protected_file_is_left_alone() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("settings.json");
        fs::write(&file, "old").unwrap();
        let mut permissions = fs::metadata(&file).unwrap().permissions();
        permissions.set_readonly(true);
        fs::set_permissions(&file, permissions).unwrap();
        assert!(matches!(replace_file(&file, b"new"), Err(WriteError::Replace { .. })));
        assert_eq!(fs::read(&file).unwrap(), b"old");
    }
}
