//! `steersman session coverage SID --record`: compares the lines that a turn added and records the calls that no hook judged. The hook
//! at a stop starts it and does not wait for it.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::ops::ControlFlow;
use std::thread;
use std::time::Duration;

use event::{LineKind, SessionId};
use serde_json::{Map, Value, json};
use session::{ManualChange, OpenSession, history};
use store::{SessionDir, Workspace};

use super::comparison::{self, Comparison, ReadUpTo};
use super::{host_session, transcripts};
use crate::commands::Place;
use crate::detached;
use crate::exit::Exit;

/// How long an agent program may take to write the end of a turn to its transcript.
const SETTLING: Duration = Duration::from_secs(2);

/// The most calls that one check names; the rest is counted.
const MAX_NAMED: usize = 100;

/// The lines of earlier checks in the journal.
#[derive(Default)]
struct Earlier {
    read: Option<ReadUpTo>,
    ungoverned: BTreeSet<String>,
}

/// Starts the check of a session, as a process that outlives this one. If it fails, the next stop checks both turns.
pub(crate) fn start_detached(workspace: &Workspace, session: SessionId) {
    let (session, root) = (session.to_string(), workspace.root().as_path().as_os_str());
    let args = ["session", "coverage", &session, "--record", "--workspace"].map(OsStr::new);
    detached::start(args.into_iter().chain([root]));
}

pub(super) fn run(place: &Place, id: SessionId) -> anyhow::Result<Exit> {
    thread::sleep(SETTLING);
    let dir = place.workspace.session(id);
    let earlier = Earlier::read(&dir);
    let found = match compare(&dir, earlier.read.as_ref()) {
        Ok(found) => found,
        Err(problem) => {
            crate::output::error(&problem);
            return Ok(Exit::World);
        }
    };
    if earlier.read.as_ref() == Some(&found.read) {
        return Ok(Exit::Fine);
    }
    let new: Vec<_> = found.ungoverned.iter().filter(|call| !earlier.ungoverned.contains(&call.id)).collect();
    let session = OpenSession::existing(&place.workspace, id)?;
    let change = ManualChange::begin(&session)?;
    for call in new.iter().take(MAX_NAMED) {
        let data = json!({"tool": call.tool, "id": call.id, "time": call.time, "cause": call.cause});
        change.note("session coverage", LineKind::Ungoverned, object(data))?;
    }
    let data = json!({"calls": found.calls, "ungoverned": new.len(), "read": found.read});
    change.note("session coverage", LineKind::Coverage, object(data))?;
    Ok(Exit::Fine)
}

/// Compares what came since the last check, and everything if that leaves a doubt.
fn compare(dir: &SessionDir, from: Option<&ReadUpTo>) -> Result<Comparison, String> {
    let (host, session) = host_session(dir)?;
    let files = transcripts::of(host, &session)?;
    if let Some(from) = from {
        let compared = comparison::since(host, &files, dir, from)?;
        if compared.ungoverned.is_empty() {
            return Ok(compared);
        }
    }
    comparison::of(host, &files, dir)
}

impl Earlier {
    fn read(dir: &SessionDir) -> Self {
        let mut earlier = Self::default();
        // A journal that cannot be read fails the comparison.
        let _ = history::each_line(&dir.events_file(), |line| {
            let is_ours =
                |kind: LineKind| history::head(line).contains(&format!("\"type\":\"{}\"", kind.name()));
            if is_ours(LineKind::Coverage) || is_ours(LineKind::Ungoverned) {
                earlier.add(line);
            }
            ControlFlow::<()>::Continue(())
        });
        earlier
    }

    fn add(&mut self, line: &str) {
        let Some(line) = history::parse(line) else { return };
        match LineKind::parse(&line.kind) {
            Some(LineKind::Coverage) => {
                self.read = line.data.get("read").and_then(|read| serde_json::from_value(read.clone()).ok());
            }
            Some(LineKind::Ungoverned) => {
                self.ungoverned.extend(line.data.get("id").and_then(Value::as_str).map(str::to_owned));
            }
            _ => {}
        }
    }
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(object) => object,
        _ => Map::new(),
    }
}
