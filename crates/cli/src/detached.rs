//! Starts this program again as a process that outlives a hook and has no waiting parent.

use std::ffi::OsStr;
use std::process::{Command, Stdio};

/// Starts a command of this program. Ignores errors: the hook has answered, so no program would read them.
#[expect(clippy::disallowed_methods, reason = "this program, which must not be waited for")]
pub(crate) fn start(args: impl IntoIterator<Item = impl AsRef<OsStr>>) {
    let Some(program) = crate::environment::running_program() else { return };
    let mut command = Command::new(program);
    command.args(args);
    // Descriptors of the host would keep it waiting for their end.
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let _ = command.spawn();
}
