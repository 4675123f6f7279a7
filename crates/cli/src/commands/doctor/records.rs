//! Whether steersman can record events, and earlier failures to do so.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::Path;

use project_config::Config;
use session::history::overviews;
use session::{Retention, State, StateFault};
use store::{Timestamp, Workspace, plain_file, read_lines};

use super::finding::{Finding, Mark, Section};
use super::last_event::latest_sessions;
use super::trust::out_of_scope;
use super::{coverage, overruns};
use crate::commands::Place;
use crate::commands::session::needed_sessions;
use crate::output::text;

/// The bytes to write as a test: about as many as a run records.
const PROBE: [u8; 16 * 1024] = [b'\n'; 16 * 1024];

/// The maximum number of log lines to print, and how many bytes of the log's end to read.
const LOG_LINES: usize = 3;
const LOG_TAIL: u64 = 16 * 1024;
const A_DAY_MS: u64 = 24 * 60 * 60 * 1000;

/// Checks `.ai/tmp`.
pub(super) fn section(place: &Place) -> Section {
    let workspace = &place.workspace;
    let title = "Records";
    if place.is_out_of_scope {
        let nothing = format!("steersman records nothing here: {}", out_of_scope());
        return Section { name: "records", title, findings: vec![Finding::new(Mark::Info, nothing)] };
    }
    let mut findings = vec![folder(workspace)];
    findings.extend(sessions(workspace));
    findings.extend(journals(workspace));
    findings.extend(overruns::finding(workspace));
    findings.extend(coverage::findings(place));
    findings.extend(retention(place));
    findings.extend(log(workspace));
    Section { name: "records", title, findings }
}

/// Says which sessions `session gc` removes, and when.
fn retention(place: &Place) -> Option<Finding> {
    let workspace = &place.workspace;
    let config = Config::load(workspace).ok()?;
    let retention = config.typed::<Retention>(Retention::SECTION).ok()?;
    if retention.max_age_ms().is_none() {
        return Some(Finding::new(
            Mark::Fine,
            "no session is ever removed (`gc.keep` is `forever`)".to_owned(),
        ));
    }
    let sessions = overviews(workspace).ok()?;
    let at = retention.next_expiry(&sessions)?;
    let expired = retention.expired(&sessions, store::now());
    // Comparing the trace with the last commit runs git.
    let needed = if expired.is_empty() { BTreeSet::new() } else { needed_sessions(place).ok()? };
    let n_expired = expired.iter().filter(|session| !needed.contains(&session.id)).count();
    let n_needed = expired.len() - n_expired;
    let text = if n_expired == 0 && n_needed > 0 {
        let sessions = text::counted(n_needed, "old session", "old sessions");
        format!("`session gc` keeps {sessions}: the trace or an anchor needs the journal")
    } else if n_expired > 0 {
        let sessions = if n_expired == 1 { "1 session".to_owned() } else { format!("{n_expired} sessions") };
        format!("the next `session gc` may remove {sessions}, with the data that only their journals contain")
    } else {
        format!(
            "`session gc` may remove the oldest session from {at} on, with the data that only its journal contains"
        )
    };
    let finding = Finding::new(Mark::Info, text);
    Some(finding.hint(
        "keep sessions for audits with `\"gc\": {\"keep\": \"forever\"}` or a number of days".to_owned(),
    ))
}

fn folder(workspace: &Workspace) -> Finding {
    let folder = workspace.tmp_dir();
    let shown = folder.below(workspace.root()).map_or_else(|_| folder.to_string(), |it| it.to_string());
    let wrong = |text: String| Finding::new(Mark::Wrong, format!("cannot record events: {text}"));
    if workspace.check_way_to(folder).is_err() {
        return wrong(format!("`{shown}` is a link out of the workspace")).hint(format!(
            "replace it with a folder, or with a link to one inside; `ls -ld {shown}` shows its target"
        ));
    }
    // The nearest existing ancestor decides.
    let mut there = folder.clone();
    while !there.as_path().exists() && there != *workspace.root() {
        let Some(parent) = there.parent() else { break };
        there = parent;
    }
    let named = there.below(workspace.root()).map_or_else(|_| there.to_string(), |it| it.to_string());
    if !there.as_path().is_dir() {
        return wrong(format!("`{named}` must be a folder, but is a file"))
            .hint(format!("move `{named}` away"));
    }
    match probe(there.as_path()) {
        Ok(()) => {
            let n_sessions = workspace.sessions().map_or(0, |sessions| sessions.len());
            let made = if there == *folder {
                match n_sessions {
                    1 => "1 session".to_owned(),
                    n => format!("{n} sessions"),
                }
            } else {
                "created at the first event".to_owned()
            };
            Finding::new(Mark::Fine, format!("{shown} is writable ({made})"))
        }
        Err(error) if error.kind() == io::ErrorKind::StorageFull => wrong("the disk is full".to_owned())
            .hint("free some space; until then steersman judges calls without recording them"),
        Err(error) => wrong(format!("cannot write to `{named}`: {}", error.kind()))
            .hint(format!("check the owner and mode of `{named}`")),
    }
}

/// Writes a file with a unique name and removes it.
fn probe(folder: &Path) -> io::Result<()> {
    let mut file = tempfile::Builder::new().prefix(".steersman-doctor").tempfile_in(folder)?;
    io::Write::write_all(&mut file, &PROBE)?;
    file.as_file().sync_all()
}

fn sessions(workspace: &Workspace) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (id, session) in latest_sessions(workspace) {
        if !session.root().as_path().is_dir() {
            let text = format!("cannot record session {id}: its folder is a file");
            findings.push(Finding::new(Mark::Wrong, text).hint(format!("remove {}", session.root())));
            continue;
        }
        let file = session.state_file();
        let state = match plain_file::read(file.as_path()) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            Err(error) => {
                findings
                    .push(Finding::new(Mark::Wrong, format!("session {id}: cannot read {file}: {error}")));
                continue;
            }
            Ok(bytes) => State::parse(&bytes),
        };
        match state {
            Ok(_) => {}
            Err(fault @ StateFault::Newer(_)) => {
                let finding = Finding::new(Mark::Wrong, format!("session {id}: {fault}"));
                findings.push(finding.hint("steersman judges its events, but cannot store its state"));
            }
            Err(fault @ StateFault::Broken(_)) => {
                let finding = Finding::new(Mark::Warning, format!("session {id}: {fault}"));
                findings.push(finding.hint("the next event rebuilds it from the journal"));
            }
        }
    }
    findings
}

/// Reports journals that are not regular files.
fn journals(workspace: &Workspace) -> Vec<Finding> {
    let check = |(id, session): (event::SessionId, store::SessionDir)| {
        let file = session.events_file();
        let error = plain_file::open_plain(file.as_path()).err()?;
        let is_absent = matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory);
        (!is_absent).then(|| {
            let text = format!("cannot record session {id}: {file}: {error}");
            Finding::new(Mark::Wrong, text).hint("move it away; the next event creates a new journal")
        })
    };
    latest_sessions(workspace).into_iter().filter_map(check).collect()
}

fn log(workspace: &Workspace) -> Option<Finding> {
    let log = workspace.dispatch_log();
    let length = fs::metadata(log.as_path()).ok()?.len();
    let text = read_lines(&log, length.saturating_sub(LOG_TAIL)).ok()?;
    let lines: Vec<&str> =
        text.lines().filter(|line| line.starts_with(|c: char| c.is_ascii_digit())).collect();
    let newest = lines.last()?;
    // Times are written so that they sort as strings.
    let a_day_ago = Timestamp::from_millis(store::now().as_millis().saturating_sub(A_DAY_MS)).to_string();
    let mark = if **newest > *a_day_ago { Mark::Warning } else { Mark::Info };
    let shown = lines[lines.len().saturating_sub(LOG_LINES)..].join("\n    ");
    Some(Finding::new(mark, format!("recent failures at events (dispatch.log):\n    {shown}")))
}
