//! Waiting for a file's lock in line, but not forever.
//!
//! WHY not ask again and again: whoever asks at the right moment gets the lock then, and in a
//! crowd the same process can be unlucky until its patience ends. The system keeps those that
//! wait for it in order; it only knows no end of waiting, so a timer interrupts it.
#![cfg_attr(
    target_os = "linux",
    expect(unsafe_code, reason = "a timer that interrupts has no safe interface")
)]

use std::fs::{File, TryLockError};
use std::time::Duration;

/// Takes the lock of `file`, waiting for it at most `patience`.
pub fn lock(file: &File, patience: Duration) -> bool {
    match file.try_lock() {
        Ok(()) => true,
        Err(TryLockError::Error(_)) => false,
        Err(TryLockError::WouldBlock) => !patience.is_zero() && imp::wait(file, patience),
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

    /// Nobody else uses this one; the watchdog has the alarm.
    const SIGNAL: libc::c_int = libc::SIGVTALRM;

    /// If the first ring falls between two waits, the next one does not.
    const RINGS_AGAIN: Duration = Duration::from_millis(5);

    pub(super) fn wait(file: &File, patience: Duration) -> bool {
        let until = Instant::now() + patience;
        let Some(_timer) = Timer::ringing_after(patience) else { return false };
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

    /// A timer that interrupts whatever this thread waits for; gone when dropped.
    struct Timer(libc::timer_t);

    impl Timer {
        fn ringing_after(patience: Duration) -> Option<Self> {
            // SAFETY: all zeros is a valid value of each of these; the handler does nothing.
            // The signal goes to this very thread, which is the one that waits.
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
                rings.it_value = spec(patience);
                rings.it_interval = spec(RINGS_AGAIN);
                (libc::timer_settime(timer.0, 0, &raw const rings, ptr::null_mut()) == 0).then_some(timer)
            }
        }
    }

    impl Drop for Timer {
        fn drop(&mut self) {
            // SAFETY: it was made by us and is deleted once.
            unsafe { libc::timer_delete(self.0) };
        }
    }

    /// Returns the system's number for this thread.
    ///
    /// WHY not `libc::gettid`: the standard library asks for that one only if it is there, and
    /// in a static program that is optimised as a whole nobody is left who brings it along.
    fn thread_id() -> libc::c_int {
        // SAFETY: takes nothing and cannot fail.
        let id = unsafe { libc::syscall(libc::SYS_gettid) };
        libc::c_int::try_from(id).unwrap_or(0)
    }

    extern "C" fn nothing(_signal: libc::c_int) {}

    fn spec(duration: Duration) -> libc::timespec {
        // SAFETY: all zeros is a valid value; some systems pad it.
        let mut spec: libc::timespec = unsafe { mem::zeroed() };
        spec.tv_sec = i32::try_from(duration.as_secs()).unwrap_or(i32::MAX).into();
        spec.tv_nsec = duration.subsec_nanos().into();
        spec
    }
}

/// Where there are no such timers, asking again and again has to do.
#[cfg(not(target_os = "linux"))]
mod imp {
    use std::fs::File;
    use std::thread;
    use std::time::{Duration, Instant};

    pub(super) fn wait(file: &File, patience: Duration) -> bool {
        let until = Instant::now() + patience;
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
