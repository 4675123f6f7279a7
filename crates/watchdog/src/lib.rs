//! Ends a run that exceeds its budget or crashes, after printing an answer.
//!
//! WHY a timer signal and not a second thread: starting a thread takes a tenth of the whole run, setting a timer next
//! to nothing. A signal also interrupts code that no thread could stop, such as a native built-in of the JavaScript
//! engine that never returns.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]
#![cfg_attr(unix, expect(unsafe_code, reason = "signal handlers and timers have no safe interface"))]

use std::borrow::Cow;
use std::time::Duration;

use session::CutShortLine;

/// The answer if the watchdog ends the run: prepared beforehand, since a signal handler must neither allocate nor
/// lock.
#[derive(Debug, Default)]
pub struct WatchdogAnswer {
    /// The answer for the host.
    pub answer: Cow<'static, str>,
    /// The answer after a crash, if it differs.
    pub crash_answer: Option<String>,
    /// The line for the session's journal.
    pub line: CutShortLine,
    /// The journal; the run keeps it open to its end.
    pub journal: Option<store::JournalHandle>,
}

/// The answer of a run that has decided; it replaces that of [`WatchdogAnswer`].
#[derive(Debug, Default)]
pub struct DecidedAnswer {
    /// The answer for the host, with its line break.
    pub answer: String,
    /// The line for the journal; `None` if it is the same as before.
    pub line: Option<CutShortLine>,
}

/// Whether a watchdog guards the run. It also ensures that only one answer goes out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Alarm {
    /// The run has its own process, which the watchdog may end.
    Armed,
    /// The run is inside a test; there is no watchdog.
    Unarmed,
}

impl Alarm {
    /// Sets the time of the watchdog and its answer.
    pub fn set(self, after: Duration, answer: WatchdogAnswer) {
        if self == Self::Armed {
            imp::set(after, answer);
        }
    }

    /// Replaces the watchdog's answer; its time stays.
    pub fn decide(self, decided: impl FnOnce() -> DecidedAnswer) {
        if self == Self::Armed {
            imp::decide(decided());
        }
    }

    /// Runs `write`. The watchdog does not answer meanwhile; afterwards it only ends the process.
    pub fn answering<T>(self, write: impl FnOnce() -> T) -> T {
        if self == Self::Unarmed {
            return write();
        }
        imp::begin_answer();
        let result = write();
        imp::end_answer();
        result
    }

    /// Ends the process of a finished run.
    ///
    /// WHY without dropping its values: freeing them would touch more memory than it returns.
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

    use super::{DecidedAnswer, WatchdogAnswer};

    const ASLEEP: u8 = 0;
    const WAITING: u8 = 1;
    const ANSWERING: u8 = 2;
    const ANSWERED: u8 = 3;

    static STAGE: AtomicU8 = AtomicU8::new(ASLEEP);
    static ANSWER: AtomicPtr<WatchdogAnswer> = AtomicPtr::new(std::ptr::null_mut());
    static DECIDED: AtomicPtr<DecidedAnswer> = AtomicPtr::new(std::ptr::null_mut());

    /// The number of pieces of a journal line.
    const N_PIECES: libc::c_int = 3;

    /// The signals of a crash: stack overflow, out of memory, an invalid pointer in the JavaScript engine.
    const CRASHES: [libc::c_int; 2] = [libc::SIGABRT, libc::SIGSEGV];

    /// The signals with which other processes ask this one to end. A host lets a call pass if its hook ends without an
    /// answer, so an agent's script that sends one gets the answer of a run out of time instead.
    const REQUESTS: [libc::c_int; 6] =
        [libc::SIGTERM, libc::SIGINT, libc::SIGHUP, libc::SIGQUIT, libc::SIGUSR1, libc::SIGUSR2];

    pub(super) fn decide(decided: DecidedAnswer) {
        // Leaked like `ANSWER`.
        DECIDED.store(Box::into_raw(Box::new(decided)), Ordering::SeqCst);
    }

    pub(super) fn set(after: Duration, answer: WatchdogAnswer) {
        // Leaked on purpose: the handler may run at any moment, and the process is short-lived.
        ANSWER.store(Box::into_raw(Box::new(answer)), Ordering::SeqCst);
        // Zero would disable the timer.
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
            install_handlers();
        }
        // SAFETY: the timer's value outlives the call.
        unsafe {
            libc::setitimer(libc::ITIMER_REAL, &raw const value, std::ptr::null_mut());
        }
    }

    /// Handles the signals that would end the process without an answer, and redirects stderr, so that messages of
    /// the runtime or the engine do not reach the host's screen.
    fn install_handlers() {
        handle(libc::SIGALRM, on_alarm);
        for signal in CRASHES {
            handle(signal, on_crash);
        }
        for signal in REQUESTS {
            handle(signal, on_request);
        }
        // SAFETY: no pointers but one to a constant; the lowest free number, which `open`
        // takes, is the one that was closed.
        unsafe {
            // A file at its size limit is an error of one `write`; it must not end the process.
            libc::signal(libc::SIGXFSZ, libc::SIG_IGN);
            libc::close(libc::STDERR_FILENO);
            libc::open(c"/dev/null".as_ptr(), libc::O_WRONLY);
        }
    }

    fn handle(signal: libc::c_int, handler: extern "C" fn(libc::c_int)) {
        // SAFETY: all zeros is a valid value; the handlers only make async-signal-safe calls. The runtime has set up
        // an alternate stack, which a stack overflow needs.
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
        // SAFETY: ends the process; all writes are done.
        unsafe { libc::_exit(0) }
    }

    extern "C" fn on_alarm(_signal: libc::c_int) {
        match STAGE.load(Ordering::SeqCst) {
            // The run is writing its own answer: check again later.
            ANSWERING => {
                let again = libc::itimerval {
                    it_interval: libc::timeval { tv_sec: 0, tv_usec: 0 },
                    it_value: libc::timeval { tv_sec: 0, tv_usec: 50_000 },
                };
                // SAFETY: as in `set`.
                unsafe { libc::setitimer(libc::ITIMER_REAL, &raw const again, std::ptr::null_mut()) };
                return;
            }
            WAITING => write_answer(End::OutOfTime),
            _ => {}
        }
        // SAFETY: ends the process without running more of our code.
        unsafe { libc::_exit(0) }
    }

    extern "C" fn on_crash(_signal: libc::c_int) {
        if STAGE.swap(ANSWERED, Ordering::SeqCst) == WAITING {
            write_answer(End::Crash);
        }
        // SAFETY: as above.
        unsafe { libc::_exit(0) }
    }

    extern "C" fn on_request(_signal: libc::c_int) {
        match STAGE.load(Ordering::SeqCst) {
            // The run is writing its own answer and ends then.
            ANSWERING => return,
            WAITING => write_answer(End::Request),
            _ => {}
        }
        // SAFETY: as above.
        unsafe { libc::_exit(0) }
    }

    /// Why the watchdog ends a run.
    #[derive(Clone, Copy, PartialEq, Eq)]
    enum End {
        OutOfTime,
        Crash,
        Request,
    }

    fn write_answer(end: End) {
        // SAFETY: the pointers are null or came from boxes that are never freed or changed.
        let (answer, decided) = unsafe {
            (
                ANSWER.load(Ordering::SeqCst).cast_const().as_ref(),
                DECIDED.load(Ordering::SeqCst).cast_const().as_ref(),
            )
        };
        let Some(prepared) = answer else { return };
        let crashed = prepared.crash_answer.as_ref().filter(|_| end == End::Crash);
        let decided_answer = decided.map(|decided| &decided.answer);
        let answer = decided_answer.or(crashed).map_or(&*prepared.answer, String::as_str);
        write_all(libc::STDOUT_FILENO, answer.as_bytes());
        // A run that was asked to end was neither out of time nor broken.
        let Some(journal) = prepared.journal.filter(|_| end != End::Request) else { return };
        let kind = if end == End::Crash { LineKind::ErrorCrash } else { LineKind::BudgetExceeded };
        let line = decided.and_then(|decided| decided.line.as_ref()).unwrap_or(&prepared.line);
        let pieces = [&line.before, kind.name(), &line.after]
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

    use super::{DecidedAnswer, WatchdogAnswer};

    static STAGE: AtomicU8 = AtomicU8::new(0);
    static ROUND: AtomicU64 = AtomicU64::new(0);
    static ANSWER: Mutex<Option<WatchdogAnswer>> = Mutex::new(None);

    pub(super) fn leave() -> ! {
        std::process::exit(0)
    }

    pub(super) fn set(after: Duration, answer: WatchdogAnswer) {
        if let Ok(mut slot) = ANSWER.lock() {
            *slot = Some(answer);
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
                if let Ok(Some(prepared)) = ANSWER.lock().map(|mut answer| answer.take()) {
                    let _ = std::io::stdout().write_all(prepared.answer.as_bytes());
                    // No line in the journal: another thread must not use a handle that the run is using.
                }
            }
            std::process::exit(0);
        });
    }

    pub(super) fn decide(decided: DecidedAnswer) {
        if let Ok(mut slot) = ANSWER.lock() {
            slot.get_or_insert_with(WatchdogAnswer::default).answer = decided.answer.into();
        }
    }

    pub(super) fn begin_answer() {
        STAGE.store(1, Ordering::SeqCst);
    }

    pub(super) fn end_answer() {
        STAGE.store(2, Ordering::SeqCst);
    }
}
