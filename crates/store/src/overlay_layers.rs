//! The folders that take the changes of a confined command whose scope is single files of a folder, and the merge.
//!
//! INVARIANT: only regular files that the scope names are merged, each by a rename, and only into a folder whose file is
//! still the one that the command started with. Everything else that the command changed there is dropped.
//! INVARIANT: nothing is merged or removed while a process of the command runs.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, Metadata};
use std::io;
use std::os::unix::fs::{DirBuilderExt, FileTypeExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

use event::AbsPath;

use crate::atomic::put_in_turn;
use crate::made_folders::is_in_other_namespace;
use crate::{lock_patiently, remove_file};

/// The folder of all of them, in the user's state folder.
const FOLDER: &str = "overlays";

/// Where they are if the disk of the state folder is itself an overlay, on which no other can be stacked.
const IN_MEMORY: &str = "/dev/shm";

/// The changes of one command in one folder.
#[derive(Debug)]
pub struct OverlayLayers {
    root: PathBuf,
    folder: PathBuf,
    names: Vec<(OsString, Option<Identity>)>,
    /// Keeps others from removing it while this process lives.
    lock: Option<File>,
}

/// The attributes that show whether another process changed a file.
type Identity = (u64, u64, u64, i64, i64);

/// The result of a merge.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Merged {
    /// The files that another process changed meanwhile, or that the command replaced by something else than a file.
    pub refused: Vec<PathBuf>,
    /// Changed paths that are out of scope.
    pub dropped: Vec<PathBuf>,
}

/// The dropped paths that are named at most.
const MAX_DROPPED: usize = 20;

impl OverlayLayers {
    /// Makes the layers for the files `names` of `folder`. Removes those that commands left behind when they were killed.
    pub fn make(user_state: &AbsPath, folder: &Path, names: &[OsString], number: usize) -> io::Result<Self> {
        let base = base(user_state)?;
        remove_stale(&base);
        let root = base.join(format!("{}-{number}", std::process::id()));
        for path in [&root, &root.join("upper"), &root.join("work")] {
            private_folder(path)?;
        }
        let upper_mode = fs::metadata(folder)?.permissions();
        fs::set_permissions(root.join("upper"), upper_mode)?;
        let identity = |name: &OsString| (name.clone(), identity_of(&folder.join(name)));
        let mut layers = Self {
            root,
            folder: folder.to_path_buf(),
            names: names.iter().map(identity).collect(),
            lock: None,
        };
        layers.hold();
        Ok(layers)
    }

    /// Returns the folder of the changed files.
    pub fn upper(&self) -> PathBuf {
        self.root.join("upper")
    }

    /// Returns the folder for the kernel's own use.
    pub fn work(&self) -> PathBuf {
        self.root.join("work")
    }

    /// Keeps others from removing the layers while this process lives: a process that takes over from the one that
    /// made them must call it.
    pub fn hold(&mut self) {
        self.lock = File::open(&self.root).ok().filter(|file| file.try_lock().is_ok());
    }

    /// Ends the hold, so that another process can take it.
    pub fn release(&mut self) {
        self.lock = None;
    }

    /// Returns whether a process still works on the overlay.
    pub fn is_in_use(&self) -> bool {
        is_in_other_namespace(self.upper().as_os_str())
    }

    /// Merges the files of the scope.
    pub fn merge(&self) -> Merged {
        let mut merged = Merged::default();
        for (name, before) in &self.names {
            let target = self.folder.join(name);
            let done = match fs::symlink_metadata(self.upper().join(name)) {
                Err(_) => Ok(()),
                Ok(_) if identity_of(&target) != *before => Err(io::ErrorKind::ResourceBusy.into()),
                Ok(meta) => self.merge_file(name, &meta),
            };
            if done.is_err() {
                merged.refused.push(target);
            }
        }
        let is_of_scope = |name: &OsStr| self.names.iter().any(|(of_scope, _)| of_scope == name);
        let entries = fs::read_dir(self.upper()).into_iter().flatten().flatten();
        let mut others: Vec<_> = entries.filter(|entry| !is_of_scope(&entry.file_name())).collect();
        others.sort_by_key(fs::DirEntry::file_name);
        for entry in others {
            list_changes(&entry.path(), &self.folder.join(entry.file_name()), &mut merged.dropped);
        }
        merged
    }

    fn merge_file(&self, name: &OsStr, meta: &Metadata) -> io::Result<()> {
        let target = self.folder.join(name);
        // The overlay's sign of a removed file.
        if meta.file_type().is_char_device() && meta.rdev() == 0 {
            return remove_file(&target).map(drop);
        }
        if !meta.is_file() {
            return Err(io::ErrorKind::InvalidInput.into());
        }
        let content = crate::plain_file::read(&self.upper().join(name))?;
        put_in_turn(&target, &content, Some(meta.permissions())).map_err(io::Error::other)
    }

    /// Removes the layers.
    pub fn remove(self) {
        remove_layers(&self.root);
        drop(self.lock);
    }
}

/// Adds the changed files below a folder of the upper layer; folders themselves count only as the way to them.
fn list_changes(changed: &Path, real: &Path, found: &mut Vec<PathBuf>) {
    if found.len() >= MAX_DROPPED {
        return;
    }
    let is_folder = fs::symlink_metadata(changed).is_ok_and(|meta| meta.is_dir());
    let entries: Vec<_> = fs::read_dir(changed).into_iter().flatten().flatten().collect();
    if !is_folder || entries.is_empty() {
        found.push(real.to_path_buf());
        return;
    }
    for entry in entries {
        list_changes(&entry.path(), &real.join(entry.file_name()), found);
    }
}

fn identity_of(path: &Path) -> Option<Identity> {
    let meta = fs::symlink_metadata(path).ok()?;
    Some((meta.dev(), meta.ino(), meta.size(), meta.mtime(), meta.mtime_nsec()))
}

/// Returns the folder of all layers, made if it is missing, on a disk that can carry them.
fn base(user_state: &AbsPath) -> io::Result<PathBuf> {
    let usual = user_state.child(FOLDER).as_path().to_path_buf();
    crate::create_folder(&usual)?;
    if !is_overlay(&usual) {
        return Ok(usual);
    }
    let user = fs::metadata("/proc/self")?.uid();
    let memory = Path::new(IN_MEMORY).join(format!("steersman-{user}"));
    private_folder(&memory)?;
    let meta = fs::symlink_metadata(&memory)?;
    if meta.is_dir() && meta.uid() == user && meta.mode() & 0o022 == 0 {
        Ok(memory)
    } else {
        Err(io::ErrorKind::PermissionDenied.into())
    }
}

fn private_folder(path: &Path) -> io::Result<()> {
    #[expect(clippy::disallowed_methods, reason = "this crate makes folders")]
    let made = fs::DirBuilder::new().mode(0o700).create(path);
    match made {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        other => other,
    }
}

/// Returns whether a folder lies on an overlay, by the table of mounts: the deepest mount above it decides.
fn is_overlay(folder: &Path) -> bool {
    let table = fs::read_to_string("/proc/self/mountinfo").unwrap_or_default();
    let mount = |line: &str| {
        let (mount, kind) = line.split_once(" - ")?;
        let point = crate::made_folders::unescaped(mount.split(' ').nth(4)?);
        folder.starts_with(&point).then(|| (point.as_os_str().len(), kind.starts_with("overlay ")))
    };
    table.lines().filter_map(mount).max_by_key(|(len, _)| *len).is_some_and(|(_, is_overlay)| is_overlay)
}

/// Removes layers whose process has ended and on which no other works.
fn remove_stale(base: &Path) {
    for entry in fs::read_dir(base).into_iter().flatten().flatten() {
        let root = entry.path();
        let is_free = File::open(&root).is_ok_and(|file| lock_patiently(&file, Duration::ZERO));
        if is_free && !is_in_other_namespace(root.join("upper").as_os_str()) {
            remove_layers(&root);
        }
    }
}

/// Removes a folder of layers. The kernel leaves a folder in `work` without any permission.
///
/// Only a process in another namespace mounts these folders, and none does any more, so no mount is below.
fn remove_layers(root: &Path) {
    let _ = fs::set_permissions(root.join("work/work"), fs::Permissions::from_mode(0o700));
    #[expect(clippy::disallowed_methods, reason = "this crate removes what it made; links are not followed")]
    let _ = fs::remove_dir_all(root);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layers(root: &Path) -> OverlayLayers {
        fs::create_dir_all(root.join("w/sub")).unwrap();
        for name in ["a", "b", "c"] {
            fs::write(root.join("w").join(name), "old").unwrap();
        }
        let state = AbsPath::new(root.join("state")).unwrap();
        let names = ["a", "b", "c"].map(OsString::from);
        OverlayLayers::make(&state, &root.join("w"), &names, 0).unwrap()
    }

    #[test]
    fn only_files_of_the_scope_that_nobody_else_changed_are_merged() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path();
        let layers = layers(root);
        let upper = layers.upper();
        fs::write(upper.join("a"), "new").unwrap();
        fs::set_permissions(upper.join("a"), fs::Permissions::from_mode(0o750)).unwrap();
        fs::write(upper.join("b"), "new").unwrap();
        fs::write(root.join("w/b"), "changed meanwhile").unwrap();
        std::os::unix::fs::symlink("/etc/passwd", upper.join("c")).unwrap();
        fs::create_dir(upper.join("sub")).unwrap();
        fs::write(upper.join("sub/x"), "x").unwrap();
        fs::write(upper.join("other"), "x").unwrap();
        let merged = layers.merge();
        let below = |names: &[&str]| names.iter().map(|name| root.join("w").join(name)).collect::<Vec<_>>();
        assert_eq!(merged, Merged { refused: below(&["b", "c"]), dropped: below(&["other", "sub/x"]) });
        let read = |name: &str| fs::read_to_string(root.join("w").join(name)).unwrap();
        assert_eq!([read("a"), read("b"), read("c")], ["new", "changed meanwhile", "old"]);
        assert_eq!(fs::metadata(root.join("w/a")).unwrap().mode() & 0o777, 0o750);
        assert!(!root.join("w/other").exists() && !layers.is_in_use());
        layers.remove();
        assert_eq!(fs::read_dir(root.join("state").join(FOLDER)).unwrap().count(), 0);
    }

    #[test]
    fn layers_of_a_killed_command_are_removed_by_the_next() {
        let dir = tempfile::tempdir().unwrap();
        let base = dir.path().join("state").join(FOLDER);
        fs::create_dir_all(base.join("1-0/work/work")).unwrap();
        fs::set_permissions(base.join("1-0/work/work"), fs::Permissions::from_mode(0o000)).unwrap();
        let held = layers(dir.path());
        assert!(!base.join("1-0").exists());
        let state = AbsPath::new(dir.path().join("state")).unwrap();
        let second = OverlayLayers::make(&state, &dir.path().join("w"), &[], 1).unwrap();
        assert!(held.upper().exists(), "its process lives");
        second.remove();
        held.remove();
    }
}
