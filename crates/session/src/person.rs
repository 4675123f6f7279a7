//! Whether a person asks, or a program that an agent started: the one check for everything that only a person may do.
//!
//! A terminal proves nothing: a script can open one. What a script cannot change is which process started it. So
//! dispatch records the agent program that calls it, and a command is refused beneath such a program, if the chain of
//! its ancestors is broken since the agent program started, or in a terminal that the agent shares.
//!
//! Where no agent program was recorded for the workspace, everything passes: scripts and CI have no agent to be mistaken
//! for.

mod changes;
mod host_records;
mod pin;
mod process_chain;
#[cfg(target_os = "linux")]
mod process_list;

use std::fmt;
use std::time::Duration;

use event::AbsPath;
use redact::Redacted;
use serde::{Deserialize, Serialize};
use serde_json::json;
use store::{Batch, Journal, Workspace};

pub use changes::PersonChanges;
use host_records::{forget_oldest, read_host_journal, read_hosts};
pub use pin::{PinError, PinRecord, check_length as check_pin_length};
use process_chain::Process;

/// Why a command is refused: a program that an agent may have started asks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotAPerson {
    /// An ancestor is an agent program that works in this workspace.
    BeneathHost {
        /// The program.
        program: String,
        /// Its process.
        pid: u32,
    },
    /// The process that started it is gone.
    Reparented {
        /// The program whose parent is gone.
        program: String,
    },
    /// An agent in this editor or terminal multiplexer shares its terminals.
    SharedTerminal {
        /// The program.
        program: String,
    },
    /// A program ran it at a later time, or for a login from this machine: an agent may have asked for it.
    Indirect {
        /// The program.
        program: String,
    },
    /// It runs in a namespace of processes that hides who started it, or a process above it ended meanwhile.
    Hidden,
}

/// A recorded agent program, with its ancestors.
#[derive(Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(title = "host-record"))]
pub struct HostRecord {
    /// The id of the system's start, without which process ids mean nothing.
    boot: String,
    /// The namespace of its process ids.
    #[serde(default)]
    namespace: String,
    /// The pid and start time of the program and each of its ancestors, the program itself first.
    chain: Vec<(u32, u64)>,
}

/// Programs that start a person's sessions and terminals, directly beneath the first process of a system or a user.
const SESSION_STARTERS: &[&str] = &[
    "systemd",
    "init",
    "sshd",
    "sshd-session",
    "login",
    "getty",
    "agetty",
    "mingetty",
    "fgetty",
    "su",
    "sudo",
    "gdm",
    "gdm-session-worker",
    "gdm3",
    "sddm",
    "sddm-helper",
    "lightdm",
    "xdm",
    "lxdm",
    "greetd",
    "dbus-daemon",
    "dbus-broker",
    "gnome-shell",
    "plasmashell",
    "kwin_wayland",
    "sway",
    "hyprland",
    "i3",
    "xfce4-session",
    "xterm",
    "gnome-terminal-server",
    "gnome-console",
    "kgx",
    "ptyxis",
    "ptyxis-agent",
    "konsole",
    "alacritty",
    "kitty",
    "wezterm",
    "wezterm-gui",
    "foot",
    "footclient",
    "ghostty",
    "terminator",
    "tilix",
    "xfce4-terminal",
    "lxterminal",
    "urxvt",
    "rxvt",
    "urxvtd",
    "st",
    "guake",
    "yakuake",
    "warp",
    "rio",
    "tabby",
    "containerd-shim",
    "containerd-shim-runc-v2",
    "conmon",
    "docker-init",
    "dockerd",
    "mosh-server",
    "telnetd",
    "Runner.Listener",
    "Runner.Worker",
    "gitlab-runner",
];

/// Processes that adopt those whose parent has ended.
const ADOPTERS: &[&str] =
    &["systemd", "init", "tini", "dumb-init", "docker-init", "catatonit", "s6-svscan", "runsvdir"];

/// Programs that run jobs later, which an agent may have scheduled.
const SCHEDULERS: &[&str] =
    &["cron", "crond", "atd", "anacron", "fcron", "systemd-timer", "jobd", "dcron", "bcron", "cronie"];

/// Programs through which a person, or an agent on the same machine, logs in over the network.
const REMOTE_LOGINS: &[&str] =
    &["sshd", "sshd-session", "sshd-auth", "dropbear", "tinysshd", "telnetd", "in.telnetd"];

/// Editors whose agent shares the terminals of the person.
const EDITORS: &[&str] = &[
    "code",
    "code-insiders",
    "code-oss",
    "codium",
    "vscodium",
    "cursor",
    "Cursor",
    "Code",
    "Code Helper",
    "Cursor Helper",
    "code-server",
    "windsurf",
    "code-tunnel",
];

/// Agent programs, and the programs that run them.
const HOSTS: &[&str] = &[
    "claude",
    "codex",
    "gemini",
    "qwen",
    "copilot",
    "cursor-agent",
    "node",
    "bun",
    "deno",
    "electron",
    "code",
    "code-insiders",
    "cursor",
    "Cursor",
];

/// Programs that run terminals which several processes share.
const MULTIPLEXERS: &[&str] = &["tmux", "screen", "zellij", "dtach", "abduco", "dvtm", "byobu"];

/// Checks whether a person asks. Returns why not.
pub fn check(workspace: &Workspace, user_state: Option<&AbsPath>) -> Result<(), NotAPerson> {
    check_chain(workspace, user_state, &process_chain::ancestors(), &process_chain::namespace("self"))
}

/// Checks whether a process is a person's, such as the browser behind a connection. Returns why not.
pub fn check_process(
    workspace: &Workspace,
    user_state: Option<&AbsPath>,
    pid: u32,
) -> Result<(), NotAPerson> {
    let chain = process_chain::chain_of(pid);
    // It has ended since.
    if chain.is_empty() {
        return Err(NotAPerson::Hidden);
    }
    check_chain(workspace, user_state, &chain, &process_chain::namespace(&pid.to_string()))
}

fn check_chain(
    workspace: &Workspace,
    user_state: Option<&AbsPath>,
    chain: &[Process],
    namespace: &str,
) -> Result<(), NotAPerson> {
    let Some(user_state) = user_state else { return Ok(()) };
    let mut hosts = read_hosts(&workspace.host_records(user_state));
    // An agent that removes one of the records does not become a person.
    hosts.extend(read_host_journal(&workspace.host_journal()));
    #[cfg(target_os = "linux")]
    if process_list::is_replaced() && host_records::has_any(workspace, user_state) {
        return Err(NotAPerson::Hidden);
    }
    let is_hidden = !process_chain::is_first_namespace(namespace)
        && hosts.iter().any(|host| !host.namespace.is_empty() && host.namespace != namespace);
    if is_hidden {
        return Err(NotAPerson::Hidden);
    }
    if !hosts.is_empty() && !process_chain::is_whole(chain) {
        return Err(NotAPerson::Hidden);
    }
    judge(chain, &hosts)
}

/// Records the agent program that started this process. The first event of a session may come from any program, such
/// as a test of the rules; unless the session says that it starts, only a known agent program is recorded.
///
/// Ignores errors: without a record nothing is refused, as on a system that does not list its processes.
pub fn record_host(workspace: &Workspace, user_state: &AbsPath, starts_session: bool) {
    let ancestors = process_chain::ancestors();
    let from = ancestors.iter().position(|process| !process_chain::is_hook_shell(process));
    let Some(chain) = from.map(|from| &ancestors[from..]).filter(|chain| chain[0].pid != 1) else { return };
    if !starts_session && !HOSTS.contains(&chain[0].program.as_str()) {
        return;
    }
    let record = HostRecord {
        boot: process_chain::boot(),
        namespace: process_chain::namespace("self"),
        chain: chain.iter().map(|it| (it.pid, it.started)).collect(),
    };
    let text = serde_json::to_string(&record).unwrap_or_default();
    let folder = workspace.host_records(user_state);
    let file = folder.child(&format!("{}-{}", chain[0].pid, chain[0].started));
    if file.as_path().exists() || store::create_folder(folder.as_path()).is_err() {
        return;
    }
    forget_oldest(&folder);
    let _ = store::write_shared(file.as_path(), text.as_bytes());
    append(workspace, &workspace.host_journal(), &text);
}

/// Returns the agent program that started this hook: pid and start time. Returns `None` where the system does not tell.
pub fn host_process() -> Option<(u32, u64)> {
    let ancestors = process_chain::ancestors();
    let host = ancestors.iter().find(|process| !process_chain::is_hook_shell(process))?;
    Some((host.pid, host.started))
}

/// Returns when a process started, in ticks since the system did. Returns `None` if it does not exist.
pub fn start_of(pid: u32) -> Option<u64> {
    process_chain::start_of(pid)
}

/// Returns the processes above another one: pid and start time of each.
pub fn ancestors_of(pid: u32) -> Vec<(u32, u64)> {
    process_chain::chain_of(pid).iter().skip(1).map(|process| (process.pid, process.started)).collect()
}

/// Returns the processes above this one: pid and start time of each.
pub fn ancestors() -> Vec<(u32, u64)> {
    process_chain::ancestors().iter().map(|process| (process.pid, process.started)).collect()
}

/// Records in the workspace that a command was refused. Ignores errors: the refusal stands.
pub fn record_refusal(workspace: &Workspace, command: &str, refusal: &NotAPerson) {
    record(workspace, "PERSON_REFUSED", command, &refusal.to_string());
}

/// Records in the workspace that someone gave a PIN for a command, and whether it was right.
pub fn record_pin(workspace: &Workspace, command: &str, result: &Result<(), PinError>) {
    match result {
        Ok(()) => record(workspace, "PIN_ACCEPTED", command, "the PIN is right"),
        Err(error) => record(workspace, "PIN_REFUSED", command, &error.to_string()),
    }
}

fn record(workspace: &Workspace, kind: &str, command: &str, why: &str) {
    let line = json!({
        "v": 1,
        "ts": store::now().as_millis(),
        "type": kind,
        "data": {"command": command, "why": why},
    });
    append(workspace, &workspace.refusals_file(), &line.to_string());
}

/// Appends a line to a journal of the workspace. Ignores errors.
fn append(workspace: &Workspace, file: &AbsPath, line: &str) {
    let append = || {
        workspace.make_tmp_dir().ok()?;
        let journal = Journal::create(file).ok()?;
        let mut batch = Batch::default();
        batch.push_line(&Redacted::from_text(line));
        match journal.lock(Duration::from_millis(100)) {
            Some(held) => held.append(&batch).ok().map(drop),
            None => journal.append_unlocked(&batch).ok(),
        }
    };
    let _ = append();
}

fn judge(ancestors: &[Process], hosts: &[HostRecord]) -> Result<(), NotAPerson> {
    let Some(first_host) =
        hosts.iter().filter_map(|host| host.chain.first()).map(|(_, started)| *started).min()
    else {
        return Ok(());
    };
    let is = |process: &Process, known: &(u32, u64)| (process.pid, process.started) == *known;
    for process in ancestors {
        let program = || process.program.clone();
        if hosts.iter().any(|host| host.chain.first().is_some_and(|known| is(process, known))) {
            return Err(NotAPerson::BeneathHost { program: program(), pid: process.pid });
        }
        if EDITORS.contains(&process.program.as_str()) {
            return Err(NotAPerson::SharedTerminal { program: program() });
        }
        if SCHEDULERS.contains(&process.program.as_str()) || process.is_login_from_here {
            return Err(NotAPerson::Indirect { program: program() });
        }
        let is_shared = || hosts.iter().any(|host| host.chain.iter().any(|known| is(process, known)));
        if is_multiplexer(&process.program) && (process.started >= first_host || is_shared()) {
            return Err(NotAPerson::SharedTerminal { program: program() });
        }
        if process.started >= first_host && is_adopted(process, ancestors) {
            return Err(NotAPerson::Reparented { program: program() });
        }
    }
    // This process itself, beneath the first of the system.
    match ancestors.first() {
        Some(parent) if parent.pid == 1 || ADOPTERS.contains(&parent.program.as_str()) => {
            Err(NotAPerson::Reparented { program: "steersman".to_owned() })
        }
        _ => Ok(()),
    }
}

/// Returns whether the parent of a process is one that adopts processes, and did not start a session with it.
fn is_adopted(process: &Process, ancestors: &[Process]) -> bool {
    let is_adopter = process.parent == 1
        || ancestors
            .iter()
            .any(|above| above.pid == process.parent && ADOPTERS.contains(&above.program.as_str()));
    let starts_sessions = SESSION_STARTERS.contains(&process.program.as_str()) && process.is_of_system;
    is_adopter && process.pid != 1 && !starts_sessions
}

fn is_multiplexer(program: &str) -> bool {
    MULTIPLEXERS.iter().any(|known| program == *known || program.starts_with(&format!("{known}:")))
}

impl NotAPerson {
    /// Returns whether the person's PIN may answer: in a terminal that an agent shares, and nowhere else.
    pub fn may_be_answered(&self) -> bool {
        matches!(self, Self::SharedTerminal { .. })
    }

    /// Returns how a person can do it.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::BeneathHost { .. } | Self::Reparented { .. } | Self::Indirect { .. } | Self::Hidden => {
                "run the command yourself, in a terminal that the agent program did not start"
            }
            Self::SharedTerminal { .. } => {
                "run the command in a terminal of its own, outside of the program in which the agent works; there you can also set a PIN with `steersman intent pin`"
            }
        }
    }
}

impl fmt::Display for NotAPerson {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BeneathHost { program, pid } => {
                write!(
                    f,
                    "only a person may do this, and `{program}` (process {pid}), which runs an agent here, started the command"
                )
            }
            Self::Reparented { program } => {
                write!(
                    f,
                    "only a person may do this, and the process that started `{program}` is gone, so an agent may have started it"
                )
            }
            Self::SharedTerminal { program } => {
                write!(f, "only a person may do this, and agents share the terminals of `{program}`")
            }
            Self::Indirect { program } => {
                write!(
                    f,
                    "only a person may do this, and `{program}` ran the command, which an agent may have asked it to"
                )
            }
            Self::Hidden => f.write_str(
                "only a person may do this, and a container, a mount or a process that has ended hides who started the command",
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chain(text: &str) -> Vec<Process> {
        let parse = |part: &str| {
            let fields: Vec<&str> = part.split(':').collect();
            let number = |at: usize| fields[at].parse().unwrap();
            (fields[0].to_owned(), number(1), u64::from(number(2)))
        };
        let all: Vec<(String, u32, u64)> = text.split(' ').map(parse).collect();
        let parents = all.iter().skip(1).map(|it| it.1).chain([0]);
        let process = |((program, pid, started), parent): (&(String, u32, u64), u32)| Process {
            pid: *pid,
            parent,
            started: *started,
            is_of_system: !program.ends_with('!'),
            is_login_from_here: program.ends_with('@'),
            program: program.trim_end_matches(['!', '@']).to_owned(),
        };
        all.iter().zip(parents).map(process).collect()
    }

    fn verdict(ancestors: &str, host: &str) -> &'static str {
        let chain_of = |text: &str| chain(text).iter().map(|it| (it.pid, it.started)).collect();
        let hosts: Vec<HostRecord> = if host.is_empty() {
            Vec::new()
        } else {
            vec![HostRecord { boot: String::new(), namespace: String::new(), chain: chain_of(host) }]
        };
        match judge(&chain(ancestors), &hosts) {
            Ok(()) => "person",
            Err(NotAPerson::BeneathHost { .. }) => "host",
            Err(NotAPerson::Reparented { .. }) => "reparented",
            Err(NotAPerson::SharedTerminal { .. }) => "shared",
            Err(NotAPerson::Indirect { .. }) => "indirect",
            Err(NotAPerson::Hidden) => "hidden",
        }
    }

    #[test]
    fn only_a_chain_that_no_agent_can_have_started_is_a_persons() {
        let host = "claude:50:500 bash:40:400 sshd:30:300 systemd:1:1";
        for (ancestors, expected) in [
            // The terminal in which the agent program was started, and another one.
            ("bash:40:400 sshd:30:300 systemd:1:1", "person"),
            ("bash:90:900 sshd-session:80:800 sshd:2:2 systemd:1:1", "person"),
            ("bash:90:900 alacritty:80:800 systemd:7:7 systemd:1:1", "person"),
            ("make:91:910 bash:40:400 sshd:30:300 systemd:1:1", "person"),
            ("bash:60:600 claude:50:500 bash:40:400 sshd:30:300 systemd:1:1", "host"),
            // Another process with the same number.
            ("bash:60:900 bash:50:800 sshd:30:300 systemd:1:1", "person"),
            ("sh:60:600 systemd:1:1", "reparented"),
            ("sh:61:600 python3:60:600 systemd:7:7 systemd:1:1", "reparented"),
            ("systemd:1:1", "reparented"),
            ("bash:60:600 code:20:200 systemd:1:1", "shared"),
            ("bash:60:600 tmux:55:550 systemd:1:1", "shared"),
            ("bash:60:600 tmux:20:200 systemd:1:1", "person"),
            // `!` is a copy of a program, `@` a login from the same machine.
            ("bash:61:610 sshd!:60:600 systemd:1:1", "reparented"),
            ("bash:61:610 xterm!:60:600 systemd:7:7 systemd:1:1", "reparented"),
            ("sh:61:610 cron:3:30 systemd:1:1", "indirect"),
            ("sh:61:610 cron:60:600 cron:3:30 systemd:1:1", "indirect"),
            ("sh:61:610 atd:3:30 systemd:1:1", "indirect"),
            ("bash:61:610 sshd-session@:60:600 sshd:2:2 systemd:1:1", "indirect"),
            ("sh:61:610 systemd:7:7 systemd:1:1", "reparented"),
            ("sh:61:610 script:60:600 systemd:1:1", "reparented"),
        ] {
            assert_eq!(verdict(ancestors, host), expected, "{ancestors}");
            assert_eq!(verdict(ancestors, ""), "person", "without an agent: {ancestors}");
        }
        let in_tmux = "claude:50:500 bash:40:400 tmux:20:200 systemd:1:1";
        assert_eq!(verdict("bash:60:600 tmux:20:200 systemd:1:1", in_tmux), "shared");
    }
}
