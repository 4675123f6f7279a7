//! Fills the pages about automations.

use std::collections::HashMap;

use automation::queue::{self, Stage};
use automation::{ExecutionRecord, State, Status};
use page::view::{AutomationRow, Automations, EndedRun, RunOutput};

use super::super::Web;
use crate::history::{History, Query, RunCount, find_runs};

/// How many ended runs are listed.
const LISTED: usize = 50;
/// How many of the latest runs of each automation are drawn, and among how many of all they are looked for.
const DRAWN: usize = 12;
const LATEST: usize = 400;

/// Returns the automations; the history has the runs that match a text and a status.
pub(in crate::web) fn automations(web: &Web, search: &str, status: &str) -> Automations {
    let snapshot = web.snapshots.get();
    let status = Status::ALL.into_iter().find(|it| it.is_final() && it.as_str() == status);
    let query = Query {
        grep: (!search.is_empty()).then(|| search.to_owned()),
        status: status.map(|it| it.as_str().to_owned()),
        limit: LISTED,
        ..Query::default()
    };
    let latest = Query { limit: LATEST, ..Query::default() };
    // Opening the index would create it, perhaps in a folder that a process is deleting.
    let has_history = has_history(web);
    let (history, history_problem) = match has_history.then(|| find_runs(&web.workspace, &query)) {
        None => (Vec::new(), None),
        Some(Ok(found)) => (found.runs, found.without_index.map(|error| error.to_string())),
        Some(Err(error)) => (Vec::new(), Some(error.to_string())),
    };
    let latest = has_history.then(|| find_runs(&web.workspace, &latest).ok()).flatten();
    let latest = latest.map(|found| found.runs).unwrap_or_default();
    let counts = has_history.then(|| History::open(&web.workspace).and_then(|it| it.counts()).ok()).flatten();
    let counts = counts.unwrap_or_default();
    Automations {
        ts: store::now().as_millis(),
        problem: snapshot.objection.clone(),
        file_problems: snapshot.file_problems.clone(),
        automations: snapshot
            .automations
            .iter()
            .map(|row| with_runs(row, &snapshot.paused, &counts, &latest))
            .collect(),
        runs: snapshot.runs.clone(),
        history: history.into_iter().map(EndedRun::of).collect(),
        search: search.to_owned(),
        status: status.map(|it| it.as_str().to_owned()).unwrap_or_default(),
        history_problem,
    }
}

/// Returns a run with its output. Returns `None` if no run has this id.
pub(in crate::web) fn run_output(web: &Web, id: &str) -> Option<RunOutput> {
    let ts = store::now();
    // The index first: a queue has up to 16 MiB of ended runs, and to read it takes longer than everything else.
    let indexed = || History::open(&web.workspace).and_then(|history| history.run(id));
    let has_history = has_history(web);
    if has_history && let Ok(Some(record)) = indexed() {
        return Some(ended(ts, record));
    }
    let queue = queue::read(&web.workspace).unwrap_or_default();
    if let Some(run) = queue.open().find(|run| run.queued.id.as_str() == id) {
        let (state, status) = match run.stage {
            Stage::Running { state, .. } => (state, Status::Running),
            Stage::Pending { .. } => (State::Pending, Status::Queued),
        };
        let mut record = run.record(state);
        record.status = status;
        record.logs = Some(run.printed.logs()).filter(|it| !it.is_empty());
        let since = match run.stage {
            Stage::Running { since, .. } => Some(ts.millis_since(since)),
            Stage::Pending { .. } => None,
        };
        return Some(RunOutput { ts: ts.as_millis(), record, has_ended: false, duration_ms: since });
    }
    if !has_history {
        return None;
    }
    // It may have ended meanwhile.
    if let Ok(found) = indexed() {
        return found.map(|record| ended(ts, record));
    }
    // Without the index the journals are searched.
    let query = Query { grep: Some(id.to_owned()), limit: 50, ..Query::default() };
    let found = find_runs(&web.workspace, &query).ok()?.runs;
    found.into_iter().find(|record| record.id.as_str() == id).map(|record| ended(ts, record))
}

fn ended(ts: store::Timestamp, record: ExecutionRecord) -> RunOutput {
    RunOutput { ts: ts.as_millis(), duration_ms: record.duration_millis(), record, has_ended: true }
}

/// Returns whether the index of ended runs exists.
pub(super) fn has_history(web: &Web) -> bool {
    web.workspace.automation_history().as_path().exists()
}

fn with_runs(
    row: &AutomationRow,
    paused: &[(String, String)],
    counts: &HashMap<String, RunCount>,
    latest: &[ExecutionRecord],
) -> AutomationRow {
    let count = counts.get(&row.id);
    let mut statuses: Vec<String> = latest
        .iter()
        .filter(|record| record.hook_id.as_str() == row.id)
        .take(DRAWN)
        .map(|record| record.status.as_str().to_owned())
        .collect();
    statuses.reverse();
    AutomationRow {
        paused: paused.iter().find(|(id, _)| *id == row.id).map(|(_, why)| why.clone()),
        n_runs: count.map_or(0, |it| it.n),
        last_run: count.map(|it| it.last.clone()),
        latest: statuses,
        ..row.clone()
    }
}
