//! Runs a process under the kernel's tracing interface and kills it just before one of its system calls that write.
#![expect(unsafe_code, reason = "tracing a process has no safe interface in these dependencies")]

use std::io::{self, Write};
use std::mem;
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::ptr;

/// How a traced process ended.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Ending {
    /// By itself.
    Exited,
    /// It was killed before this system call.
    KilledBefore(String),
}

/// The system calls that change files.
const WRITING: &[(libc::c_long, &str)] = &[
    (libc::SYS_write, "write"),
    (libc::SYS_writev, "writev"),
    (libc::SYS_pwrite64, "pwrite64"),
    (libc::SYS_ftruncate, "ftruncate"),
    (libc::SYS_fallocate, "fallocate"),
    (libc::SYS_flock, "flock"),
    (libc::SYS_fchmod, "fchmod"),
    (libc::SYS_utimensat, "utimensat"),
    (libc::SYS_linkat, "linkat"),
    (libc::SYS_mkdirat, "mkdirat"),
    (libc::SYS_renameat2, "renameat2"),
    (libc::SYS_unlinkat, "unlinkat"),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_mkdir, "mkdir"),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_rename, "rename"),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_unlink, "unlink"),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_rmdir, "rmdir"),
];

/// Starts the command with this on stdin, and kills it before the writing system call with this number, counted from 0.
#[expect(clippy::zombie_processes, reason = "the loop waits for it, as tracing demands")]
pub(super) fn run(mut command: Command, stdin: &[u8], kill_before: usize) -> Ending {
    let trace_me = || match unsafe { libc::ptrace(libc::PTRACE_TRACEME, 0, ptr::null_mut::<u8>(), 0) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    };
    // SAFETY: `ptrace` is safe to call between fork and exec.
    unsafe { command.pre_exec(trace_me) };
    let mut child = command.spawn().unwrap();
    let pid = libc::pid_t::try_from(child.id()).unwrap();
    // The payload fits into the pipe.
    child.stdin.take().unwrap().write_all(stdin).unwrap();
    let mut n_writing = 0;
    let mut killed = None;
    assert_eq!(wait(pid), Stop::Signal(libc::SIGTRAP), "it stops at its start");
    set_options(pid);
    let mut signal = 0;
    loop {
        resume(pid, signal);
        signal = 0;
        match wait(pid) {
            Stop::Ended => break,
            Stop::Signal(other) => signal = other,
            Stop::SystemCall => {
                let Some(name) = writing_call(pid) else { continue };
                if n_writing == kill_before {
                    killed = Some(name.to_owned());
                    // SAFETY: the process is our child and has not been waited for.
                    unsafe { libc::kill(pid, libc::SIGKILL) };
                }
                n_writing += 1;
            }
        }
    }
    killed.map_or(Ending::Exited, Ending::KilledBefore)
}

#[derive(Debug, PartialEq, Eq)]
enum Stop {
    Ended,
    SystemCall,
    Signal(libc::c_int),
}

fn wait(pid: libc::pid_t) -> Stop {
    let mut status = 0;
    // SAFETY: the process is our child, and `status` outlives the call.
    let waited = unsafe { libc::waitpid(pid, &raw mut status, 0) };
    assert_eq!(waited, pid, "{}", io::Error::last_os_error());
    if libc::WIFEXITED(status) || libc::WIFSIGNALED(status) {
        return Stop::Ended;
    }
    match libc::WSTOPSIG(status) {
        stop if stop == libc::SIGTRAP | 0x80 => Stop::SystemCall,
        signal => Stop::Signal(signal),
    }
}

fn set_options(pid: libc::pid_t) {
    let options = libc::PTRACE_O_TRACESYSGOOD | libc::PTRACE_O_EXITKILL;
    // SAFETY: the process is stopped and traced by this thread.
    let set = unsafe { libc::ptrace(libc::PTRACE_SETOPTIONS, pid, ptr::null_mut::<u8>(), options) };
    assert_eq!(set, 0, "{}", io::Error::last_os_error());
}

fn resume(pid: libc::pid_t, signal: libc::c_int) {
    // SAFETY: the process is stopped and traced by this thread. It may have been killed meanwhile, which `wait` reports.
    unsafe { libc::ptrace(libc::PTRACE_SYSCALL, pid, ptr::null_mut::<u8>(), signal) };
}

/// Returns the name of the system call that the process is about to make, if it writes.
fn writing_call(pid: libc::pid_t) -> Option<&'static str> {
    // SAFETY: all zeros is a valid value; the kernel writes at most the given size.
    let info = unsafe {
        let mut info: libc::ptrace_syscall_info = mem::zeroed();
        let size = size_of::<libc::ptrace_syscall_info>();
        libc::ptrace(libc::PTRACE_GET_SYSCALL_INFO, pid, size, &raw mut info);
        info
    };
    if info.op != libc::PTRACE_SYSCALL_INFO_ENTRY {
        return None;
    }
    // SAFETY: at an entry the kernel fills this variant.
    let entry = unsafe { info.u.entry };
    let (_, name) = WRITING.iter().find(|(number, _)| u64::try_from(*number) == Ok(entry.nr))?;
    // Stdout is 1: an answer that is cut off is not a state on disk.
    (*name != "write" || entry.args[0] > 2).then_some(*name)
}
