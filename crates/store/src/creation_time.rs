//! The creation time of a file.
//!
//! WHY not [`std::fs::Metadata::created`]: the standard library supports it with glibc only, and
//! releases are linked with musl.
#![cfg_attr(target_os = "linux", expect(unsafe_code, reason = "the standard library has no way to ask"))]

use event::AbsPath;

/// Returns the creation time of the entry at a path, in nanoseconds since 1970. Does not follow a
/// link.
///
/// Returns `None` if the file system does not record it.
pub fn creation_time(path: &AbsPath) -> Option<u128> {
    imp::creation_time(path.as_path())
}

#[cfg(target_os = "linux")]
mod imp {
    use std::ffi::CString;
    use std::mem;
    use std::os::unix::ffi::OsStrExt;
    use std::path::Path;
    use std::ptr;

    pub(super) fn creation_time(path: &Path) -> Option<u128> {
        let path = CString::new(path.as_os_str().as_bytes()).ok()?;
        // SAFETY: all fields are integers, so zero is a valid value for each.
        let mut answer: libc::statx = unsafe { mem::zeroed() };
        // SAFETY: the path ends with a NUL, and `answer` has the layout that the system writes.
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

    pub(super) fn creation_time(path: &Path) -> Option<u128> {
        let creation_time = fs::symlink_metadata(path).and_then(|meta| meta.created()).ok()?;
        creation_time.duration_since(UNIX_EPOCH).ok().map(|time| time.as_nanos())
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
        assert_eq!(creation_time(&file), None);
        std::fs::write(file.as_path(), "1").unwrap();
        let first = creation_time(&file);
        std::fs::write(file.as_path(), "2").unwrap();
        assert_eq!(creation_time(&file), first);
        // Compares with the standard library where it supports this.
        let told = std::fs::metadata(file.as_path()).and_then(|meta| meta.created()).ok();
        let told = told.and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
        assert!(told.is_none_or(|told| first == Some(told.as_nanos())));
    }
}
