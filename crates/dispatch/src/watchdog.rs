//! The hard end of a run: when the time is up or the process is about to be ended, the
//! answer goes out, whatever hangs or breaks.
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
    /// The answer if it is no lack of time but a crash; else it is the same.
    pub crash_answer: Option<String>,
    /// A line for the session's journal.
    pub line: CutShort,
    /// The journal to put it in; the run keeps it open to its end.
    pub journal: Option<store::JournalHandle>,
}

/// The line about a run that was ended, in the pieces that stand around what is known only then.
#[derive(Debug, Default)]
pub struct CutShort {
    /// Up to the word for what happened.
    pub before: String,
    /// From there to what was decided by then.
    pub after: String,
    /// What follows that.
    pub end: &'static str,
}

/// What is decided and stands, whatever happens after it.
#[derive(Debug, Default)]
pub struct Said {
    /// The answer for the host.
    pub answer: String,
    /// The decision as fields for the journal's line.
    pub fields: String,
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

    /// Replaces the answer that goes out if the time is up; what is left of it stays.
    pub fn say(self, mut said: Said) {
        if self == Self::Armed {
            said.answer.push('\n');
            imp::say(said);
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

    /// Ends the process of a run that is done. To take down piece by piece what the run has built
    /// would only touch more memory than it gives back.
    pub fn leave(self) {
        if self == Self::Armed {
            imp::leave();
        }
    }
}

#[cfg(unix)]
mod imp {
    use std::sync::atomic::{AtomicPtr, AtomicU8, Ordering};
    use std::time::Duration;

    use event::LineKind;

    use super::{LastWords, Said};

    const ASLEEP: u8 = 0;
    const WAITING: u8 = 1;
    const ANSWERING: u8 = 2;
    const ANSWERED: u8 = 3;

    static STAGE: AtomicU8 = AtomicU8::new(ASLEEP);
    static WORDS: AtomicPtr<LastWords> = AtomicPtr::new(std::ptr::null_mut());
    static SAID: AtomicPtr<Said> = AtomicPtr::new(std::ptr::null_mut());

    /// How many pieces a line is put together from.
    const N_PIECES: libc::c_int = 5;

    /// Signals that end a process which has done something it could not help: ran out of
    /// stack, ran out of memory, followed a pointer of the JavaScript engine's.
    const CRASHES: [libc::c_int; 2] = [libc::SIGABRT, libc::SIGSEGV];

    pub(super) fn say(said: Said) {
        // Leaked like the words.
        SAID.store(Box::into_raw(Box::new(said)), Ordering::SeqCst);
    }

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
        if is_first {
            stand_guard();
        }
        // SAFETY: the timer's value outlives the call.
        unsafe {
            libc::setitimer(libc::ITIMER_REAL, &raw const value, std::ptr::null_mut());
        }
    }

    /// Takes over the signals that would end the process without an answer, and keeps what
    /// the runtime or the engine says at such moments from the host's screen.
    fn stand_guard() {
        handle(libc::SIGALRM, on_alarm);
        for signal in CRASHES {
            handle(signal, on_crash);
        }
        // SAFETY: no pointers but one to a constant; the lowest free number, which `open`
        // takes, is the one that was closed.
        unsafe {
            // A file that may not grow any more is an error of one `write`, not the end.
            libc::signal(libc::SIGXFSZ, libc::SIG_IGN);
            libc::close(libc::STDERR_FILENO);
            libc::open(c"/dev/null".as_ptr(), libc::O_WRONLY);
        }
    }

    fn handle(signal: libc::c_int, handler: extern "C" fn(libc::c_int)) {
        // SAFETY: all zeros is a valid value; the handlers only make calls that are safe in
        // one. The runtime has made a stack for handlers, which a full stack needs.
        unsafe {
            let mut action: libc::sigaction = std::mem::zeroed();
            action.sa_sigaction = handler as libc::sighandler_t;
            action.sa_flags = libc::SA_ONSTACK | libc::SA_RESTART;
            libc::sigaction(signal, &raw const action, std::ptr::null_mut());
        }
    }

    pub(super) fn begin_answer() {
        STAGE.store(ANSWERING, Ordering::SeqCst);
    }

    pub(super) fn end_answer() {
        STAGE.store(ANSWERED, Ordering::SeqCst);
    }

    pub(super) fn leave() -> ! {
        // SAFETY: ends the process; what is to be written has been written.
        unsafe { libc::_exit(0) }
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
            WAITING => speak(End::OutOfTime),
            _ => {}
        }
        // SAFETY: ends the process without running anything of ours.
        unsafe { libc::_exit(0) }
    }

    extern "C" fn on_crash(_signal: libc::c_int) {
        if STAGE.swap(ANSWERED, Ordering::SeqCst) == WAITING {
            speak(End::Crash);
        }
        // SAFETY: as above.
        unsafe { libc::_exit(0) }
    }

    /// Why a run ends before it is done.
    #[derive(Clone, Copy, PartialEq, Eq)]
    enum End {
        OutOfTime,
        Crash,
    }

    fn speak(end: End) {
        // SAFETY: the pointers are null or came from boxes that are never freed or changed.
        let (words, said) = unsafe {
            (
                WORDS.load(Ordering::SeqCst).cast_const().as_ref(),
                SAID.load(Ordering::SeqCst).cast_const().as_ref(),
            )
        };
        let Some(words) = words else { return };
        let crashed = words.crash_answer.as_ref().filter(|_| end == End::Crash);
        let answer = said.map(|said| &said.answer).or(crashed).map_or(&*words.answer, String::as_str);
        write_all(libc::STDOUT_FILENO, answer.as_bytes());
        let Some(journal) = words.journal else { return };
        let kind = if end == End::Crash { LineKind::ErrorCrash } else { LineKind::BudgetExceeded };
        let fields = said.map_or("", |said| &said.fields);
        let line = &words.line;
        let pieces = [&line.before, kind.name(), &line.after, fields, line.end]
            .map(|piece| libc::iovec { iov_base: piece.as_ptr().cast_mut().cast(), iov_len: piece.len() });
        // SAFETY: the pieces are only read, and outlive the call. One call, so that the line is
        // whole among those of other processes.
        unsafe { libc::writev(journal.as_raw_fd(), pieces.as_ptr(), N_PIECES) };
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

    use super::{LastWords, Said};

    static STAGE: AtomicU8 = AtomicU8::new(0);
    static ROUND: AtomicU64 = AtomicU64::new(0);
    static WORDS: Mutex<Option<LastWords>> = Mutex::new(None);

    pub(super) fn leave() -> ! {
        std::process::exit(0)
    }

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

    pub(super) fn say(said: Said) {
        if let Ok(mut slot) = WORDS.lock() {
            slot.get_or_insert_with(LastWords::default).answer = said.answer.into();
        }
    }

    pub(super) fn begin_answer() {
        STAGE.store(1, Ordering::SeqCst);
    }

    pub(super) fn end_answer() {
        STAGE.store(2, Ordering::SeqCst);
    }
}
