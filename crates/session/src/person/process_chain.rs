//! The processes above this one, from its parent to the first of the system.
//!
//! Only Linux tells: elsewhere the chain is empty, and nothing is known about who asks.

use std::fs::{self, File};
use std::io::Read;
#[cfg(unix)]
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::programs::REMOTE_LOGINS;

/// More ancestors than a process has.
const MOST: usize = 128;

/// A process, which its start time distinguishes from later ones with the same number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Process {
    pub(super) pid: u32,
    pub(super) parent: u32,
    /// When it started, in ticks since the system did.
    pub(super) started: u64,
    /// The name of its program.
    pub(super) program: String,
    /// Whether the program is one of the system, which this user cannot replace.
    pub(super) is_of_system: bool,
    /// Whether it runs as the administrator, as whom this process and an agent of the same user do not.
    pub(super) is_of_administrator: bool,
    /// Whether it serves a login over the network that came from this machine, or hides from where.
    pub(super) is_login_from_here: bool,
}

/// The agent program that calls a hook.
#[derive(Debug)]
pub(super) struct Caller {
    /// Its number and its start.
    pub(super) identity: (u32, u64),
    /// The name of its program.
    pub(super) program: String,
}

impl Process {
    /// Returns its number and its start, which no other process has.
    pub(super) fn identity(&self) -> (u32, u64) {
        (self.pid, self.started)
    }
}

/// Returns the ancestors of this process, the parent first.
pub(super) fn ancestors() -> Vec<Process> {
    process("self").map(|own| above(&own)).unwrap_or_default()
}

/// Returns a process and its ancestors. Returns an empty chain if the process does not exist.
pub(super) fn chain_of(pid: u32) -> Vec<Process> {
    let Some(first) = process(&pid.to_string()).filter(|process| process.pid == pid) else {
        return Vec::new();
    };
    let above = above(&first);
    std::iter::once(first).chain(above).collect()
}

/// Returns whether a chain leads to the first process of the system. A process that ends while the chain is read cuts it,
/// and so does a chain that is too long to read; a parent that is younger than its child has taken a freed number.
///
/// WHY an empty chain is whole: this system does not list its processes.
pub(super) fn is_whole(chain: &[Process]) -> bool {
    chain.last().is_none_or(|last| last.parent == 0)
        && chain.windows(2).all(|pair| pair[0].started >= pair[1].started)
}

/// Returns when a process started. Returns `None` if it does not exist.
pub(super) fn start_of(pid: u32) -> Option<u64> {
    Stat::of(&pid.to_string()).filter(|stat| stat.pid == pid).map(|stat| stat.started)
}

/// Returns the agent program that started this process as a hook: the nearest ancestor but the shell that only runs the
/// hook's command line. Returns `None` where the system does not tell.
pub(super) fn caller() -> Option<Caller> {
    let mut pid = parent_of_self()?;
    for _ in 0..MOST {
        let stat = Stat::of(&pid.to_string()).filter(|stat| stat.pid == pid && pid != 0)?;
        let program = program_of(&pid.to_string(), &stat.name).1;
        if !is_hook_shell(pid, &program) {
            return Some(Caller { identity: (pid, stat.started), program });
        }
        pid = stat.parent;
    }
    None
}

/// Returns the number and the start of the process that started this one. Returns `None` where the system does not tell.
pub(super) fn parent() -> Option<(u32, u64)> {
    let pid = parent_of_self()?;
    start_of(pid).map(|started| (pid, started))
}

#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "other systems do not tell")]
fn parent_of_self() -> Option<u32> {
    Some(std::os::unix::process::parent_id())
}

#[cfg(not(unix))]
fn parent_of_self() -> Option<u32> {
    None
}

fn above(own: &Process) -> Vec<Process> {
    // Another process at its place tells nothing.
    let at = |pid: u32| process(&pid.to_string()).filter(|process| process.pid == pid);
    let next = |pid: u32| if pid == 0 { None } else { at(pid) };
    let mut chain: Vec<Process> =
        std::iter::successors(next(own.parent), |process| next(process.parent)).take(MOST).collect();
    let below: Vec<(u32, bool)> = std::iter::once(own)
        .chain(&chain)
        .map(|process| (process.pid, REMOTE_LOGINS.contains(&process.program.as_str())))
        .collect();
    for (process, (below, is_server)) in chain.iter_mut().zip(below) {
        // A server of logins has one process above another.
        process.is_login_from_here =
            REMOTE_LOGINS.contains(&process.program.as_str()) && !is_server && is_login_from_here(below);
    }
    chain
}

/// Returns this process. Returns `None` where the system does not tell.
#[cfg(target_os = "linux")]
pub(super) fn own() -> Option<Process> {
    process("self")
}

/// Returns the namespace of the ids of a process.
pub(super) fn namespace(pid: &str) -> String {
    fs::read_link(format!("/proc/{pid}/ns/pid")).map(|it| it.display().to_string()).unwrap_or_default()
}

/// Returns whether a namespace is the one of the system itself, not of a container.
pub(super) fn is_first_namespace(namespace: &str) -> bool {
    namespace.is_empty() || namespace == "pid:[4026531836]"
}

/// Returns whether the login whose first process this is came from this machine. The server of the login tells it in
/// the environment; a command that removes or hides it has something to hide.
fn is_login_from_here(first: u32) -> bool {
    let Ok(environment) = fs::read(format!("/proc/{first}/environ")) else { return true };
    let mut entries = environment.split(|byte| *byte == 0);
    let connection = entries.find_map(|entry| entry.strip_prefix(b"SSH_CONNECTION="));
    let Some(connection) = connection.map(String::from_utf8_lossy) else { return true };
    let mut words = connection.split(' ');
    let (client, server) = (words.next().unwrap_or_default(), words.nth(1).unwrap_or_default());
    client == server || client.starts_with("127.") || client == "::1" || client.starts_with("::ffff:127.")
}

/// Returns whether a process is a shell that a host started only to run the hook's command line.
fn is_hook_shell(pid: u32, program: &str) -> bool {
    const SHELLS: [&str; 8] = ["sh", "bash", "dash", "zsh", "ash", "ksh", "fish", "busybox"];
    if !SHELLS.contains(&program) {
        return false;
    }
    let line = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    let mut args = line.split(|byte| *byte == 0).map(String::from_utf8_lossy);
    args.any(|arg| arg.starts_with('-') && arg.ends_with('c'))
        && args.next().is_some_and(|script| script.contains("dispatch"))
}

/// Returns when the system started, in milliseconds since 1970 by the clock as it is now. Returns `None` where the system
/// does not tell.
pub(super) fn boot_time() -> Option<u64> {
    let uptime = fs::read_to_string("/proc/uptime").ok()?;
    // Hundredths of a second.
    let hundredths: u64 = uptime.split(' ').next()?.replace('.', "").parse().ok()?;
    store::now().as_millis().checked_sub(hundredths * 10)
}

/// Returns an id of the time since the system started: start times of another one mean nothing.
pub(super) fn boot() -> String {
    fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default().trim().to_owned()
}

/// Longer than the kernel's line about a process: 52 numbers and a name of at most 64 bytes.
const LINE: usize = 2048;

/// The facts in the kernel's line about a process.
struct Stat {
    pid: u32,
    parent: u32,
    started: u64,
    name: String,
}

impl Stat {
    fn of(pid: &str) -> Option<Self> {
        // WHY not `read_to_string`: it asks for the size, which is 0, and then reads in seven steps. Every event reads
        // this line.
        let mut line = [0; LINE];
        let n_read = File::open(format!("/proc/{pid}/stat")).and_then(|mut it| it.read(&mut line)).ok()?;
        let stat = String::from_utf8_lossy(&line[..n_read]);
        // The name of the process is in parentheses and may contain anything.
        let (name_end, name_start) = (stat.rfind(')')?, stat.find('(')?);
        let mut fields = stat[name_end + 1..].split_ascii_whitespace();
        let parent = fields.nth(1)?.parse().ok()?;
        let started = fields.nth(17)?.parse().ok()?;
        let pid = stat[..name_start].trim().parse().ok()?;
        Some(Self { pid, parent, started, name: stat[name_start + 1..name_end].to_owned() })
    }
}

fn process(pid: &str) -> Option<Process> {
    let Stat { pid: own, parent, started, name } = Stat::of(pid)?;
    let (file, program) = program_of(pid, &name);
    // The programs of other users, such as the server of logins, cannot be read, and this user cannot replace them. A
    // process of this user can hide its program, and mount another over one of the system in a namespace of its own.
    let is_of_system = match &file {
        Some(file) => is_of_system(file) && is_in_own_user_namespace(pid),
        None => user_of(pid).is_some_and(|user| Some(user) != user_of("self")),
    };
    let is_of_administrator = user_of(pid) == Some(0) && user_of("self") != Some(0);
    Some(Process {
        pid: own,
        parent,
        started,
        program,
        is_of_system,
        is_of_administrator,
        is_login_from_here: false,
    })
}

/// Returns the file and the name of the program of a process: it can choose its own name, but not its program.
fn program_of(pid: &str, name: &str) -> (Option<PathBuf>, String) {
    let file = fs::read_link(format!("/proc/{pid}/exe")).ok();
    let program = file.as_ref().and_then(|it| it.file_name()?.to_str());
    let program = program.unwrap_or(name).trim_end_matches(" (deleted)").to_owned();
    (file, program)
}

/// Returns the user that a process runs as.
fn user_of(pid: &str) -> Option<u32> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let users = status.lines().find_map(|line| line.strip_prefix("Uid:"))?;
    users.split_ascii_whitespace().next()?.parse().ok()
}

fn is_in_own_user_namespace(pid: &str) -> bool {
    let namespace = |pid: &str| fs::read_link(format!("/proc/{pid}/ns/user")).ok();
    namespace(pid).is_none_or(|it| Some(it) == namespace("self"))
}

#[cfg(unix)]
fn is_roots(file: &Path) -> bool {
    fs::metadata(file).is_ok_and(|meta| meta.uid() == 0)
}

#[cfg(not(unix))]
fn is_roots(_file: &Path) -> bool {
    true
}

/// Returns whether a program is in a folder of the system.
pub(super) fn is_of_system(file: &Path) -> bool {
    const FOLDERS: [&str; 8] = ["/usr", "/bin", "/sbin", "/lib", "/opt", "/nix/store", "/gnu/store", "/snap"];
    FOLDERS.iter().any(|folder| file.starts_with(folder)) && is_roots(file)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn the_chain_leads_from_the_parent_to_the_first_process() {
        let chain = ancestors();
        assert_eq!(chain[0].pid, std::os::unix::process::parent_id());
        assert!(
            chain.windows(2).all(|pair| pair[0].parent == pair[1].pid && pair[0].started >= pair[1].started)
        );
        assert_eq!(chain.last().map(|last| last.parent), Some(0));
        assert!(is_whole(&chain) && is_whole(&[]));
        let (cut, mut reused) = (&chain[..chain.len() - 1], chain.clone());
        reused[0].started = 0;
        assert!((cut.is_empty() || !is_whole(cut)) && (chain.len() < 2 || !is_whole(&reused)));
    }
}
