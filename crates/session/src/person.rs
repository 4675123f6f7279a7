//! Whether a person asks, or a program that an agent started: the one check for everything that only a person may do.
//!
//! A terminal proves nothing: a script can open one. What a script cannot change is which process started it. So
//! dispatch records the agent program that calls it, and a command is refused beneath such a program, if the chain of
//! its ancestors is broken since the agent program started, or in a terminal that the agent shares ([`rule`]).
//!
//! Where no agent program was recorded for the workspace, everything passes: scripts and CI have no agent to be mistaken
//! for.

#[cfg(target_os = "linux")]
mod adopter;
mod changes;
mod editor;
mod host_programs;
mod host_records;
mod pin;
mod process_chain;
mod process_facts;
#[cfg(target_os = "linux")]
mod process_list;
mod programs;
mod refusal;
mod rule;

use std::time::Duration;

use event::AbsPath;
use redact::Redacted;
use serde_json::json;
use store::{Batch, Journal, SessionDir, Workspace};

pub use changes::PersonChanges;
pub use editor::ExtensionHost;
pub use host_records::HostRecord;
use host_records::{
    announced_start, forget_oldest, lacks_announced, read_host_journal, read_hosts, were_removed,
};
pub use pin::{PinError, PinRecord, check_length as check_pin_length};
use process_chain::Process;
use process_facts::System;
pub use refusal::NotAPerson;
use rule::ProcessFacts;

/// Checks whether a person asks. Returns why not.
pub fn check(workspace: &Workspace, user_state: Option<&AbsPath>) -> Result<(), NotAPerson> {
    let chain = process_chain::ancestors();
    check_chain(workspace, user_state, &chain, &process_chain::namespace("self"), None)
}

/// Checks whether a process is a person's, such as the browser behind a connection. `known` is an agent program that the
/// caller knows even if its record was removed. Returns why not.
pub fn check_process(
    workspace: &Workspace,
    user_state: Option<&AbsPath>,
    pid: u32,
    known: Option<&HostRecord>,
) -> Result<(), NotAPerson> {
    let chain = process_chain::chain_of(pid);
    // It has ended since.
    if chain.is_empty() {
        return Err(NotAPerson::Hidden);
    }
    let namespace = process_chain::namespace(&pid.to_string());
    if editor::is_server_of_editor(workspace, user_state, &chain, &namespace, known) {
        return Ok(());
    }
    check_chain(workspace, user_state, &chain, &namespace, known)
}

fn check_chain(
    workspace: &Workspace,
    user_state: Option<&AbsPath>,
    chain: &[Process],
    namespace: &str,
    known: Option<&HostRecord>,
) -> Result<(), NotAPerson> {
    let own = visible_hosts(workspace, user_state, chain, namespace, known)?;
    rule::judge(chain, &own, &running_elsewhere(workspace, user_state), &System)
}

/// Returns the agent programs that run in other workspaces of this user: what they leave behind is not a person's here.
fn running_elsewhere(workspace: &Workspace, user_state: Option<&AbsPath>) -> Vec<HostRecord> {
    let Some(state) = user_state else { return Vec::new() };
    let own = workspace.host_records(state);
    running_in(Workspace::all_host_records(state).iter().filter(|folder| **folder != own))
}

/// Returns the agent programs of these folders that run.
fn running_in<'a>(folders: impl Iterator<Item = &'a AbsPath>) -> Vec<HostRecord> {
    let hosts = folders.flat_map(read_hosts);
    hosts.filter(|host| host.chain.first().is_some_and(|program| System.runs(*program))).collect()
}

/// Returns the known agent programs, if who started a chain of processes can be seen. Without a state folder, which a
/// command can hide from steersman, they are those in the workspace's own record.
fn visible_hosts(
    workspace: &Workspace,
    user_state: Option<&AbsPath>,
    chain: &[Process],
    namespace: &str,
    known: Option<&HostRecord>,
) -> Result<Vec<HostRecord>, NotAPerson> {
    let mut hosts = user_state.map(|state| read_hosts(&workspace.host_records(state))).unwrap_or_default();
    // An agent that removes one of the records does not become a person.
    hosts.extend(read_host_journal(&workspace.host_journal()));
    hosts.extend(known.cloned());
    if (hosts.is_empty() && were_removed(workspace)) || lacks_announced(workspace, &hosts) {
        return Err(NotAPerson::RecordsRemoved);
    }
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
    Ok(hosts)
}

/// Records the agent program that started this process, unless it is known.
///
/// Any program may send events, such as a test of the rules. So unless the session starts now, or its start was
/// announced, only a program is recorded that is known to run agents.
///
/// Ignores errors: without a record nothing is refused, as on a system that does not list its processes.
pub fn record_host(workspace: &Workspace, user_state: &AbsPath, session: &SessionDir, starts_session: bool) {
    let folder = workspace.host_records(user_state);
    let file_of = |(pid, started): (u32, u64)| folder.child(&format!("{pid}-{started}"));
    // Most events come from a program that is recorded and starts its hooks itself.
    if process_chain::parent().is_some_and(|parent| file_of(parent).as_path().exists()) {
        return;
    }
    let Some(caller) = process_chain::caller() else { return };
    let file = file_of(caller.identity);
    if file.as_path().exists() {
        return;
    }
    if !starts_session && !host_programs::may_be_agent(&caller.program) {
        let starts_agents = |host: &HostRecord| host.chain.iter().skip(1).any(|it| *it == caller.identity);
        if announced_start(session).is_none() || read_hosts(&folder).iter().any(starts_agents) {
            return;
        }
    }
    let Some(record) = host_record() else { return };
    let text = serde_json::to_string(&record).unwrap_or_default();
    if store::create_folder(folder.as_path()).is_err() {
        return;
    }
    forget_oldest(&folder);
    let _ = store::write_shared(file.as_path(), text.as_bytes());
    append(workspace, &workspace.host_journal(), &text);
}

/// Returns the agent program that started this process as a hook, which must have one thread. Returns `None` where the
/// system does not tell.
pub fn host_record() -> Option<HostRecord> {
    let caller = process_chain::caller()?;
    let ancestors = process_chain::ancestors();
    let from = ancestors.iter().position(|process| process.identity() == caller.identity)?;
    // The agent program has ended, and the first process of the system is not one.
    let chain = ancestors[from..].iter().map(Process::identity);
    let chain = if caller.identity.0 == 1 { Vec::new() } else { chain.collect() };
    #[cfg(target_os = "linux")]
    let adopter = adopter::nearest().and_then(|pid| Some((pid, process_chain::start_of(pid)?)));
    #[cfg(not(target_os = "linux"))]
    let adopter = None;
    let namespace = process_chain::namespace("self");
    Some(HostRecord { boot: process_chain::boot(), namespace, chain, adopter })
}

/// Returns whether a program that an agent started sends this event, not an agent program: one beneath a recorded agent
/// program, or one that was left behind while it runs. `workspace` limits it to the agents there.
///
/// A process that may be an agent program itself counts as one: some start themselves again.
pub fn is_sent_by_agents_command(workspace: Option<&Workspace>, user_state: &AbsPath) -> bool {
    let folders = match workspace {
        Some(workspace) => vec![workspace.host_records(user_state)],
        None => Workspace::all_host_records(user_state),
    };
    let is_recorded = |(pid, started): (u32, u64)| {
        let name = format!("{pid}-{started}");
        folders.iter().any(|folder| folder.child(&name).as_path().exists())
    };
    // Most events come from a program that is recorded and starts its hooks itself.
    if process_chain::parent().is_some_and(is_recorded) {
        return false;
    }
    let Some(caller) = process_chain::caller() else { return false };
    if is_recorded(caller.identity) || host_programs::may_be_agent(&caller.program) {
        return false;
    }
    let running = running_in(folders.iter());
    if running.is_empty() {
        return false;
    }
    let ancestors = process_chain::ancestors();
    let from = ancestors.iter().position(|process| process.identity() == caller.identity).unwrap_or_default();
    rule::judge_elsewhere(&ancestors[from..], &running).is_err()
}

/// Returns the agent program that started this hook: pid and start time. Returns `None` where the system does not tell.
pub fn host_process() -> Option<(u32, u64)> {
    process_chain::caller().map(|caller| caller.identity)
}

/// Returns the agent program that started this hook, for the journal's line about the start of a session. Returns `None`
/// where the system does not tell.
pub fn announced_process() -> Option<String> {
    host_process().filter(|(pid, _)| *pid != 1).map(host_records::announcement)
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
