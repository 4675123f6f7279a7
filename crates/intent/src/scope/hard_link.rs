//! Finds hard links to protected files.

use std::fs;
use std::path::Path;

use event::AbsPath;

/// The maximum number of checked files in protected folders.
const MAX_FILES: usize = 1024;

/// Returns the protected path that is a hard link to the same file.
///
/// Returns at once for a file with one name, as nearly every file has.
#[cfg(unix)]
pub(super) fn protected_twin<'a>(
    root: &AbsPath,
    file: &fs::Metadata,
    mut protected: impl Iterator<Item = &'a str>,
) -> Option<&'a str> {
    use std::os::unix::fs::MetadataExt;

    if !file.is_file() || file.nlink() < 2 {
        return None;
    }
    let same = |path: &Path| {
        fs::metadata(path).is_ok_and(|other| other.ino() == file.ino() && other.dev() == file.dev())
    };
    let mut left = MAX_FILES;
    protected.find(|name| any_file(root.join(name).as_path(), &mut left, &same))
}

/// Returns `None`: this system does not report hard links.
#[cfg(not(unix))]
pub(super) fn protected_twin<'a>(
    _root: &AbsPath,
    _file: &fs::Metadata,
    _protected: impl Iterator<Item = &'a str>,
) -> Option<&'a str> {
    None
}

fn any_file(path: &Path, left: &mut usize, found: &impl Fn(&Path) -> bool) -> bool {
    if *left == 0 {
        return false;
    }
    *left -= 1;
    let Ok(meta) = fs::symlink_metadata(path) else { return false };
    if !meta.is_dir() {
        return found(path);
    }
    let entries = fs::read_dir(path).into_iter().flatten().flatten();
    entries.into_iter().any(|entry| any_file(&entry.path(), left, found))
}
