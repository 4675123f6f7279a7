//! A folder that was reached without following a link, to make and remove folders in.
//!
//! WHY: a confined command may replace a folder of its scope by a link between our look and our call, and make us
//! create or remove a folder somewhere else.
#![cfg_attr(
    target_os = "linux",
    expect(unsafe_code, reason = "the calls have no safe interface in the standard library")
)]

use std::ffi::OsStr;
use std::io;
use std::path::Path;

/// An open folder.
#[derive(Debug)]
pub(crate) struct LinklessFolder {
    #[cfg(target_os = "linux")]
    folder: std::os::fd::OwnedFd,
    #[cfg(not(target_os = "linux"))]
    folder: std::path::PathBuf,
}

#[cfg(target_os = "linux")]
impl LinklessFolder {
    /// Opens a folder. Fails if a link is on the way.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        use std::os::fd::FromRawFd;
        const OPENAT2: libc::c_long = 437;
        const RESOLVE_NO_SYMLINKS: u64 = 0x04;
        let path = c_string(path.as_os_str())?;
        let flags = libc::O_PATH | libc::O_CLOEXEC | libc::O_DIRECTORY;
        let how: [u64; 3] = [u64::from(flags.cast_unsigned()), 0, RESOLVE_NO_SYMLINKS];
        // SAFETY: the path is NUL-terminated, and `how` has the layout and the size of `struct open_how`.
        let fd =
            unsafe { libc::syscall(OPENAT2, libc::AT_FDCWD, path.as_ptr(), how.as_ptr(), size_of_val(&how)) };
        let fd = libc::c_int::try_from(fd).ok().filter(|fd| *fd >= 0).ok_or_else(io::Error::last_os_error)?;
        // SAFETY: the kernel has just returned this descriptor, so nothing else owns it.
        Ok(Self { folder: unsafe { std::os::fd::OwnedFd::from_raw_fd(fd) } })
    }

    /// Makes a folder in it.
    pub(crate) fn make(&self, name: &OsStr) -> io::Result<()> {
        use std::os::fd::AsRawFd;
        let name = c_string(name)?;
        // SAFETY: the name is NUL-terminated.
        done(unsafe { libc::mkdirat(self.folder.as_raw_fd(), name.as_ptr(), 0o777) })
    }

    /// Removes an empty folder in it.
    pub(crate) fn remove(&self, name: &OsStr) -> io::Result<()> {
        use std::os::fd::AsRawFd;
        let name = c_string(name)?;
        // SAFETY: the name is NUL-terminated.
        done(unsafe { libc::unlinkat(self.folder.as_raw_fd(), name.as_ptr(), libc::AT_REMOVEDIR) })
    }
}

#[cfg(target_os = "linux")]
fn c_string(text: &OsStr) -> io::Result<std::ffi::CString> {
    use std::os::unix::ffi::OsStrExt;
    std::ffi::CString::new(text.as_bytes()).map_err(|_| io::ErrorKind::InvalidInput.into())
}

#[cfg(target_os = "linux")]
fn done(result: libc::c_int) -> io::Result<()> {
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

/// No command runs confined on other systems, so no confined command swaps the folders.
#[cfg(not(target_os = "linux"))]
impl LinklessFolder {
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        Ok(Self { folder: path.to_path_buf() })
    }

    #[expect(clippy::disallowed_methods, reason = "this crate makes folders")]
    pub(crate) fn make(&self, name: &OsStr) -> io::Result<()> {
        std::fs::create_dir(self.folder.join(name))
    }

    #[expect(clippy::disallowed_methods, reason = "this crate removes folders")]
    pub(crate) fn remove(&self, name: &OsStr) -> io::Result<()> {
        std::fs::remove_dir(self.folder.join(name))
    }
}
