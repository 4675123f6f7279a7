//! The rule: which chains of processes are a person's.
//!
//! A process shows which process started it, unless that one has ended: then another process has adopted it. An agent can
//! start any program, give it any arguments, preload libraries into it and let itself be adopted. So an adopted process
//! that is younger than an agent program proves nothing by what it runs. It counts only if the agent cannot have started it: it runs
//! as the administrator, which the agent is not, or it belongs to the desktop and every older agent program has ended.

use super::host_records::HostRecord;
use super::process_chain::Process;
use super::programs::{
    ADOPTERS, DESKTOP_PROGRAMS, EDITORS, SCHEDULERS, SESSION_STARTERS, SHELLS, TERMINAL_SERVERS,
    is_multiplexer,
};
use super::refusal::NotAPerson;

/// The system's facts about processes beyond their chain.
pub(super) trait ProcessFacts {
    /// Returns whether a process, given by pid and start time, runs.
    fn runs(&self, process: (u32, u64)) -> bool;
    /// Returns whether a process is an agent program, by its program or script.
    fn is_agent(&self, process: &Process) -> bool;
    /// Returns whether a process has only code of the system, and was not given a command to run.
    fn is_untouched(&self, process: &Process) -> bool;
}

/// Judges a chain of processes, the first one first. `hosts` are the known agent programs of the workspace, `elsewhere`
/// those that run in other workspaces.
pub(super) fn judge(
    chain: &[Process],
    hosts: &[HostRecord],
    elsewhere: &[HostRecord],
    facts: &impl ProcessFacts,
) -> Result<(), NotAPerson> {
    // Without any record, too: an agent can remove the records, but not the program that runs it.
    if let Some(agent) = chain.iter().find(|process| facts.is_agent(process)) {
        return Err(NotAPerson::BeneathHost { program: agent.program.clone(), pid: agent.pid });
    }
    judge_elsewhere(chain, elsewhere)?;
    if hosts.is_empty() {
        return Ok(());
    }
    let all: Vec<&HostRecord> = hosts.iter().collect();
    judge_each(chain, 0, &all, facts)?;
    match chain.first() {
        Some(parent) if is_adopter(parent.identity(), Some(parent), &all) => {
            Err(refusal_of_adopted("steersman", Some(parent)))
        }
        _ => Ok(()),
    }
}

/// Checks that none of these agents, which run in another workspace, started a chain or left it behind.
///
/// WHY less strict than in the agent's own workspace: a person who runs an agent in one project works in the terminals,
/// multiplexers and editors of the others.
pub(super) fn judge_elsewhere(chain: &[Process], hosts: &[HostRecord]) -> Result<(), NotAPerson> {
    let started = hosts.iter().filter_map(|host| host.chain.first()).map(|(_, started)| *started);
    let Some(first_host) = started.min() else { return Ok(()) };
    let hosts: Vec<&HostRecord> = hosts.iter().collect();
    let program = |process: &Process| process.program.clone();
    if let Some(agent) =
        chain.iter().find(|it| hosts.iter().any(|host| host.chain.first() == Some(&it.identity())))
    {
        return Err(NotAPerson::BeneathHost { program: program(agent), pid: agent.pid });
    }
    let is_known = |process: &Process| {
        let name = process.program.as_str();
        let is_listed = SESSION_STARTERS.contains(&name) || DESKTOP_PROGRAMS.contains(&name);
        let is_shared = EDITORS.contains(&name) || is_multiplexer(name);
        process.is_of_system && (is_listed || is_shared || TERMINAL_SERVERS.contains(&name))
    };
    let is_left = |process: &&Process| {
        process.started >= first_host && is_adopted(process, chain, &hosts) && !is_known(process)
    };
    match chain.iter().find(is_left) {
        Some(left) => Err(refusal_of_adopted(&left.program, parent_of(left, chain))),
        None => Ok(()),
    }
}

/// Checks that no process of a chain may be an agent's. The first `n_editor` are an editor's own.
pub(super) fn judge_each(
    chain: &[Process],
    n_editor: usize,
    hosts: &[&HostRecord],
    facts: &impl ProcessFacts,
) -> Result<(), NotAPerson> {
    let started = hosts.iter().filter_map(|host| host.chain.first()).map(|(_, started)| *started);
    let Some(first_host) = started.min() else { return Ok(()) };
    for (index, process) in chain.iter().enumerate() {
        let program = || process.program.clone();
        if hosts.iter().any(|host| host.chain.first() == Some(&process.identity())) {
            return Err(NotAPerson::BeneathHost { program: program(), pid: process.pid });
        }
        // A multiplexer runs a command for every program that asks, however old it is.
        let is_editor = index >= n_editor && EDITORS.contains(&process.program.as_str());
        if is_editor || is_multiplexer(&process.program) {
            return Err(NotAPerson::SharedTerminal { program: program() });
        }
        if SCHEDULERS.contains(&process.program.as_str()) || process.is_login_from_here {
            return Err(NotAPerson::Indirect { program: program() });
        }
        if process.started >= first_host && is_adopted(process, chain, hosts) {
            judge_adopted(process, parent_of(process, chain), hosts, facts)?;
        }
    }
    Ok(())
}

/// Judges a process that is younger than an agent program and whose parent may have ended.
fn judge_adopted(
    process: &Process,
    parent: Option<&Process>,
    hosts: &[&HostRecord],
    facts: &impl ProcessFacts,
) -> Result<(), NotAPerson> {
    let program = process.program.as_str();
    let (starts_sessions, is_of_desktop) =
        (SESSION_STARTERS.contains(&program), DESKTOP_PROGRAMS.contains(&program));
    let is_older = |host: &(u32, u64)| host.1 <= process.started;
    let running =
        || hosts.iter().filter_map(|host| host.chain.first()).any(|it| is_older(it) && facts.runs(*it));
    if starts_sessions && process.is_of_administrator {
        return Ok(());
    }
    if is_of_desktop && process.is_of_system && !running() && facts.is_untouched(process) {
        return Ok(());
    }
    // A copy of such a program does not count.
    let runs_terminals = starts_sessions || is_of_desktop || TERMINAL_SERVERS.contains(&program);
    if runs_terminals && process.is_of_system {
        return Err(NotAPerson::UnprovenTerminal { program: program.to_owned() });
    }
    Err(refusal_of_adopted(program, parent))
}

/// Returns why an adopted process is refused. Beneath a process that adopts others and runs a person's terminal as well, a
/// person may sit there: the shell that is the first process of a container, and the processes of WSL's `init`.
fn refusal_of_adopted(program: &str, parent: Option<&Process>) -> NotAPerson {
    let runs_terminals = |parent: &&Process| {
        let is_shell = SHELLS.contains(&parent.program.as_str());
        let is_of_wsl = parent.program == "init" && parent.is_of_administrator;
        (parent.pid == 1 && is_shell) || (parent.pid != 1 && is_of_wsl)
    };
    match parent.filter(runs_terminals) {
        Some(parent) => NotAPerson::UnprovenTerminal { program: parent.program.clone() },
        None => NotAPerson::Reparented { program: program.to_owned() },
    }
}

fn parent_of<'a>(process: &Process, chain: &'a [Process]) -> Option<&'a Process> {
    chain.iter().find(|above| above.pid == process.parent)
}

/// Returns whether the parent of a process may have adopted it.
fn is_adopted(process: &Process, chain: &[Process], hosts: &[&HostRecord]) -> bool {
    let parent = parent_of(process, chain);
    let identity = (process.parent, parent.map_or(0, |parent| parent.started));
    process.pid != 1 && is_adopter(identity, parent, hosts)
}

fn is_adopter(identity: (u32, u64), process: Option<&Process>, hosts: &[&HostRecord]) -> bool {
    identity.0 == 1
        || process.is_some_and(|it| ADOPTERS.contains(&it.program.as_str()))
        || hosts.iter().any(|host| host.adopter == Some(identity))
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
            is_of_administrator: program.ends_with('#'),
            is_login_from_here: program.ends_with('@'),
            program: program.trim_end_matches(['!', '@', '#']).to_owned(),
        };
        all.iter().zip(parents).map(process).collect()
    }

    /// A system in which agent programs run or have ended, and every process has its own code unless it is preloaded.
    struct Facts {
        runs: bool,
        preloaded: u32,
    }

    impl ProcessFacts for Facts {
        fn runs(&self, _process: (u32, u64)) -> bool {
            self.runs
        }

        fn is_agent(&self, process: &Process) -> bool {
            process.program == "gemini"
        }

        fn is_untouched(&self, process: &Process) -> bool {
            process.pid != self.preloaded
        }
    }

    fn host(text: &str, adopter: Option<(u32, u64)>) -> HostRecord {
        let chain = chain(text).iter().map(Process::identity).collect();
        HostRecord { boot: String::new(), namespace: String::new(), chain, adopter }
    }

    fn verdict(ancestors: &str, hosts: &[HostRecord], facts: &Facts) -> &'static str {
        match judge(&chain(ancestors), hosts, &[], facts) {
            Ok(()) => "person",
            Err(NotAPerson::BeneathHost { .. }) => "host",
            Err(NotAPerson::Reparented { .. }) => "reparented",
            Err(NotAPerson::SharedTerminal { .. }) => "shared",
            Err(NotAPerson::UnprovenTerminal { .. }) => "unproven",
            Err(NotAPerson::Indirect { .. }) => "indirect",
            Err(NotAPerson::Hidden | NotAPerson::RecordsRemoved | NotAPerson::NotAnExtensionHost { .. }) => {
                "hidden"
            }
        }
    }

    const RUNS: Facts = Facts { runs: true, preloaded: 0 };

    #[test]
    fn only_a_chain_that_no_agent_can_have_started_is_a_persons() {
        let hosts = [host("claude:50:500 bash:40:400 sshd:30:300 systemd:1:1", None)];
        for (ancestors, expected) in [
            // The terminal in which the agent program was started, and another one.
            ("bash:40:400 sshd:30:300 systemd:1:1", "person"),
            ("bash:90:900 sshd-session:80:800 sshd:2:2 systemd:1:1", "person"),
            ("bash:90:900 alacritty:20:200 systemd:7:7 systemd:1:1", "person"),
            ("make:91:910 bash:40:400 sshd:30:300 systemd:1:1", "person"),
            ("bash:60:600 claude:50:500 bash:40:400 sshd:30:300 systemd:1:1", "host"),
            // Another process with the same number.
            ("bash:60:900 bash:50:800 sshd:30:300 systemd:1:1", "person"),
            ("sh:60:600 systemd:1:1", "reparented"),
            ("sh:61:600 python3:60:600 systemd:7:7 systemd:1:1", "reparented"),
            ("systemd:1:1", "reparented"),
            ("bash:60:600 code:20:200 systemd:1:1", "shared"),
            ("bash:60:600 tmux:55:550 systemd:1:1", "shared"),
            ("bash:60:600 tmux:20:200 systemd:1:1", "shared"),
            // `!` is a copy of a program, `@` a login from the same machine, `#` a process of the administrator.
            ("bash:61:610 sshd!:60:600 systemd:1:1", "reparented"),
            ("bash:61:610 xterm!:60:600 systemd:7:7 systemd:1:1", "reparented"),
            ("bash:61:610 login:60:600 systemd:1:1", "unproven"),
            ("bash:61:610 login#:60:600 systemd:1:1", "person"),
            ("bash:61:610 xterm#:60:600 systemd:1:1", "unproven"),
            ("sh:61:610 agetty:60:600 systemd:1:1", "unproven"),
            ("sh:61:610 dbus-daemon:60:600 systemd:7:7 systemd:1:1", "reparented"),
            ("bash:90:900 alacritty:80:800 systemd:7:7 systemd:1:1", "unproven"),
            ("sh:61:610 cron:3:30 systemd:1:1", "indirect"),
            ("sh:61:610 cron:60:600 cron:3:30 systemd:1:1", "indirect"),
            ("sh:61:610 atd:3:30 systemd:1:1", "indirect"),
            ("bash:61:610 sshd-session@:60:600 sshd:2:2 systemd:1:1", "indirect"),
            ("sh:61:610 systemd:7:7 systemd:1:1", "reparented"),
            ("sh:61:610 script:60:600 systemd:1:1", "reparented"),
        ] {
            assert_eq!(verdict(ancestors, &hosts, &RUNS), expected, "{ancestors}");
            assert_eq!(verdict(ancestors, &[], &RUNS), "person", "without an agent: {ancestors}");
        }
    }

    #[test]
    fn after_the_agent_program_has_ended_a_new_terminal_is_a_persons() {
        let hosts = [host("claude:50:500 bash:40:400 systemd:7:7 systemd:1:1", None)];
        let ended = |preloaded| Facts { runs: false, preloaded };
        let terminal = "bash:90:900 alacritty:80:800 systemd:7:7 systemd:1:1";
        assert_eq!(verdict(terminal, &hosts, &ended(0)), "person");
        assert_eq!(verdict(terminal, &hosts, &ended(80)), "unproven", "a library is preloaded");
        let login = "bash:90:900 konsole:80:800 systemd:70:700 systemd:1:1";
        assert_eq!(verdict(login, &hosts, &ended(0)), "person", "a later login");
        let left_behind = "sh:90:900 python3:80:800 systemd:7:7 systemd:1:1";
        assert_eq!(verdict(left_behind, &hosts, &ended(0)), "reparented");
    }

    #[test]
    fn a_process_that_adopts_others_proves_nothing_about_them() {
        let chain = "claude:50:500 bash:40:400 supervisor:20:200 systemd:1:1";
        let orphan = "sh:60:600 python3:55:550 supervisor:20:200 systemd:1:1";
        let shell = "bash:60:600 bash:40:400 supervisor:20:200 systemd:1:1";
        let adopter = [host(chain, Some((20, 200)))];
        assert_eq!(verdict(orphan, &adopter, &RUNS), "reparented");
        assert_eq!(verdict("supervisor:20:200 systemd:1:1", &adopter, &RUNS), "reparented");
        assert_eq!(verdict(shell, &adopter, &RUNS), "person");
        // It starts children of its own, and the first process adopts.
        let parent = [host(chain, Some((1, 1)))];
        assert_eq!(verdict(orphan, &parent, &RUNS), "person");
    }

    #[test]
    fn where_a_person_may_sit_beneath_an_adopter_the_pin_decides() {
        // The first process of a container is the shell in which the agent program was started.
        let in_container = [host("claude:50:500 bash:1:1", Some((1, 1)))];
        for ancestors in ["bash:1:1", "make:60:600 bash:1:1", "sh:61:610 python3:60:600 bash:1:1"] {
            assert_eq!(verdict(ancestors, &in_container, &RUNS), "unproven", "{ancestors}");
            let elsewhere = judge(&chain(ancestors), &[], &in_container, &RUNS);
            assert_eq!(elsewhere.is_err(), ancestors != "bash:1:1", "{ancestors}");
        }
        assert_eq!(verdict("sh:60:600 claude:50:500 bash:1:1", &in_container, &RUNS), "host");
        // Each terminal of WSL has its own processes of `init`, which adopt the orphans in it.
        let in_wsl = [host("claude:50:500 bash:40:400 init#:30:300 init#:29:290 init#:1:1", Some((30, 300)))];
        let terminal = "bash:90:900 init#:80:800 init#:79:790 init#:1:1";
        assert_eq!(verdict(terminal, &in_wsl, &RUNS), "unproven");
        assert_eq!(verdict("sh:90:900 init:80:800 init#:1:1", &in_wsl, &RUNS), "reparented", "another init");
        // Mosh's server leaves the login that started it.
        let by_mosh = [host("claude:50:500 bash:40:400 mosh-server:30:300 systemd:1:1", None)];
        assert_eq!(verdict("bash:40:400 mosh-server:30:300 systemd:1:1", &by_mosh, &RUNS), "person");
        assert_eq!(verdict("bash:90:900 mosh-server:80:800 systemd:1:1", &by_mosh, &RUNS), "unproven");
        assert_eq!(verdict("bash:90:900 mosh-server!:80:800 systemd:1:1", &by_mosh, &RUNS), "reparented");
    }

    #[test]
    fn what_an_agent_of_another_workspace_left_behind_is_not_a_persons() {
        let elsewhere = [host("claude:50:500 bash:40:400 systemd:7:7 systemd:1:1", None)];
        for (ancestors, is_person) in [
            ("bash:60:600 claude:50:500 bash:40:400 systemd:7:7 systemd:1:1", false),
            ("sh:61:610 python3:60:600 systemd:1:1", false),
            ("python3:60:600 systemd:7:7 systemd:1:1", false),
            ("bash:40:400 systemd:7:7 systemd:1:1", true),
            ("python3:20:200 systemd:1:1", true),
            // In the agent's own workspace these are refused.
            ("bash:90:900 alacritty:80:800 systemd:7:7 systemd:1:1", true),
            ("bash:60:600 tmux:55:550 systemd:1:1", true),
            ("bash:60:600 code:55:550 systemd:7:7 systemd:1:1", true),
        ] {
            let result = judge(&chain(ancestors), &[], &elsewhere, &RUNS);
            assert_eq!(result.is_ok(), is_person, "{ancestors}");
        }
    }

    #[test]
    fn an_agent_program_needs_no_record() {
        assert_eq!(verdict("sh:60:600 gemini:50:500 bash:40:400 systemd:1:1", &[], &RUNS), "host");
    }
}
