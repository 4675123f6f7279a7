//! Inherited descriptors, which reach around every mount.
//!
//! A folder opened before leads to the writable original below it; a file opened for reading can be opened again for
//! writing by its name in `/proc/self/fd`.
#![expect(unsafe_code, reason = "descriptors of the caller have no owner in this program")]

use std::fs;
use std::io;
use std::mem;
use std::os::fd::RawFd;
use std::path::{Path, PathBuf};

use super::folder_list::for_each_entry;
use super::system::c_path;
use super::{Failure, Step};

/// The treatment of the descriptors that the next program inherits.
#[derive(Debug, Default)]
pub(super) struct Inherited {
    close: Vec<RawFd>,
    reopen: Vec<Reopen>,
}

/// A descriptor to open again by its path, inside.
#[derive(Debug)]
struct Reopen {
    fd: RawFd,
    path: PathBuf,
    flags: libc::c_int,
    offset: libc::off_t,
    identity: (libc::dev_t, libc::ino_t),
}

/// Objects of the kernel that only wait, count or measure time, by their names in `/proc/self/fd`.
const HARMLESS_OBJECTS: [&str; 6] = ["eventfd", "eventpoll", "inotify", "pidfd", "signalfd", "timerfd"];

/// The descriptors that are tried one by one.
const MAX_TRIED: RawFd = 256;

/// The last of stdin, stdout and stderr.
const LAST_STANDARD: RawFd = 2;

impl Inherited {
    /// Checks all descriptors that the next program inherits.
    pub(super) fn look() -> io::Result<Self> {
        let mut found = Self::default();
        // Linux 6.2 tells how many there are. To list them takes four times as long as to try them.
        let n_open = fs::metadata("/proc/self/fd")?.len();
        let mut n_seen = 0;
        for fd in 0..MAX_TRIED {
            if n_open == 0 || n_seen == n_open {
                break;
            }
            n_seen += u64::from(found.look_at(fd));
        }
        if n_open > 0 && n_seen == n_open {
            return Ok(found);
        }
        let mut all: Vec<RawFd> = Vec::new();
        for_each_entry(Path::new("/proc/self/fd"), &mut |entry| {
            all.extend(entry.name.to_str().and_then(|name| name.parse::<RawFd>().ok()));
            true
        })?;
        found = Self::default();
        for fd in all {
            found.look_at(fd);
        }
        Ok(found)
    }

    /// Inspects a descriptor. Returns whether it is open.
    fn look_at(&mut self, fd: RawFd) -> bool {
        // SAFETY: these calls read only the state of a descriptor; a closed one is an error. All zeros is a valid `stat`.
        unsafe {
            let closes = libc::fcntl(fd, libc::F_GETFD);
            let mut stat: libc::stat = mem::zeroed();
            if closes >= 0 && closes & libc::FD_CLOEXEC == 0 && libc::fstat(fd, &raw mut stat) == 0 {
                let flags = libc::fcntl(fd, libc::F_GETFL);
                if flags >= 0 {
                    self.add(fd, flags, &stat);
                }
            }
            closes >= 0
        }
    }

    fn add(&mut self, fd: RawFd, flags: libc::c_int, stat: &libc::stat) {
        let kind = stat.st_mode & libc::S_IFMT;
        let is_folder = kind == libc::S_IFDIR;
        let is_read_file =
            matches!(kind, libc::S_IFREG | libc::S_IFBLK) && flags & libc::O_ACCMODE == libc::O_RDONLY;
        let is_place = flags & libc::O_PATH != 0;
        // Files without a type are objects of the kernel. A ring holds files that were registered with it, a context of
        // a mount is a mount, a group of fanotify opens the files it reports, a listener of seccomp answers for others.
        let is_object = kind == 0;
        if !is_folder && !is_read_file && !is_place && !is_object {
            return;
        }
        let path = fs::read_link(format!("/proc/self/fd/{fd}")).unwrap_or_default();
        if is_object {
            let name = path.to_string_lossy();
            if !HARMLESS_OBJECTS.iter().any(|kind| name.contains(kind)) {
                self.close.push(fd);
            }
            return;
        }
        // No other process can reach a file without a name, so writing to it does no harm.
        if is_read_file && stat.st_nlink == 0 {
            return;
        }
        if fd > LAST_STANDARD && (is_folder || is_place || !path.is_absolute()) {
            self.close.push(fd);
        } else {
            // SAFETY: as above.
            let offset = unsafe { libc::lseek(fd, 0, libc::SEEK_CUR) };
            let flags = flags & (libc::O_ACCMODE | libc::O_NONBLOCK | libc::O_APPEND | libc::O_DIRECTORY);
            self.reopen.push(Reopen { fd, path, flags, offset, identity: (stat.st_dev, stat.st_ino) });
        }
    }

    /// Closes and reopens; to be called inside.
    pub(super) fn reopen(self) -> Result<(), Failure> {
        for fd in self.close {
            // SAFETY: nothing in this program owns the descriptor, which the caller passed on.
            unsafe { libc::close(fd) };
        }
        for file in self.reopen {
            match (file.open_again(), file.fd > LAST_STANDARD) {
                (Ok(()), _) => {}
                // SAFETY: as above.
                (Err(_), true) => drop(unsafe { libc::close(file.fd) }),
                (Err(error), false) => {
                    return Err(error).step("opening stdin, stdout or stderr again by its path");
                }
            }
        }
        Ok(())
    }
}

impl Reopen {
    fn open_again(&self) -> io::Result<()> {
        let path = c_path(&self.path)?;
        // SAFETY: the path is NUL-terminated, `stat` is valid as zeros, and the new descriptor is closed on every way
        // out. Replacing `self.fd` is the purpose: the caller passed it to the next program.
        unsafe {
            let new = libc::open(path.as_ptr(), self.flags | libc::O_CLOEXEC | libc::O_NOCTTY);
            if new < 0 {
                return Err(io::Error::last_os_error());
            }
            let mut stat: libc::stat = mem::zeroed();
            let is_same = libc::fstat(new, &raw mut stat) == 0 && (stat.st_dev, stat.st_ino) == self.identity;
            let done = if is_same {
                if self.offset > 0 {
                    libc::lseek(new, self.offset, libc::SEEK_SET);
                }
                if libc::dup2(new, self.fd) < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
            } else {
                Err(io::Error::from_raw_os_error(libc::ESTALE))
            };
            libc::close(new);
            done
        }
    }
}
