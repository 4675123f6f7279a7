//! Becomes another program, with the signals as the caller left them.
#![expect(unsafe_code, reason = "executing a program in place has no safe interface that keeps signals")]

use std::ffi::{CString, OsStr, OsString};
use std::io;
use std::mem;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::ptr;
use std::sync::atomic::{AtomicBool, Ordering};

use super::system::c_path;

/// Whether the caller ignores the signal of a broken pipe.
static IGNORES_BROKEN_PIPES: AtomicBool = AtomicBool::new(false);

/// Records signal dispositions before the runtime of the language changes them: it ignores the signal of a broken
/// pipe, which the next program would inherit.
#[derive(Debug)]
pub struct SignalDispositions;

impl SignalDispositions {
    /// Records them. To be called by the loader, before `main`.
    pub extern "C" fn record() {
        // SAFETY: all zeros is a valid value; the call only reads.
        let ignores = unsafe {
            let mut action: libc::sigaction = mem::zeroed();
            libc::sigaction(libc::SIGPIPE, ptr::null(), &raw mut action) == 0
                && action.sa_sigaction == libc::SIG_IGN
        };
        IGNORES_BROKEN_PIPES.store(ignores, Ordering::Relaxed);
    }

    fn restore() {
        if !IGNORES_BROKEN_PIPES.load(Ordering::Relaxed) {
            // SAFETY: installs no handler.
            unsafe { libc::signal(libc::SIGPIPE, libc::SIG_DFL) };
        }
    }
}

/// Sets a variable for the next program, or removes it.
pub fn set_variable(name: &str, value: Option<&OsStr>) {
    let Ok(name) = CString::new(name) else { return };
    match value.map(|value| CString::new(value.as_bytes())) {
        // SAFETY: both strings are NUL-terminated, and the process has one thread.
        Some(Ok(value)) => drop(unsafe { libc::setenv(name.as_ptr(), value.as_ptr(), 1) }),
        Some(Err(_)) => {}
        // SAFETY: as above.
        None => drop(unsafe { libc::unsetenv(name.as_ptr()) }),
    }
}

/// Becomes the program `command[0]`, found as a shell finds it, with another folder for temporary files if one is
/// given. Returns only an error.
pub fn execute(command: &[OsString], temporary: Option<&Path>) -> io::Error {
    if let Some(folder) = temporary
        && let Ok(folder) = c_path(folder)
    {
        // SAFETY: both strings are NUL-terminated, and the process has one thread.
        unsafe { libc::setenv(c"TMPDIR".as_ptr(), folder.as_ptr(), 1) };
    }
    let words: Result<Vec<CString>, _> = command.iter().map(|word| CString::new(word.as_bytes())).collect();
    let Ok(words) = words else { return io::Error::from_raw_os_error(libc::EINVAL) };
    let Some(program) = words.first() else { return io::Error::from_raw_os_error(libc::ENOENT) };
    let pointers: Vec<_> = words.iter().map(|word| word.as_ptr()).chain([ptr::null()]).collect();
    SignalDispositions::restore();
    // SAFETY: every word is NUL-terminated, and a null pointer ends the list.
    unsafe { libc::execvp(program.as_ptr(), pointers.as_ptr()) };
    io::Error::last_os_error()
}
