//! The hard end of a run: when the time is up, the answer goes out, whatever hangs.
//!
//! A timer signal rather than a second thread: making a thread costs a tenth of the
//! whole run, setting a timer next to nothing. The signal also ends what no thread
//! could, such as a native built-in of the JavaScript engine that never returns.
#![cfg_attr(unix, expect(unsafe_code, reason = "signal handlers and timers have no safe interface"))]

use std::borrow::Cow;
use std::time::Duration;

/// What goes out if the time is up: prepared beforehand, since a signal handler may
/// neither allocate nor lock.
#[derive(Debug, Default)]
pub struct LastWords {
    /// The answer for the host.
    pub answer: Cow<'static, str>,
    /// A line for the session's journal.
    pub journal_line: String,
    /// The journal to put it in; the run keeps it open to its end.
    pub journal: Option<store::JournalHandle>,
}

/// Says when the answer is on its way, so that it goes out once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Alarm {
    /// A process of its own: the watchdog ends it.
    Armed,
    /// A run inside a test: there is nothing to end.
    Unarmed,
}

impl Alarm {
    /// Sets the end of the run, and what is said then.
    pub fn set(self, after: Duration, words: LastWords) {
        if self == Self::Armed {
            imp::set(after, words);
        }
    }

    /// Runs `write`, during which the watchdog stays quiet; afterwards it only ends the process.
    pub fn answering<T>(self, write: impl FnOnce() -> T) -> T {
        if self == Self::Unarmed {
            return write();
        }
        imp::begin_answer();
        let result = write();
        imp::end_answer();
        result
    }
}

#[cfg(unix)]
mod imp {
    use std::sync::atomic::{AtomicPtr, AtomicU8, Ordering};
    use std::time::Duration;

    use super::LastWords;

    const ASLEEP: u8 = 0;
    const WAITING: u8 = 1;
    const ANSWERING: u8 = 2;
    const ANSWERED: u8 = 3;

    static STAGE: AtomicU8 = AtomicU8::new(ASLEEP);
    static WORDS: AtomicPtr<LastWords> = AtomicPtr::new(std::ptr::null_mut());

    pub(super) fn set(after: Duration, words: LastWords) {
        // Leaked on purpose: the handler may run at any moment, and the process is short.
        WORDS.store(Box::into_raw(Box::new(words)), Ordering::SeqCst);
        // A zero timer would switch the alarm off.
        let after = after.max(Duration::from_millis(1));
        let value = libc::itimerval {
            it_interval: libc::timeval { tv_sec: 0, tv_usec: 0 },
            it_value: libc::timeval {
                tv_sec: after.as_secs().cast_signed(),
                tv_usec: after.subsec_micros().cast_signed().into(),
            },
        };
        let is_first = STAGE.compare_exchange(ASLEEP, WAITING, Ordering::SeqCst, Ordering::SeqCst).is_ok();
        let handler = on_alarm as extern "C" fn(libc::c_int);
        // SAFETY: the handler only makes calls that are safe in a signal handler, and the
        // timer's value outlives the call.
        unsafe {
            if is_first {
                libc::signal(libc::SIGALRM, handler as libc::sighandler_t);
            }
            libc::setitimer(libc::ITIMER_REAL, &raw const value, std::ptr::null_mut());
        }
    }

    pub(super) fn begin_answer() {
        STAGE.store(ANSWERING, Ordering::SeqCst);
    }

    pub(super) fn end_answer() {
        STAGE.store(ANSWERED, Ordering::SeqCst);
    }

    extern "C" fn on_alarm(_signal: libc::c_int) {
        match STAGE.load(Ordering::SeqCst) {
            // The run is writing its own answer this very moment: let it, and look again.
            ANSWERING => {
                let again = libc::itimerval {
                    it_interval: libc::timeval { tv_sec: 0, tv_usec: 0 },
                    it_value: libc::timeval { tv_sec: 0, tv_usec: 50_000 },
                };
                // SAFETY: as in `set`.
                unsafe { libc::setitimer(libc::ITIMER_REAL, &raw const again, std::ptr::null_mut()) };
                return;
            }
            WAITING => speak(WORDS.load(Ordering::SeqCst)),
            _ => {}
        }
        // SAFETY: ends the process without running anything of ours.
        unsafe { libc::_exit(0) }
    }

    fn speak(words: *const LastWords) {
        // SAFETY: the pointer is null or came from a box that is never freed or changed.
        let Some(words) = (unsafe { words.as_ref() }) else { return };
        write_all(libc::STDOUT_FILENO, words.answer.as_bytes());
        if let Some(journal) = words.journal {
            write_all(journal.as_raw_fd(), words.journal_line.as_bytes());
        }
    }

    fn write_all(fd: libc::c_int, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            // SAFETY: the slice is valid for its length; `write` is safe in a handler.
            let n_written = unsafe { libc::write(fd, bytes.as_ptr().cast(), bytes.len()) };
            match usize::try_from(n_written) {
                Ok(n_written) if n_written > 0 => bytes = &bytes[n_written..],
                _ => return,
            }
        }
    }
}

#[cfg(not(unix))]
mod imp {
    use std::io::Write;
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
    use std::time::Duration;

    use super::LastWords;

    static STAGE: AtomicU8 = AtomicU8::new(0);
    static ROUND: AtomicU64 = AtomicU64::new(0);
    static WORDS: Mutex<Option<LastWords>> = Mutex::new(None);

    pub(super) fn set(after: Duration, words: LastWords) {
        if let Ok(mut slot) = WORDS.lock() {
            *slot = Some(words);
        }
        let round = ROUND.fetch_add(1, Ordering::SeqCst) + 1;
        std::thread::spawn(move || {
            std::thread::sleep(after);
            if ROUND.load(Ordering::SeqCst) != round {
                return;
            }
            if STAGE.load(Ordering::SeqCst) == 1 {
                std::thread::sleep(Duration::from_millis(50));
            } else if STAGE.load(Ordering::SeqCst) == 0 {
                if let Ok(Some(words)) = WORDS.lock().map(|mut words| words.take()) {
                    let _ = std::io::stdout().write_all(words.answer.as_bytes());
                    // The journal's line is the signal handler's alone: another thread has no
                    // business with a handle the run is using.
                }
            }
            std::process::exit(0);
        });
    }

    pub(super) fn begin_answer() {
        STAGE.store(1, Ordering::SeqCst);
    }

    pub(super) fn end_answer() {
        STAGE.store(2, Ordering::SeqCst);
    }
}
