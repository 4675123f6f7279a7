//! Work that waits for the end of the command this process becomes.
//!
//! A helper process shares the memory of this one, which costs less than copying it, and blocks until this process, by
//! then another program, has ended. Of the caller's descriptors it holds at most stderr, and it is in a session of its
//! own.
#![expect(unsafe_code, reason = "a helper that outlives this program has no safe interface")]

use std::ptr;

const PIDFD_OPEN: libc::c_long = 434;
const CLOSE_RANGE: libc::c_long = 436;

/// The first descriptor after the standard ones.
const FIRST_OTHER: libc::c_int = libc::STDERR_FILENO + 1;

const STACK: usize = 512 * 1024;

/// The inputs of the helper.
struct Work {
    process: libc::c_int,
    reports: bool,
    run: Box<dyn FnOnce()>,
}

/// Runs `work` in a helper process after this process has ended. Does nothing if the system has no way to wait.
///
/// A helper that `reports` holds stderr, so the reader of a pipe there waits for it: its work must be short.
///
/// The helper's parent does not see it by an ordinary `wait`: its end raises no signal.
pub fn after_exit(reports: bool, work: impl FnOnce() + 'static) {
    // SAFETY: takes no pointer.
    let process = unsafe { libc::syscall(PIDFD_OPEN, libc::getpid(), 0) };
    let Ok(process @ FIRST_OTHER..) = libc::c_int::try_from(process) else { return };
    let work = Box::into_raw(Box::new(Work { process, reports, run: Box::new(work) }));
    // SAFETY: the mapping is private and large enough; it and `work` are never freed here, and the helper is the only
    // user of both. The stack grows down from its aligned end.
    unsafe {
        let protection = libc::PROT_READ | libc::PROT_WRITE;
        let kind = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
        let stack = libc::mmap(ptr::null_mut(), STACK, protection, kind, -1, 0);
        if stack == libc::MAP_FAILED {
            return;
        }
        libc::clone(wait_and_run, stack.cast::<u8>().add(STACK).cast(), libc::CLONE_VM, work.cast());
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
        let last_closed = if (*work).reports { libc::STDERR_FILENO - 1 } else { libc::STDERR_FILENO };
        libc::syscall(CLOSE_RANGE, 0, last_closed, 0);
        if process > FIRST_OTHER {
            libc::syscall(CLOSE_RANGE, FIRST_OTHER, process - 1, 0);
        }
        libc::syscall(CLOSE_RANGE, process + 1, libc::c_uint::MAX, 0);
        let mut waiting = libc::pollfd { fd: process, events: libc::POLLIN, revents: 0 };
        while libc::poll(&raw mut waiting, 1, -1) < 0 {}
        let Work { run, .. } = *Box::from_raw(work);
        run();
        libc::_exit(0)
    }
}
