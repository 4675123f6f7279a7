//! Reads the recorded agent programs, notices that they were removed, and removes the oldest.

use std::fs;
use std::io::Read;
use std::path::Path;

use event::{AbsPath, EventName, LineKind};
use serde::{Deserialize, Serialize};
use store::{SessionDir, Workspace, plain_file};

use super::process_chain;

/// A recorded agent program, with its ancestors.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(title = "host-record"))]
pub struct HostRecord {
    /// The id of the system's start, without which process ids mean nothing.
    pub(super) boot: String,
    /// The namespace of its process ids.
    #[serde(default)]
    pub(super) namespace: String,
    /// The pid and start time of the program and each of its ancestors, the program itself first.
    pub(super) chain: Vec<(u32, u64)>,
    /// The process that adopts what the program leaves behind: pid and start time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) adopter: Option<(u32, u64)>,
}

/// How much of the beginning of a journal is searched for the start of its session.
const JOURNAL_BEGIN: usize = 16 * 1024;

/// How much of the end of the workspace's own record of agent programs is read: some thousand of them, so that announced
/// sessions do not push out the first one.
const HOST_JOURNAL_END: u64 = 1024 * 1024;

/// How many records of one workspace are kept.
const MAX_RECORDS: usize = 64;

/// Returns whether an agent program was ever recorded, whenever the system started.
#[cfg(target_os = "linux")]
pub(super) fn has_any(workspace: &Workspace, user_state: Option<&AbsPath>) -> bool {
    let records = user_state.and_then(|state| fs::read_dir(workspace.host_records(state).as_path()).ok());
    records.is_some_and(|mut records| records.next().is_some()) || workspace.host_journal().as_path().exists()
}

/// Reads the agent programs that were recorded since the system started.
pub(super) fn read_hosts(folder: &AbsPath) -> Vec<HostRecord> {
    let boot = process_chain::boot();
    let entries = fs::read_dir(folder.as_path()).into_iter().flatten().flatten();
    let read = |entry: fs::DirEntry| -> Option<HostRecord> {
        serde_json::from_slice(&plain_file::read(&entry.path()).ok()?).ok()
    };
    entries.filter_map(read).filter(|host| host.boot == boot).collect()
}

/// Reads the agent programs in the workspace's own record.
pub(super) fn read_host_journal(file: &AbsPath) -> Vec<HostRecord> {
    let boot = process_chain::boot();
    let lines = plain_file::tail(file.as_path(), HOST_JOURNAL_END).unwrap_or_default();
    let hosts = lines.lines().filter_map(|line| serde_json::from_str::<HostRecord>(line).ok());
    hosts.filter(|host| host.boot == boot).collect()
}

/// Returns whether a session announced its start since the system started. Then its agent program was recorded, and where
/// no record is left, a program removed it.
pub(super) fn were_removed(workspace: &Workspace) -> bool {
    let Some(boot) = process_chain::boot_time() else { return false };
    let sessions = workspace.sessions().unwrap_or_default();
    sessions.into_iter().any(|id| announced_start(&workspace.session(id)).is_some_and(|start| start >= boot))
}

/// Words an agent program for the journal: pid, start time, and the start of the system that gives both a meaning.
pub(super) fn announcement((pid, started): (u32, u64)) -> String {
    format!("{pid}-{started}-{}", process_chain::boot())
}

/// Returns whether a session names an agent program of which no record is left: another program removed it, and a younger
/// one may have been announced in its place.
pub(super) fn lacks_announced(workspace: &Workspace, hosts: &[HostRecord]) -> bool {
    let known: Vec<String> =
        hosts.iter().filter_map(|host| host.chain.first()).map(|it| announcement(*it)).collect();
    let boot = process_chain::boot();
    let sessions = workspace.sessions().unwrap_or_default();
    let mut named = sessions.into_iter().filter_map(|id| process_of_start(&workspace.session(id)));
    // Process ids of another start of the system, or of another system, mean nothing here.
    named.any(|name| !boot.is_empty() && name.ends_with(&boot) && !known.contains(&name))
}

/// Returns the agent program that a session names at its start.
fn process_of_start(session: &SessionDir) -> Option<String> {
    let begin = begin_of(session)?;
    let kind = format!("\"type\":\"{}\"", LineKind::SessionStart.name());
    let line = begin.lines().find(|line| line.contains(&kind))?;
    let line: serde_json::Value = serde_json::from_str(line).ok()?;
    line["data"]["process"].as_str().map(str::to_owned)
}

/// Returns the beginning of a session's journal.
fn begin_of(session: &SessionDir) -> Option<String> {
    let file = plain_file::open_plain(session.events_file().as_path()).ok()?;
    // With the room from the start, one call reads it all.
    let mut begin = Vec::with_capacity(JOURNAL_BEGIN);
    file.take(JOURNAL_BEGIN as u64).read_to_end(&mut begin).ok()?;
    Some(String::from_utf8_lossy(&begin).into_owned())
}

/// Returns when a session announced its start, in milliseconds since 1970. Returns `None` if its journal does not begin
/// with that.
pub(super) fn announced_start(session: &SessionDir) -> Option<u64> {
    let start = format!("\"event\":\"{}\"", EventName::SessionStart.as_str());
    let begin = begin_of(session)?;
    let line = begin.lines().find(|line| line.contains(&start))?;
    serde_json::from_str::<serde_json::Value>(line).ok()?["ts"].as_u64()
}

/// Removes the oldest records of programs that have ended, to make room for one.
///
/// WHY not of one that runs: an agent that announces many sessions would push its own program out.
pub(super) fn forget_oldest(folder: &AbsPath) {
    let entries: Vec<_> = fs::read_dir(folder.as_path()).into_iter().flatten().flatten().collect();
    let n_records = entries.len();
    if n_records < MAX_RECORDS {
        return;
    }
    let boot = process_chain::boot();
    let runs = |path: &Path| {
        let record =
            plain_file::read(path).ok().and_then(|it| serde_json::from_slice::<HostRecord>(&it).ok());
        record
            .filter(|it| it.boot == boot)
            .and_then(|it| it.chain.first().copied())
            .is_some_and(|(pid, started)| process_chain::start_of(pid) == Some(started))
    };
    let ended = entries.into_iter().filter(|entry| !runs(&entry.path()));
    let mut all: Vec<_> =
        ended.filter_map(|entry| Some((entry.metadata().ok()?.modified().ok()?, entry.path()))).collect();
    all.sort();
    let surplus = (n_records + 1 - MAX_RECORDS).min(all.len());
    for (_, path) in &all[..surplus] {
        let _ = store::remove_file(path);
    }
}
