//! Overlays: a command works on a folder of which only a few files are in scope, and its changes go to another folder.
//!
//! The caller merges the files of the scope from there once the command has ended, and drops the rest.

use std::ffi::CString;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use super::system::{Handle, NO_SETUID, c_path, new_file_system};
use crate::Overlay;

/// Makes the overlay of a folder, detached. To be called while the folders of its layers can be written.
///
/// Fails if the folder holds other mounts, which an overlay would hide, or if the file system cannot carry one.
pub(super) fn new_overlay(overlay: &Overlay) -> io::Result<Handle> {
    let Some(layers) = &overlay.layers else { return Err(io::ErrorKind::NotFound.into()) };
    if holds_mounts(&overlay.folder) {
        return Err(io::ErrorKind::ResourceBusy.into());
    }
    let lower = escaped(&overlay.folder)?;
    let (upper, work) = (c_path(&layers.upper)?, c_path(&layers.work)?);
    let options = [
        (c"lowerdir", lower.as_c_str()),
        (c"upperdir", upper.as_c_str()),
        (c"workdir", work.as_c_str()),
        // An ordinary user may only use attributes of this kind.
        (c"userxattr", c""),
    ];
    new_file_system(c"overlay", &options, NO_SETUID)
}

/// Returns a path for the list of lower layers, in which a colon separates.
fn escaped(path: &Path) -> io::Result<CString> {
    let mut text = Vec::new();
    for byte in path.as_os_str().as_bytes() {
        if matches!(byte, b':' | b'\\') {
            text.push(b'\\');
        }
        text.push(*byte);
    }
    CString::new(text).map_err(|_| io::ErrorKind::InvalidInput.into())
}

fn holds_mounts(folder: &Path) -> bool {
    let table = fs::read("/proc/self/mountinfo").unwrap_or_default();
    let folder = folder.as_os_str().as_bytes();
    table.split(|byte| *byte == b'\n').filter_map(|line| line.split(|byte| *byte == b' ').nth(4)).any(
        |point| {
            // A point with a blank is written in octal digits; it counts as below, because the folder may have one too.
            point.strip_prefix(folder).is_some_and(|rest| rest.first() == Some(&b'/'))
                || folder.contains(&b' ') && point.contains(&b'\\')
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colons_of_a_path_do_not_separate() {
        assert_eq!(escaped(Path::new(r"/a:b\c")).unwrap().as_bytes(), br"/a\:b\\c");
    }
}
