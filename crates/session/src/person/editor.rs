//! The extension host of an editor: the one process beneath an editor whose orders are a person's clicks.
//!
//! Agents in an editor share its terminals, so nothing else beneath an editor counts as a person. An extension host
//! starts `steersman serve --editor` directly; the server gives it a token and accepts orders from that process only.
//!
//! A command line can be forged, but not the place in the tree of processes: an agent's process is in a terminal of the
//! editor, beneath an agent program, or adopted. So the check asks for the whole shape: the extension host, directly
//! above it the editor's own processes, and above those nothing that could be an agent or an editor.

use std::fs;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};

use event::AbsPath;
use store::Workspace;

use super::host_programs::may_be_agent;
use super::process_chain::{self, Process};
use super::process_facts::System;
use super::rule::{self, ProcessFacts};
use super::{HostRecord, NotAPerson};

/// An argument of the extension hosts of VS Code's servers and of code-server.
const ARGUMENT: &str = "--type=extensionHost";
/// The variable by which VS Code on a desktop tells its processes their role.
const ENTRY_POINT: &str = "VSCODE_ESM_ENTRYPOINT=vs/workbench/api/node/extensionHostProcess";
/// The command line of a server that an extension host starts, after the program.
const SERVER: [&str; 2] = ["serve", "--editor"];

/// An extension host.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExtensionHost {
    pid: u32,
    started: u64,
}

/// A process above a server, as far as this check needs it.
#[derive(Debug, Clone)]
struct Above {
    process: Process,
    /// The file of its program; empty if the system does not tell.
    file: PathBuf,
    is_extension_host: bool,
}

impl ExtensionHost {
    /// Returns the extension host that started this process, or why another process did.
    pub fn of_this_process(workspace: &Workspace, user_state: Option<&AbsPath>) -> Result<Self, NotAPerson> {
        let namespace = process_chain::namespace("self");
        Self::above(workspace, user_state, &process_chain::ancestors(), &namespace, None)
    }

    /// Returns whether this is the process with this id, and not a later one with the same id.
    pub fn is(self, pid: u32) -> bool {
        pid == self.pid && process_chain::start_of(pid) == Some(self.started)
    }

    fn above(
        workspace: &Workspace,
        user_state: Option<&AbsPath>,
        ancestors: &[Process],
        namespace: &str,
        known: Option<&HostRecord>,
    ) -> Result<Self, NotAPerson> {
        let above: Vec<Above> = ancestors.iter().map(Above::of).collect();
        let hosts = super::visible_hosts(workspace, user_state, ancestors, namespace, known)?;
        judge(&above, &hosts, &System)
    }
}

/// Returns whether a chain begins with a server that an extension host started: this same program, called in the one
/// way that takes orders from no other process.
pub(super) fn is_server_of_editor(
    workspace: &Workspace,
    user_state: Option<&AbsPath>,
    chain: &[Process],
    namespace: &str,
    known: Option<&HostRecord>,
) -> bool {
    let Some((server, ancestors)) = chain.split_first() else { return false };
    let line = fs::read(format!("/proc/{}/cmdline", server.pid)).unwrap_or_default();
    let mut words = line.split(|byte| *byte == 0).skip(1);
    SERVER.iter().all(|word| words.next() == Some(word.as_bytes()))
        && is_own_program(server.pid)
        && ExtensionHost::above(workspace, user_state, ancestors, namespace, known).is_ok()
}

impl Above {
    fn of(process: &Process) -> Self {
        let file = fs::read_link(format!("/proc/{}/exe", process.pid)).unwrap_or_default();
        let has = |name: &str, wanted: &str| {
            let bytes = fs::read(format!("/proc/{}/{name}", process.pid)).unwrap_or_default();
            bytes.split(|byte| *byte == 0).any(|part| part == wanted.as_bytes())
        };
        let is_extension_host = has("cmdline", ARGUMENT) || has("environ", ENTRY_POINT);
        Self { process: process.clone(), file, is_extension_host }
    }
}

fn judge(
    above: &[Above],
    hosts: &[HostRecord],
    facts: &impl ProcessFacts,
) -> Result<ExtensionHost, NotAPerson> {
    let Some((host, editor)) = above.split_first() else { return Err(NotAPerson::Hidden) };
    let not_one = || NotAPerson::NotAnExtensionHost { program: host.process.program.clone() };
    let is_of_editor = |it: &Above| !it.file.as_os_str().is_empty() && it.file == host.file;
    // The server or the window process of the same editor started it, not a shell and not another extension host.
    let n_editor = editor.iter().take_while(|it| is_of_editor(it)).count();
    if !host.is_extension_host || n_editor == 0 || editor.iter().any(|it| it.is_extension_host) {
        return Err(not_one());
    }
    let (own, outer) = editor.split_at(n_editor);
    // An editor beneath another, or beneath anything that runs agents: a terminal of that editor, or a tool of that agent.
    let runs_agents = |it: &Above| may_be_agent(&it.process.program);
    if let Some(it) = outer.iter().find(|it| runs_agents(it)) {
        return Err(NotAPerson::SharedTerminal { program: it.process.program.clone() });
    }
    let is = |process: &Process, known: &(u32, u64)| (process.pid, process.started) == *known;
    // Copilot's hooks run in the extension host itself, so its record does not count against it.
    let others: Vec<&HostRecord> =
        hosts.iter().filter(|it| !it.chain.first().is_some_and(|known| is(&host.process, known))).collect();
    let ancestors: Vec<Process> = editor.iter().map(|it| it.process.clone()).collect();
    rule::judge_each(&ancestors, own.len(), &others, facts)?;
    Ok(ExtensionHost { pid: host.process.pid, started: host.process.started })
}

/// Returns whether a process runs the same program as this one: the same file, or a copy of it.
fn is_own_program(pid: u32) -> bool {
    let (own, other) = (Path::new("/proc/self/exe"), PathBuf::from(format!("/proc/{pid}/exe")));
    is_same_file(own, &other).unwrap_or(false)
}

#[cfg(unix)]
fn is_same_file(one: &Path, other: &Path) -> std::io::Result<bool> {
    use std::os::unix::fs::MetadataExt;
    let (first, second) = (fs::metadata(one)?, fs::metadata(other)?);
    if (first.dev(), first.ino()) == (second.dev(), second.ino()) {
        return Ok(true);
    }
    Ok(first.len() == second.len() && has_same_content(fs::File::open(one)?, fs::File::open(other)?)?)
}

#[cfg(not(unix))]
fn is_same_file(_one: &Path, _other: &Path) -> std::io::Result<bool> {
    Ok(false)
}

fn has_same_content(one: impl Read, other: impl Read) -> std::io::Result<bool> {
    let (mut one, mut other) = (BufReader::new(one).bytes(), BufReader::new(other).bytes());
    loop {
        match (one.next().transpose()?, other.next().transpose()?) {
            (None, None) => return Ok(true),
            (first, second) if first != second => return Ok(false),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Parses `program:pid:started` from the parent up. `*` marks an extension host, a program with a slash runs another
    /// file than its name tells.
    fn chain(text: &str) -> Vec<Above> {
        let parts: Vec<Vec<&str>> = text.split(' ').map(|part| part.split(':').collect()).collect();
        let parents = parts.iter().skip(1).map(|it| it[1].parse().unwrap()).chain([0]);
        let above = |(fields, parent): (&Vec<&str>, u32)| {
            let file = fields[0].trim_end_matches('*');
            Above {
                process: Process {
                    pid: fields[1].parse().unwrap(),
                    parent,
                    started: fields[2].parse().unwrap(),
                    program: file.rsplit('/').next().unwrap().to_owned(),
                    is_of_system: true,
                    is_of_administrator: false,
                    is_login_from_here: false,
                },
                file: PathBuf::from(file),
                is_extension_host: fields[0].ends_with('*'),
            }
        };
        parts.iter().zip(parents).map(above).collect()
    }

    /// A system in which every recorded agent program runs.
    struct Facts;

    impl ProcessFacts for Facts {
        fn runs(&self, _process: (u32, u64)) -> bool {
            true
        }

        fn is_agent(&self, _process: &Process) -> bool {
            false
        }

        fn is_untouched(&self, _process: &Process) -> bool {
            true
        }
    }

    fn verdict(ancestors: &str, hosts: &[&str]) -> &'static str {
        let record = |text: &&str| HostRecord {
            boot: String::new(),
            namespace: String::new(),
            chain: chain(text).iter().map(|it| (it.process.pid, it.process.started)).collect(),
            adopter: None,
        };
        let hosts: Vec<HostRecord> = hosts.iter().map(record).collect();
        match judge(&chain(ancestors), &hosts, &Facts) {
            Ok(_) => "editor",
            Err(NotAPerson::NotAnExtensionHost { .. }) => "none",
            Err(NotAPerson::BeneathHost { .. }) => "host",
            Err(NotAPerson::Reparented { .. }) => "reparented",
            Err(NotAPerson::SharedTerminal { .. }) => "shared",
            Err(NotAPerson::Indirect { .. }) => "indirect",
            Err(NotAPerson::UnprovenTerminal { .. }) => "unproven",
            Err(NotAPerson::RecordsRemoved) => "removed",
            Err(NotAPerson::Hidden) => "hidden",
        }
    }

    #[test]
    fn an_extension_host_directly_beneath_its_editor_is_a_persons() {
        let copilot = "code:30:300 code:20:200 systemd:7:7 systemd:1:1";
        let claude = "claude:50:500 bash:40:400 sshd:30:300 systemd:1:1";
        for (ancestors, hosts, expected) in [
            // A desktop, a server over SSH, code-server in a terminal.
            ("code*:30:300 code:20:200 systemd:7:7 systemd:1:1", vec![], "editor"),
            ("srv/node*:30:300 srv/node:20:200 sh:19:190 systemd:1:1", vec![], "editor"),
            ("n/node*:30:300 n/node:21:201 n/node:20:200 bash:5:50 sshd:4:40 systemd:1:1", vec![], "editor"),
            // Copilot's hooks come from the extension host; Claude Code was started elsewhere, later.
            ("code*:30:300 code:20:200 systemd:7:7 systemd:1:1", vec![copilot], "editor"),
            ("code*:30:300 code:20:200 systemd:7:7 systemd:1:1", vec![copilot, claude], "editor"),
            // A terminal of the editor, and a shell that the extension host started.
            ("bash:60:600 code:25:250 code:20:200 systemd:7:7 systemd:1:1", vec![copilot], "none"),
            ("bash:60:600 code*:30:300 code:20:200 systemd:7:7 systemd:1:1", vec![copilot], "none"),
            // A program that pretends to be one: in a terminal, as a tool of an extension, beneath an agent, alone.
            ("node*:61:610 node:60:600 bash:59:590 code:25:250 code:20:200 systemd:1:1", vec![], "shared"),
            (
                "n/node*:61:610 n/node:60:600 bash:59:590 n/node:25:250 n/node:20:200 systemd:1:1",
                vec![],
                "shared",
            ),
            ("n/node*:61:610 m/node:60:600 bash:59:590 systemd:1:1", vec![], "none"),
            ("n/node*:61:610 n/node:60:600 n/node*:30:300 n/node:20:200 systemd:1:1", vec![], "none"),
            ("node*:61:610 code*:30:300 code:20:200 systemd:7:7 systemd:1:1", vec![copilot], "none"),
            (
                "x/a*:61:610 x/a:60:600 bash:59:590 claude:50:500 bash:40:400 sshd:30:300 systemd:1:1",
                vec![claude],
                "shared",
            ),
            ("x/a*:61:610 systemd:1:1", vec![], "none"),
            // A whole editor that an agent detached, or had started by a scheduler.
            ("x/a*:61:610 x/a:60:600 systemd:7:7 systemd:1:1", vec![claude], "reparented"),
            ("x/a*:61:610 x/a:60:600 systemd:1:1", vec![claude], "reparented"),
            ("x/a*:61:610 x/a:60:600 sh:59:590 cron:3:30 systemd:1:1", vec![claude], "indirect"),
            // The recorded agent program is the editor's server, of which the extension host is a child.
            (
                "n/node*:61:610 n/node:60:600 bash:5:50 systemd:1:1",
                vec!["n/node:60:600 bash:5:50 systemd:1:1"],
                "host",
            ),
        ] {
            assert_eq!(verdict(ancestors, &hosts), expected, "{ancestors} {hosts:?}");
        }
        assert_eq!(judge(&[], &[], &Facts), Err(NotAPerson::Hidden));
    }

    #[test]
    fn a_copy_of_a_program_has_the_same_content() {
        for (one, other, is_same) in
            [("", "", true), ("abc", "abc", true), ("abc", "abd", false), ("abc", "ab", false)]
        {
            assert_eq!(has_same_content(one.as_bytes(), other.as_bytes()).unwrap(), is_same, "{one} {other}");
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn this_test_is_not_an_extension_host_and_runs_its_own_program() {
        assert!(is_own_program(std::process::id()));
        assert!(!is_own_program(1));
        let host = ExtensionHost { pid: std::process::id(), started: 0 };
        assert!(!host.is(std::process::id()) && !host.is(1));
    }
}
