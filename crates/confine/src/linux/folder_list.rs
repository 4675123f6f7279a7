//! Lists a folder by the system's own call.
//!
//! WHY not `fs::read_dir`: with the C library of the static binary it maps and unmaps memory for each folder, which takes
//! longer than reading it.
#![expect(unsafe_code, reason = "the call that lists a folder has no safe interface")]

use std::ffi::{CStr, OsStr};
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use super::system::c_path;

/// A directory entry as the system lists it.
pub(crate) struct ListedEntry<'a> {
    /// The name.
    pub(crate) name: &'a OsStr,
    /// The kind, as `d_type` has it.
    pub(crate) kind: u8,
}

/// Enough for most folders in one call.
const BUFFER: usize = 4096;

/// The offset of the length of an entry, of its kind and of its name.
const LENGTH: usize = 16;
const KIND: usize = 18;
const NAME: usize = 19;

#[repr(C, align(8))]
struct Buffer([u8; BUFFER]);

/// Calls `each` for the entries of a folder until it returns `false`. Fails if the folder cannot be read.
pub(crate) fn for_each_entry(folder: &Path, each: &mut dyn FnMut(ListedEntry<'_>) -> bool) -> io::Result<()> {
    let path = c_path(folder)?;
    let flags = libc::O_RDONLY | libc::O_DIRECTORY | libc::O_CLOEXEC;
    // SAFETY: the path is NUL-terminated; the kernel has just returned the descriptor, so nothing else owns it.
    let fd = unsafe {
        let fd = libc::syscall(libc::SYS_openat, libc::AT_FDCWD, path.as_ptr(), flags, 0);
        OwnedFd::from_raw_fd(
            i32::try_from(fd).ok().filter(|fd| *fd >= 0).ok_or_else(io::Error::last_os_error)?,
        )
    };
    let mut buffer = Buffer([0; BUFFER]);
    loop {
        // SAFETY: the buffer has the size that is passed.
        let filled =
            unsafe { libc::syscall(libc::SYS_getdents64, fd.as_raw_fd(), buffer.0.as_mut_ptr(), BUFFER) };
        let filled = usize::try_from(filled).map_err(|_| io::Error::last_os_error())?;
        if filled == 0 {
            return Ok(());
        }
        let mut rest = buffer.0.get(..filled).unwrap_or_default();
        while let Some((entry, length)) = first(rest) {
            let is_wanted = !matches!(entry.name.as_bytes(), b"." | b"..");
            if is_wanted && !each(entry) {
                return Ok(());
            }
            rest = rest.get(length..).unwrap_or_default();
        }
    }
}

/// Returns the first entry and its length. Returns `None` at the end.
fn first(bytes: &[u8]) -> Option<(ListedEntry<'_>, usize)> {
    let length = usize::from(u16::from_ne_bytes([*bytes.get(LENGTH)?, *bytes.get(LENGTH + 1)?]));
    let name = CStr::from_bytes_until_nul(bytes.get(NAME..length)?).ok()?;
    Some((ListedEntry { name: OsStr::from_bytes(name.to_bytes()), kind: *bytes.get(KIND)? }, length))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;

    use super::*;

    #[test]
    fn a_large_folder_is_listed_to_its_end_and_a_short_one_as_far_as_wanted() {
        let dir = tempfile::tempdir().unwrap();
        let names: BTreeSet<String> = (0..500).map(|number| format!("a name of entry {number}")).collect();
        for name in &names {
            fs::write(dir.path().join(name), "").unwrap();
        }
        let mut seen = BTreeSet::new();
        for_each_entry(dir.path(), &mut |entry| {
            assert_eq!(entry.kind, libc::DT_REG);
            seen.insert(entry.name.to_str().unwrap().to_owned())
        })
        .unwrap();
        assert_eq!(seen, names);
        let mut n_seen = 0;
        for_each_entry(dir.path(), &mut |_| {
            n_seen += 1;
            n_seen < 3
        })
        .unwrap();
        assert_eq!(n_seen, 3);
        assert!(for_each_entry(&dir.path().join("missing"), &mut |_| true).is_err());
    }
}
