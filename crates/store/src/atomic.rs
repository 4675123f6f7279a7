//! Replacing a file so that a reader sees the old content or the new, never half.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::{no_follow, patient_lock};

/// How long a writer waits for the others.
const PATIENCE: Duration = Duration::from_secs(2);

/// Why a file could not be replaced.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The new content could not be put beside the old.
    #[error("cannot write `{}`", path.display())]
    Write {
        /// The file beside the target.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The new content could not take the old one's place.
    #[error("cannot replace `{}`", path.display())]
    Replace {
        /// The target.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

/// Puts `content` into `path` by way of a file beside it.
///
/// The file beside it has a fixed name: callers hold a lock or are the only writer,
/// and a crash then leaves one stray file at most, which the next write takes over.
pub fn write_atomic(path: &Path, content: &[u8]) -> Result<(), WriteError> {
    put(path, content, None, &beside(path))
}

/// Puts `content` into a file that others may write at the same time: who comes last wins.
///
/// The file beside it is locked. Else one could put the other's half-written content in place.
pub fn write_shared(path: &Path, content: &[u8]) -> Result<(), WriteError> {
    put_in_turn(path, content, None)
}

/// Does the same with a file that nobody but its owner may read, in a folder that nobody else may enter.
pub fn write_private(path: &Path, content: &[u8]) -> Result<(), WriteError> {
    let failed = |source| WriteError::Write { path: path.to_path_buf(), source };
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).and_then(|()| keep_others_out(folder)).map_err(failed)?;
    }
    put_in_turn(path, content, owner_only())
}

#[cfg(unix)]
fn keep_others_out(folder: &Path) -> io::Result<()> {
    fs::set_permissions(folder, std::os::unix::fs::PermissionsExt::from_mode(0o700))
}

#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "elsewhere there is nothing to set")]
fn owner_only() -> Option<fs::Permissions> {
    Some(std::os::unix::fs::PermissionsExt::from_mode(0o600))
}

#[cfg(not(unix))]
fn keep_others_out(_folder: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(not(unix))]
fn owner_only() -> Option<fs::Permissions> {
    None
}

/// Puts `content` into a file that belongs to a person, such as a settings file.
///
/// It goes to the end of a link and leaves the link, keeps the file's permissions, takes
/// a write-protected file as a no, and makes the folders that are missing.
pub fn replace_file(path: &Path, content: &[u8]) -> Result<(), WriteError> {
    let failed = |source| WriteError::Replace { path: path.to_path_buf(), source };
    let real = behind_links(path).map_err(failed)?;
    match fs::metadata(&real) {
        Ok(meta) if meta.is_dir() => Err(failed(io::ErrorKind::IsADirectory.into())),
        // Renaming over it would succeed, and for an administrator so would opening it.
        Ok(meta) if meta.permissions().readonly() => {
            Err(failed(io::Error::new(io::ErrorKind::PermissionDenied, "the file is write-protected")))
        }
        Ok(meta) => {
            OpenOptions::new().write(true).open(&real).map_err(failed)?;
            put_in_turn(&real, content, Some(meta.permissions()))
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            real.parent().map_or(Ok(()), fs::create_dir_all).map_err(failed)?;
            put_in_turn(&real, content, None)
        }
        Err(error) => Err(failed(error)),
    }
}

/// Waits until nobody else is at the file beside the target, and writes it then.
fn put_in_turn(path: &Path, content: &[u8], permissions: Option<fs::Permissions>) -> Result<(), WriteError> {
    let beside = beside(path);
    let turn = || loop {
        let file = no_follow::options().write(true).create(true).truncate(false).open(&beside)?;
        if !patient_lock::lock(&file, PATIENCE) {
            return Err(io::Error::new(io::ErrorKind::WouldBlock, "others write it all the time"));
        }
        // Whoever had it before has put it in the target's place.
        if is_at(&file, &beside) {
            return Ok(file);
        }
    };
    let _turn = match turn() {
        // It is ours to write; its lock goes when it is closed.
        Ok(file) => file,
        Err(source) if source.kind() == io::ErrorKind::WouldBlock => {
            return Err(WriteError::Write { path: beside, source });
        }
        // Something is in the way: the write itself says what, and clears a link away.
        Err(_) => return put(path, content, permissions, &beside),
    };
    put(path, content, permissions, &beside)
}

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
        // A half-written file beside the target would only confuse people, and a link that
        // somebody put there would be in the way of the next write too.
        let _ = fs::remove_file(beside);
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

/// Returns where a link leads; a path that is none leads to itself.
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
        // A folder where the file beside it would go makes the write fail.
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
