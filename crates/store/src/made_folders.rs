//! Empty folders that a confined command needs in place, and their removal afterwards.
//!
//! A folder of the scope that does not exist yet must exist before the mounts are made, and an empty folder holds the
//! place of settings that a command must not create. Each is recorded, and removed once it is still empty and no
//! namespace has a mount there any more: removing a mount point from outside would take the protection away.
//!
//! INVARIANT: only folders that this process made are recorded, and only empty folders are ever removed, one by one.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use event::AbsPath;

use crate::linkless_folder::LinklessFolder;
use crate::{create_folder, lock_patiently, no_follow, plain_file};

/// The folders that were made, in the user's state folder: one path per line.
const FILE: &str = "made-folders";

/// The folders that this process makes.
#[derive(Debug)]
pub struct MadeFolders {
    user_state: Option<AbsPath>,
    made: Vec<PathBuf>,
    /// Keeps others from removing folders while this value lives.
    _shared: Option<File>,
}

impl MadeFolders {
    /// Starts without any, and keeps other processes from removing folders until it is dropped or the process becomes
    /// another program.
    pub fn new(user_state: Option<AbsPath>) -> Self {
        let shared = user_state.as_ref().and_then(lock_file).filter(|file| file.try_lock_shared().is_ok());
        Self { user_state, made: Vec::new(), _shared: shared }
    }

    /// Makes these folders and the missing ones above them. Skips a folder that it cannot make: the command cannot make it
    /// either.
    pub fn make<'a>(&mut self, folders: impl Iterator<Item = &'a PathBuf>) {
        for folder in folders {
            let missing: Vec<&Path> =
                folder.ancestors().take_while(|it| it.symlink_metadata().is_err()).collect();
            for path in missing.into_iter().rev() {
                let made = in_parent(path, LinklessFolder::make).is_ok();
                if made && !path.as_os_str().as_encoded_bytes().contains(&b'\n') {
                    self.made.push(path.to_path_buf());
                }
            }
        }
    }

    /// Records the folders that were made. Returns whether there are any.
    pub fn record(&self) -> bool {
        let Some(state) = self.user_state.as_ref().filter(|_| !self.made.is_empty()) else { return false };
        let mut lines = Vec::new();
        for path in &self.made {
            lines.extend_from_slice(path.as_os_str().as_encoded_bytes());
            lines.push(b'\n');
        }
        let _ = create_folder(state.as_path());
        let file = no_follow::options().append(true).create(true).open(state.child(FILE).as_path());
        file.and_then(|mut file| file.write_all(&lines)).is_ok()
    }

    /// Removes the recorded folders that are empty and in no use.
    pub fn remove_unused(user_state: &AbsPath) {
        let file = user_state.child(FILE);
        if !file.as_path().exists() {
            return;
        }
        // Waits for processes that are about to mount; each takes less than a millisecond.
        let lock = lock_file(user_state);
        if !lock.as_ref().is_some_and(|lock| lock_patiently(lock, MOUNT_TIMEOUT)) {
            return;
        }
        let Ok(recorded) = plain_file::read(file.as_path()) else { return };
        // Taken away as a whole, so that two processes do not restore each other's lines.
        if !crate::remove_file(file.as_path()).unwrap_or(false) {
            return;
        }
        let mut paths: Vec<PathBuf> =
            recorded.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).map(path).collect();
        paths.sort();
        paths.dedup();
        let in_use = mount_points_of_others();
        let mut kept = Self { user_state: Some(user_state.clone()), made: Vec::new(), _shared: None };
        // Deeper ones first.
        for path in paths.into_iter().rev() {
            if in_use.contains(&path) {
                kept.made.push(path);
            } else {
                // Fails for a folder with content, which is the user's by now.
                let _ = in_parent(&path, LinklessFolder::remove);
            }
        }
        kept.record();
    }

    /// Returns whether folders are recorded.
    pub fn are_recorded(user_state: &AbsPath) -> bool {
        user_state.child(FILE).as_path().exists()
    }
}

/// Does something with the folder at `path`, seen from the folder around it.
fn in_parent(path: &Path, work: fn(&LinklessFolder, &OsStr) -> io::Result<()>) -> io::Result<()> {
    let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else {
        return Err(io::ErrorKind::InvalidInput.into());
    };
    work(&LinklessFolder::open(parent)?, name)
}

/// How long to wait for processes that are about to mount.
const MOUNT_TIMEOUT: Duration = Duration::from_secs(5);

/// Opens the file that a process locks from its look at the disk to its mounts, so that no other process removes a
/// folder in between: the state folder itself, because a command must leave no file behind.
fn lock_file(user_state: &AbsPath) -> Option<File> {
    File::open(user_state.as_path()).ok()
}

#[cfg(unix)]
fn path(line: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt;
    PathBuf::from(OsStr::from_bytes(line))
}

#[cfg(not(unix))]
fn path(line: &[u8]) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(line).into_owned())
}

/// Returns the mount points in the mount namespaces of other processes.
fn mount_points_of_others() -> Vec<PathBuf> {
    let mut points = Vec::new();
    look_at_other_namespaces(|mounts| {
        points.extend(mounts.lines().filter_map(|line| line.split(' ').nth(4)).map(unescaped));
    });
    points
}

/// Returns whether a mount in the namespace of another process names a path among its options, as overlays do.
#[cfg(unix)]
pub(crate) fn is_in_other_namespace(path: &OsStr) -> bool {
    let mut is_named = false;
    // The table writes blanks in octal digits.
    let path = path.to_string_lossy().replace(' ', "\\040");
    look_at_other_namespaces(|mounts| is_named |= mounts.contains(&path));
    is_named
}

/// Shows the table of mounts of each mount namespace besides the own.
fn look_at_other_namespaces(mut look: impl FnMut(&str)) {
    let mut seen: Vec<PathBuf> = fs::read_link("/proc/self/ns/mnt").into_iter().collect();
    for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let process = entry.path();
        let Ok(namespace) = fs::read_link(process.join("ns/mnt")) else { continue };
        if !seen.contains(&namespace) {
            seen.push(namespace);
            look(&fs::read_to_string(process.join("mountinfo")).unwrap_or_default());
        }
    }
}

/// Decodes a path of `mountinfo`, in which blanks and backslashes are octal.
pub(crate) fn unescaped(text: &str) -> PathBuf {
    let mut path = text.to_owned();
    for (escaped, plain) in [("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")] {
        path = path.replace(escaped, plain);
    }
    PathBuf::from(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_empty_folders_that_were_made_are_removed() {
        let dir = tempfile::tempdir().unwrap();
        let state = AbsPath::new(dir.path().join("state")).unwrap();
        let root = dir.path().join("w");
        fs::create_dir_all(root.join("kept/before")).unwrap();
        let mut made = MadeFolders::new(Some(state.clone()));
        let wanted = ["new/deep", "filled", "kept/before", "kept/after"].map(|name| root.join(name));
        made.make(wanted.iter());
        assert!(made.record() && wanted.iter().all(|path| path.is_dir()));
        fs::write(root.join("filled/file"), "").unwrap();
        drop(made);
        MadeFolders::remove_unused(&state);
        let left: Vec<bool> = wanted.iter().map(|path| path.is_dir()).collect();
        assert_eq!(left, [false, true, true, false]);
        assert!(!root.join("new").exists() && !MadeFolders::are_recorded(&state));
        assert!(!MadeFolders::new(Some(state)).record(), "nothing was made");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_link_that_a_command_put_in_place_of_a_folder_leads_nowhere() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        let state = AbsPath::new(root.join("state")).unwrap();
        fs::create_dir_all(root.join("outside/deep")).unwrap();
        fs::create_dir_all(root.join("w")).unwrap();
        let mut made = MadeFolders::new(Some(state.clone()));
        made.make([root.join("w/gen/deep")].iter());
        assert!(made.record());
        fs::remove_dir(root.join("w/gen/deep")).unwrap();
        fs::remove_dir(root.join("w/gen")).unwrap();
        std::os::unix::fs::symlink(root.join("outside"), root.join("w/gen")).unwrap();
        made.make([root.join("w/gen/new")].iter());
        drop(made);
        MadeFolders::remove_unused(&state);
        assert!(root.join("outside/deep").is_dir() && !root.join("outside/new").exists());
    }

    #[test]
    fn paths_of_mounts_are_decoded() {
        assert_eq!(unescaped(r"/a\040b\134c"), PathBuf::from(r"/a b\c"));
    }
}
