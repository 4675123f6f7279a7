//! Whether a person is at the terminal of the agent program that waits for this hook.

use std::fs;
use std::path::Path;

use session::person;

/// Returns whether no user can answer at the agent program's own terminal: one of `flags` in its command line makes it run
/// without a person, or it has no terminal. Returns `false` if the system does not tell.
pub fn is_unattended(flags: &[&str]) -> bool {
    let Some((pid, _)) = person::host_process() else { return false };
    let process = Path::new("/proc").join(pid.to_string());
    let Ok(line) = fs::read(process.join("cmdline")) else { return false };
    let has_flag = line.split(|byte| *byte == 0).skip(1).any(|word| {
        let word = String::from_utf8_lossy(word);
        let name = word.split_once('=').map_or(&*word, |(name, _)| name);
        flags.contains(&name)
    });
    has_flag || !has_terminal(&process)
}

/// Returns whether input and output of a process are a terminal. Assumes so if the system does not tell.
fn has_terminal(process: &Path) -> bool {
    ["fd/0", "fd/1"].iter().all(|name| {
        let target = fs::read_link(process.join(name));
        target.map_or(true, |target| target.starts_with("/dev/pts") || target.starts_with("/dev/tty"))
    })
}
