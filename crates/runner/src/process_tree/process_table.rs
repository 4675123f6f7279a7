//! The processes of this machine, as listed in `/proc`.

use std::fs;

/// One process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Process {
    pub(super) pid: i32,
    pub(super) parent: i32,
    pub(super) group: i32,
    pub(super) session: i32,
    /// Start time in ticks since boot: identifies the process together with its pid.
    pub(super) began: u64,
    pub(super) is_dead: bool,
}

/// Reads all processes, without those that exit during the read.
pub(super) fn read() -> Vec<Process> {
    let Ok(entries) = fs::read_dir("/proc") else { return Vec::new() };
    entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok()).filter_map(of).collect()
}

/// Reads one process; `None` if it does not exist.
pub(super) fn of(pid: i32) -> Option<Process> {
    parse(pid, &fs::read_to_string(format!("/proc/{pid}/stat")).ok()?)
}

/// Returns whether the process was started with `variable` set to `value`.
pub(super) fn carries(pid: i32, variable: &str, value: &str) -> bool {
    let Ok(environment) = fs::read(format!("/proc/{pid}/environ")) else { return false };
    let wanted = format!("{variable}={value}");
    environment.split(|byte| *byte == 0).any(|entry| entry == wanted.as_bytes())
}

/// Parses `/proc/PID/stat`. The program name is in parentheses and may itself contain some.
fn parse(pid: i32, stat: &str) -> Option<Process> {
    let mut fields = stat[stat.rfind(')')? + 1..].split_ascii_whitespace();
    let state = fields.next()?;
    let parent = fields.next()?.parse().ok()?;
    let group = fields.next()?.parse().ok()?;
    let session = fields.next()?.parse().ok()?;
    let began = fields.nth(15)?.parse().ok()?;
    Some(Process { pid, parent, group, session, began, is_dead: matches!(state, "Z" | "X") })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_may_have_any_name() {
        let stat = "77 (a) b (c) S 5 70 60 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 12345 999 1";
        let process = Process { pid: 77, parent: 5, group: 70, session: 60, began: 12345, is_dead: false };
        assert_eq!(parse(77, stat), Some(process));
    }

    #[test]
    fn we_are_in_the_table() {
        let pid = i32::try_from(std::process::id()).unwrap();
        assert!(read().iter().any(|process| process.pid == pid && !process.is_dead));
    }
}
