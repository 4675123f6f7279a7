//! A process that waits for a command whose changes must be merged, and ends as the command ended.
//!
//! Every other command takes the place of steersman. This one has a parent: it stays in the same process group, passes
//! on the signals that it receives, and stops and ends with the command.
#![expect(
    unsafe_code,
    reason = "a process that waits for another and passes on signals has no safe interface"
)]

use std::io;
use std::mem;
use std::ptr;

/// Which of the two processes returned from [`supervise`].
#[derive(Debug)]
pub enum Supervised {
    /// The child process, which becomes the command.
    Command,
    /// The parent process, which waited for it.
    Parent(CommandEnd),
}

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CommandEnd {
    /// The number of the process.
    pub process: i32,
    status: libc::c_int,
}

impl CommandEnd {
    /// Returns the exit code, or ends this process by the signal that ended the command.
    pub fn exit_code(self) -> u8 {
        if libc::WIFSIGNALED(self.status) {
            let signal = libc::WTERMSIG(self.status);
            // SAFETY: all zeros is a valid set; the calls change only how this process treats the signal. No second
            // memory image is written for a signal that dumps one.
            unsafe {
                libc::prctl(libc::PR_SET_DUMPABLE, 0, 0, 0, 0);
                libc::signal(signal, libc::SIG_DFL);
                let mut none: libc::sigset_t = mem::zeroed();
                libc::sigemptyset(&raw mut none);
                libc::sigprocmask(libc::SIG_SETMASK, &raw const none, ptr::null_mut());
                libc::kill(libc::getpid(), signal);
            }
            return u8::try_from(128 + signal).unwrap_or(u8::MAX);
        }
        u8::try_from(libc::WEXITSTATUS(self.status)).unwrap_or(u8::MAX)
    }

    /// Ends this process as the command ended.
    pub(super) fn follow(self) -> ! {
        let code = self.exit_code();
        // SAFETY: takes no pointer. The command has printed; this process has nothing left to do.
        unsafe { libc::_exit(code.into()) }
    }
}

/// Splits this process, which must have one thread, in two. The parent waits for the end of the other.
pub fn supervise() -> io::Result<Supervised> {
    split(|parent| parent_process() == parent, || {})
}

/// Splits this process as [`supervise`] does, with the other one as the first process of a pid namespace. `let_go` runs
/// in the parent.
pub(super) fn supervise_first_process(let_go: impl FnOnce()) -> io::Result<Supervised> {
    // Its parent has no number there.
    split(|_| parent_process() == 0, let_go)
}

/// Splits the first process of a pid namespace; `let_go` runs in it.
pub(super) fn supervise_second_process(let_go: impl FnOnce()) -> io::Result<Supervised> {
    split(|parent| parent_process() == parent, let_go)
}

fn parent_process() -> libc::pid_t {
    // SAFETY: the call cannot fail.
    unsafe { libc::getppid() }
}

fn split(has_parent: impl FnOnce(libc::pid_t) -> bool, let_go: impl FnOnce()) -> io::Result<Supervised> {
    // SAFETY: the sets are valid as zeros and filled before use. The process has one thread, so the child may call
    // anything. Signals are blocked from before the split, so none is lost, and the command gets the mask of the caller.
    unsafe {
        let (mut all, mut before): (libc::sigset_t, libc::sigset_t) = (mem::zeroed(), mem::zeroed());
        libc::sigfillset(&raw mut all);
        libc::sigprocmask(libc::SIG_SETMASK, &raw const all, &raw mut before);
        let parent = libc::getpid();
        let child = libc::fork();
        if child < 0 {
            let error = io::Error::last_os_error();
            libc::sigprocmask(libc::SIG_SETMASK, &raw const before, ptr::null_mut());
            return Err(error);
        }
        if child == 0 {
            // Without its parent no process would merge the changes of a command.
            libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL, 0, 0, 0);
            if !has_parent(parent) {
                libc::_exit(1);
            }
            libc::sigprocmask(libc::SIG_SETMASK, &raw const before, ptr::null_mut());
            return Ok(Supervised::Command);
        }
        let_go();
        let status = wait(child, &all);
        libc::sigprocmask(libc::SIG_SETMASK, &raw const before, ptr::null_mut());
        Ok(Supervised::Parent(CommandEnd { process: child, status }))
    }
}

/// Waits for the end of a child and passes on signals meanwhile. All signals must be blocked.
unsafe fn wait(child: libc::pid_t, all: &libc::sigset_t) -> libc::c_int {
    // SAFETY: the structures are valid as zeros and outlive the calls.
    unsafe {
        loop {
            let mut info: libc::siginfo_t = mem::zeroed();
            let signal = libc::sigwaitinfo(ptr::from_ref(all), &raw mut info);
            if signal == libc::SIGCHLD {
                let mut status = 0;
                let flags = libc::WNOHANG | libc::WUNTRACED;
                if libc::waitpid(child, &raw mut status, flags) != child {
                    continue;
                }
                if !libc::WIFSTOPPED(status) {
                    return status;
                }
                // The shell that waits for this process must see that the command has stopped.
                libc::kill(libc::getpid(), libc::SIGSTOP);
                libc::kill(child, libc::SIGCONT);
            } else if signal > 0 && info.si_code <= 0 {
                // The terminal signals the whole group, the command too; those do not come from a process.
                libc::kill(child, signal);
            }
        }
    }
}
