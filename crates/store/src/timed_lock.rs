//! Waits for a file's lock in the order of arrival, up to a time limit.
//!
//! WHY not poll: under contention a poller may fail until its limit, because another process polls at
//! the right moment. The system queues blocked callers in order but has no time limit, so a timer
//! interrupts the call.
#![cfg_attr(
    target_os = "linux",
    expect(unsafe_code, reason = "a timer that interrupts has no safe interface")
)]

use std::fs::{File, TryLockError};
use std::time::Duration;

/// Takes the lock of `file`, waiting at most `timeout`. Returns whether it got the lock.
pub fn lock(file: &File, timeout: Duration) -> bool {
    match file.try_lock() {
        Ok(()) => true,
        Err(TryLockError::Error(_)) => false,
        Err(TryLockError::WouldBlock) => !timeout.is_zero() && imp::wait(file, timeout),
    }
}

#[cfg(target_os = "linux")]
mod imp {
    use std::fs::File;
    use std::io;
    use std::mem;
    use std::os::fd::AsRawFd;
    use std::ptr;
    use std::time::{Duration, Instant};

    /// Not used elsewhere; the watchdog uses the alarm signal.
    const SIGNAL: libc::c_int = libc::SIGVTALRM;

    /// If the first signal falls between two waits, the next one does not.
    const RINGS_AGAIN: Duration = Duration::from_millis(5);

    pub(super) fn wait(file: &File, timeout: Duration) -> bool {
        let until = Instant::now() + timeout;
        let Some(_timer) = Timer::ringing_after(timeout) else { return false };
        loop {
            // SAFETY: the file is open.
            if unsafe { libc::flock(file.as_raw_fd(), libc::LOCK_EX) } == 0 {
                return true;
            }
            let interrupted = io::Error::last_os_error().kind() == io::ErrorKind::Interrupted;
            if !interrupted || Instant::now() >= until {
                return false;
            }
        }
    }

    /// A timer that interrupts a blocking call of this thread until it is dropped.
    struct Timer(libc::timer_t);

    impl Timer {
        fn ringing_after(timeout: Duration) -> Option<Self> {
            // SAFETY: all zeros is a valid value of each of these; the handler does nothing. The
            // signal goes to this thread, which is the one that waits.
            unsafe {
                let mut action: libc::sigaction = mem::zeroed();
                action.sa_sigaction = nothing as extern "C" fn(libc::c_int) as libc::sighandler_t;
                if libc::sigaction(SIGNAL, &raw const action, ptr::null_mut()) != 0 {
                    return None;
                }
                let mut event: libc::sigevent = mem::zeroed();
                event.sigev_notify = libc::SIGEV_THREAD_ID;
                event.sigev_signo = SIGNAL;
                event.sigev_notify_thread_id = thread_id();
                let mut id: libc::timer_t = mem::zeroed();
                if libc::timer_create(libc::CLOCK_MONOTONIC, &raw mut event, &raw mut id) != 0 {
                    return None;
                }
                let timer = Self(id);
                let mut rings: libc::itimerspec = mem::zeroed();
                rings.it_value = spec(timeout);
                rings.it_interval = spec(RINGS_AGAIN);
                (libc::timer_settime(timer.0, 0, &raw const rings, ptr::null_mut()) == 0).then_some(timer)
            }
        }
    }

    impl Drop for Timer {
        fn drop(&mut self) {
            // SAFETY: we created it, and it is deleted once.
            unsafe { libc::timer_delete(self.0) };
        }
    }

    /// Returns the system's id of this thread.
    ///
    /// WHY not `libc::gettid`: the standard library references that one weakly, so in a static
    /// program with link-time optimisation the linker drops it.
    fn thread_id() -> libc::c_int {
        // SAFETY: the call takes no arguments and cannot fail.
        let id = unsafe { libc::syscall(libc::SYS_gettid) };
        libc::c_int::try_from(id).unwrap_or(0)
    }

    extern "C" fn nothing(_signal: libc::c_int) {}

    fn spec(duration: Duration) -> libc::timespec {
        // SAFETY: all zeros is a valid value; some systems pad the struct.
        let mut spec: libc::timespec = unsafe { mem::zeroed() };
        spec.tv_sec = i32::try_from(duration.as_secs()).unwrap_or(i32::MAX).into();
        spec.tv_nsec = duration.subsec_nanos().into();
        spec
    }
}

/// Polls: other systems have no such timers.
#[cfg(not(target_os = "linux"))]
mod imp {
    use std::fs::File;
    use std::thread;
    use std::time::{Duration, Instant};

    pub(super) fn wait(file: &File, timeout: Duration) -> bool {
        let until = Instant::now() + timeout;
        while Instant::now() < until {
            thread::sleep(Duration::from_micros(400));
            if file.try_lock().is_ok() {
                return true;
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU32, Ordering};
    use std::thread;
    use std::time::Instant;

    #[test]
    fn waiting_has_an_end() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("file");
        let (holder, waiter) = (File::create(&path).unwrap(), File::create(&path).unwrap());
        holder.lock().unwrap();
        let began = Instant::now();
        assert!(!lock(&waiter, Duration::from_millis(20)));
        assert!(began.elapsed() >= Duration::from_millis(20));
    }

    #[test]
    fn whoever_waits_gets_it_when_it_is_given_back() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("file");
        let holder = File::create(&path).unwrap();
        holder.lock().unwrap();
        let n_had = AtomicU32::new(0);
        thread::scope(|scope| {
            for _ in 0..16 {
                scope.spawn(|| {
                    let file = File::open(&path).unwrap();
                    assert!(lock(&file, Duration::from_mins(1)));
                    n_had.fetch_add(1, Ordering::SeqCst);
                });
            }
            thread::sleep(Duration::from_millis(20));
            assert_eq!(n_had.load(Ordering::SeqCst), 0);
            holder.unlock().unwrap();
        });
        assert_eq!(n_had.load(Ordering::SeqCst), 16);
    }
}
