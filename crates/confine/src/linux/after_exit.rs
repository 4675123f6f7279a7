//! Work that waits for the end of the command this process becomes.
//!
//! A helper process shares the memory of this one, which costs less than copying it, and blocks until this process, by
//! then another program, has ended. Of the caller's descriptors it holds at most stderr, and it is in a session of its
//! own.
#![expect(unsafe_code, reason = "a helper that outlives this program has no safe interface")]

use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::ptr;

use super::system::send_own_mount_namespace;

const PIDFD_OPEN: libc::c_long = 434;
const CLOSE_RANGE: libc::c_long = 436;

/// The first descriptor after the standard ones.
const FIRST_OTHER: libc::c_int = libc::STDERR_FILENO + 1;

const STACK: usize = 512 * 1024;

/// The inputs of the helper.
struct Work {
    process: libc::c_int,
    /// Holds whatever [`NamespaceKeeper::keep`] hands over.
    held: libc::c_int,
    reports: bool,
    run: Box<dyn FnOnce()>,
}

/// The way to a helper process that outlives the command.
#[derive(Debug)]
pub struct NamespaceKeeper(OwnedFd);

impl NamespaceKeeper {
    /// Has the helper hold the mount namespace of this process, and with it the work of taking it down.
    ///
    /// WHY: the kernel would take it down before the parent learns that the command has ended: 75 to 115 µs at a load of 10 to
    /// 29 on two cores. If this fails, the kernel does just that.
    pub fn keep(self) {
        let _ = send_own_mount_namespace(&self.0);
    }
}

/// Runs `work` in a helper process after this process has ended. Does nothing if the system has no way to wait.
///
/// A helper that `reports` holds stderr, so the reader of a pipe there waits for it: its work must be short.
///
/// The helper's parent does not see it by an ordinary `wait`: its end raises no signal.
pub fn after_exit(reports: bool, work: impl FnOnce() + 'static) -> Option<NamespaceKeeper> {
    let mut pair = [-1; 2];
    // SAFETY: the array has room for both ends, which nothing else owns if the call succeeds.
    let keeper = unsafe {
        let kind = libc::SOCK_DGRAM | libc::SOCK_CLOEXEC;
        let is_made = libc::socketpair(libc::AF_UNIX, kind, 0, pair.as_mut_ptr()) == 0;
        is_made.then(|| (OwnedFd::from_raw_fd(pair[0]), NamespaceKeeper(OwnedFd::from_raw_fd(pair[1]))))
    };
    let held = keeper.as_ref().map_or(-1, |(held, _)| held.as_raw_fd());
    // SAFETY: takes no pointer.
    let process = unsafe { libc::syscall(PIDFD_OPEN, libc::getpid(), 0) };
    let Ok(process @ FIRST_OTHER..) = libc::c_int::try_from(process) else { return None };
    let work = Box::into_raw(Box::new(Work { process, held, reports, run: Box::new(work) }));
    // SAFETY: the mapping is private and large enough; it and `work` are never freed here, and the helper is the only
    // user of both. The stack grows down from its aligned end.
    unsafe {
        let protection = libc::PROT_READ | libc::PROT_WRITE;
        let kind = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
        let stack = libc::mmap(ptr::null_mut(), STACK, protection, kind, -1, 0);
        if stack == libc::MAP_FAILED {
            return None;
        }
        libc::clone(wait_and_run, stack.cast::<u8>().add(STACK).cast(), libc::CLONE_VM, work.cast());
    }
    // The helper has a copy of the other end.
    keeper.map(|(_, keeper)| keeper)
}

/// Closes the descriptors from `first` to `last`, of which there may be none.
///
/// # Safety
/// Nothing uses one of them again.
unsafe fn close_all(first: libc::c_int, last: libc::c_uint) {
    if first.cast_unsigned() <= last {
        // SAFETY: the caller uses none of them again.
        unsafe { libc::syscall(CLOSE_RANGE, first, last, 0) };
    }
}

extern "C" fn wait_and_run(work: *mut libc::c_void) -> libc::c_int {
    // SAFETY: `work` comes from `after_exit`, which gave it up. Until `poll` returns, the process that made this one may
    // still run in the same memory, so nothing here allocates or uses the standard library; these calls do not fail and
    // so do not write `errno`. After that the other process has left this memory.
    unsafe {
        let work = work.cast::<Work>();
        let process = (*work).process;
        libc::setsid();
        libc::chdir(c"/".as_ptr());
        let held = (*work).held;
        let last_closed = if (*work).reports { libc::STDERR_FILENO - 1 } else { libc::STDERR_FILENO };
        close_all(0, last_closed.cast_unsigned());
        let (lower, upper) =
            if held < 0 { (process, process) } else { (held.min(process), held.max(process)) };
        close_all(FIRST_OTHER, lower.cast_unsigned() - 1);
        close_all(lower + 1, upper.cast_unsigned() - 1);
        close_all(upper + 1, libc::c_uint::MAX);
        let mut waiting = libc::pollfd { fd: process, events: libc::POLLIN, revents: 0 };
        while libc::poll(&raw mut waiting, 1, -1) < 0 {}
        // Takes the mounts down, before the work removes the folders that they were on.
        if held >= 0 {
            libc::close(held);
        }
        let Work { run, .. } = *Box::from_raw(work);
        run();
        libc::_exit(0)
    }
}

#[cfg(test)]
mod tests {
    use std::fs::{self, File};
    use std::mem;
    use std::os::unix::fs::MetadataExt;
    use std::os::unix::net::UnixDatagram;

    use super::*;

    /// Returns the descriptor in the next message.
    fn received(socket: &UnixDatagram) -> File {
        #[repr(C, align(8))]
        struct Control([u8; 32]);
        // SAFETY: all zeros is a valid message; the buffer is aligned for the header that the system writes; the descriptor
        // in it is new, so nothing else owns it.
        unsafe {
            let mut control = Control([0; 32]);
            let mut message: libc::msghdr = mem::zeroed();
            message.msg_control = control.0.as_mut_ptr().cast();
            message.msg_controllen = 32;
            assert_eq!(libc::recvmsg(socket.as_raw_fd(), &raw mut message, libc::MSG_DONTWAIT), 0);
            let header = libc::CMSG_FIRSTHDR(&raw const message);
            File::from_raw_fd(libc::CMSG_DATA(header).cast::<libc::c_int>().read_unaligned())
        }
    }

    #[test]
    fn what_the_helper_holds_is_the_mount_namespace_of_this_process() {
        let (held, keeper) = UnixDatagram::pair().unwrap();
        NamespaceKeeper(keeper.into()).keep();
        let own = fs::metadata("/proc/self/ns/mnt").unwrap();
        let kept = received(&held).metadata().unwrap();
        assert_eq!((kept.dev(), kept.ino()), (own.dev(), own.ino()));
    }
}
