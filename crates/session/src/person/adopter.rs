//! Finds the process that adopts those whose parent has ended.
//!
//! WHY a trial: any process can ask the kernel to adopt the orphans beneath it, and no file shows which have.
#![expect(unsafe_code, reason = "the standard library cannot split a process")]

use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::pipe::{PipeFlags, pipe_with};

/// How often the orphan checks whether it was adopted.
const PAUSE: Duration = Duration::from_micros(100);

/// How often at most.
const MOST_CHECKS: u32 = 2000;

/// Returns the process that adopts the orphans beneath the parents of this process, which must have one thread.
/// Returns `None` if the system refuses.
pub(super) fn nearest() -> Option<u32> {
    let (read, write) = pipe_with(PipeFlags::CLOEXEC).ok()?;
    // SAFETY: the process has one thread. Both children call only functions that are safe after a split and leave by
    // `_exit`, without the parent's cleanup.
    let child = unsafe {
        let child = libc::fork();
        if child == 0 {
            let parent = libc::getpid();
            if libc::fork() != 0 {
                libc::_exit(0);
            }
            // The host waits for the end of the output, and must not wait for this process.
            for descriptor in 0..3 {
                libc::close(descriptor);
            }
            for _ in 0..MOST_CHECKS {
                if libc::getppid() != parent {
                    break;
                }
                libc::usleep(PAUSE.subsec_micros());
            }
            let adopter = libc::getppid();
            if adopter != parent {
                let _ = rustix::io::write(&write, &adopter.to_ne_bytes());
            }
            libc::_exit(0);
        }
        child
    };
    drop(write);
    let child = rustix::process::Pid::from_raw(child).filter(|_| child > 0)?;
    let _ = rustix::process::waitpid(Some(child), rustix::process::WaitOptions::empty());
    let limit = PAUSE * MOST_CHECKS * 2;
    let limit = Timespec { tv_sec: 0, tv_nsec: limit.subsec_nanos().into() };
    poll(&mut [PollFd::new(&read, PollFlags::IN)], Some(&limit)).ok().filter(|n_ready| *n_ready > 0)?;
    let mut bytes = [0; 4];
    let n_bytes = rustix::io::read(&read, &mut bytes).ok()?;
    u32::try_from(i32::from_ne_bytes(bytes)).ok().filter(|_| n_bytes == bytes.len())
}
