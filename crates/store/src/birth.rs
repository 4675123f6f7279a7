//! When a file came into being.
//!
//! WHY not [`std::fs::Metadata::created`]: the standard library knows it with glibc only, and what is
//! released is linked with musl.
#![cfg_attr(target_os = "linux", expect(unsafe_code, reason = "the standard library has no way to ask"))]

use event::AbsPath;

/// Returns when the entry at a path came into being, in nanoseconds since 1970; a link is not followed.
///
/// Nothing where the file system does not say.
pub fn born(path: &AbsPath) -> Option<u128> {
    imp::born(path.as_path())
}

#[cfg(target_os = "linux")]
mod imp {
    use std::ffi::CString;
    use std::mem;
    use std::os::unix::ffi::OsStrExt;
    use std::path::Path;
    use std::ptr;

    pub(super) fn born(path: &Path) -> Option<u128> {
        let path = CString::new(path.as_os_str().as_bytes()).ok()?;
        // SAFETY: it is made of numbers, and no number of it is wrong when it is zero.
        let mut answer: libc::statx = unsafe { mem::zeroed() };
        // SAFETY: the path ends in a NUL, and the answer has the form the system writes.
        let done = unsafe {
            libc::syscall(
                libc::SYS_statx,
                libc::AT_FDCWD,
                path.as_ptr(),
                libc::AT_SYMLINK_NOFOLLOW,
                libc::STATX_BTIME,
                ptr::from_mut(&mut answer),
            )
        };
        if done != 0 || answer.stx_mask & libc::STATX_BTIME == 0 {
            return None;
        }
        let seconds = u128::try_from(answer.stx_btime.tv_sec).ok()?;
        Some(seconds * 1_000_000_000 + u128::from(answer.stx_btime.tv_nsec))
    }
}

#[cfg(not(target_os = "linux"))]
mod imp {
    use std::fs;
    use std::path::Path;
    use std::time::UNIX_EPOCH;

    pub(super) fn born(path: &Path) -> Option<u128> {
        let born = fs::symlink_metadata(path).and_then(|meta| meta.created()).ok()?;
        born.duration_since(UNIX_EPOCH).ok().map(|time| time.as_nanos())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_born_once_and_what_is_not_there_never() {
        let folder = tempfile::tempdir().unwrap();
        let folder = AbsPath::new(folder.path()).unwrap();
        let file = folder.child("a");
        assert_eq!(born(&file), None);
        std::fs::write(file.as_path(), "1").unwrap();
        let first = born(&file);
        std::fs::write(file.as_path(), "2").unwrap();
        assert_eq!(born(&file), first);
        // What the system says of itself, where it says it.
        let told = std::fs::metadata(file.as_path()).and_then(|meta| meta.created()).ok();
        let told = told.and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
        assert!(told.is_none_or(|told| first == Some(told.as_nanos())));
    }
}
