//! Fills the page about intents.

use std::collections::BTreeMap;

use intent::trace::{TraceLog, TraceRecord};
use intent::{ExpansionRequest, ExpansionRequests, Intent, IntentsFile, Selection, WorkspaceIntents};
use page::view::{DiffLine, IntentRow, IntentWorker, Intents, ScopeRequest, SessionCard, WrittenFile};
use session::history::{self, Overview};

use super::super::Web;
use super::journal_window::JournalWindow;
use super::session_card;

/// How much of the end of the trace is read.
const TRACE: u64 = 4 * 1024 * 1024;
/// Among how many of the latest sessions those of an intent are looked for.
const MAX_SESSIONS: usize = 40;
/// How many files of an intent are listed.
const MAX_FILES: usize = 50;
/// How many unchanged lines surround a change.
const CONTEXT: usize = 3;

/// Returns the intents.
pub(in crate::web) fn intents(web: &Web) -> Intents {
    let accessor = WorkspaceIntents::of(&web.workspace);
    let ts = store::now().as_millis();
    let file = match accessor.read() {
        Ok(Some(file)) => file,
        Ok(None) => return Intents { ts, ..Intents::default() },
        Err(error) => {
            return Intents { ts, governed: true, problem: Some(error.to_string()), ..Intents::default() };
        }
    };
    let text = std::fs::read_to_string(accessor.file().as_path()).unwrap_or_default();
    let selection = Selection::read(&web.workspace).ok().flatten();
    let trace =
        JournalWindow::read(&web.workspace.root().join(TraceLog::PATH), None, TRACE).unwrap_or_default();
    let records: Vec<TraceRecord> =
        trace.text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let workers = workers(web, ts);
    let open = ExpansionRequests::of(&web.workspace).open(&file.intents).unwrap_or_default();
    Intents {
        ts,
        governed: true,
        problem: None,
        intents: file
            .intents
            .iter()
            .map(|it| IntentRow {
                workers: workers_of(&workers, it),
                ..row(it, selection.as_ref(), &records)
            })
            .collect(),
        requests: open.iter().map(|it| request(it, &text)).collect(),
    }
}

/// Returns how many requests for a wider scope wait for a person.
pub(in crate::web) fn n_scope_requests(web: &Web) -> usize {
    // Most workspaces have no request, and every page asks.
    if !web.workspace.scope_requests_file().as_path().exists() {
        return 0;
    }
    let file = WorkspaceIntents::of(&web.workspace).read().ok().flatten();
    let open = file.and_then(|file| ExpansionRequests::of(&web.workspace).open(&file.intents).ok());
    open.map_or(0, |open| open.len())
}

/// Returns the latest sessions with the intents under which they worked last.
fn workers(web: &Web, now: u64) -> Vec<(String, IntentWorker)> {
    let all = history::overviews(&web.workspace).unwrap_or_default();
    let worker = |overview: &Overview| {
        let intent = web.inspection.intent_of(overview.id)?;
        let card = session_card::of(&web.workspace, overview, now);
        let SessionCard { sid, host, status, last_event, .. } = card;
        Some((intent, IntentWorker { sid, host, status, last_event }))
    };
    all.iter().take(MAX_SESSIONS).filter_map(worker).collect()
}

fn workers_of(all: &[(String, IntentWorker)], intent: &Intent) -> Vec<IntentWorker> {
    all.iter().filter(|(id, _)| id == intent.id.as_str()).map(|(_, worker)| worker.clone()).collect()
}

fn row(intent: &Intent, selection: Option<&Selection>, records: &[TraceRecord]) -> IntentRow {
    let written = records.iter().filter(|record| record.intent_id == intent.id);
    let mut files: BTreeMap<&str, WrittenFile> = BTreeMap::new();
    let mut n_writes = 0;
    for record in written {
        n_writes += 1;
        let path = record.file_path.as_str();
        let file = files.entry(path).or_insert_with(|| WrittenFile {
            path: path.to_owned(),
            n: 0,
            last: String::new(),
        });
        file.n += 1;
        file.last.clone_from(&record.timestamp);
    }
    let mut files: Vec<WrittenFile> = files.into_values().collect();
    files.sort_by(|one, other| other.last.cmp(&one.last));
    files.truncate(MAX_FILES);
    IntentRow {
        id: intent.id.as_str().to_owned(),
        name: intent.name.clone(),
        description: intent.description.clone(),
        status: intent.status.as_str().to_owned(),
        scope: intent.owned_scope.iter().map(|it| it.as_str().to_owned()).collect(),
        selected: selection.is_some_and(|it| it.intent_id == intent.id),
        files,
        workers: Vec::new(),
        n_writes,
    }
}

fn request(request: &ExpansionRequest, text: &str) -> ScopeRequest {
    let diff = match IntentsFile::expand(text, &request.intent_id, &request.pattern) {
        Ok(edited) => diff(text, &edited),
        Err(error) => vec![DiffLine { sign: ' ', text: format!("cannot change the file: {error}") }],
    };
    ScopeRequest {
        request: request.key(),
        intent: request.intent_id.as_str().to_owned(),
        pattern: request.pattern.clone(),
        reason: request.reason.clone(),
        timestamp: request.timestamp.clone(),
        diff,
    }
}

/// Returns the changed lines with a few lines around them. An expansion changes lines at one place.
fn diff(before: &str, after: &str) -> Vec<DiffLine> {
    let (old, new): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    let same_start = old.iter().zip(&new).take_while(|(one, other)| one == other).count();
    let most = old.len().min(new.len()) - same_start;
    let same_end =
        old.iter().rev().zip(new.iter().rev()).take(most).take_while(|(one, other)| one == other).count();
    let lines = |sign: char, part: &[&str]| -> Vec<DiffLine> {
        part.iter().map(|text| DiffLine { sign, text: (*text).to_owned() }).collect()
    };
    let end = old.len() - same_end;
    let mut diff = lines(' ', &old[same_start.saturating_sub(CONTEXT)..same_start]);
    diff.extend(lines('-', &old[same_start..end]));
    diff.extend(lines('+', &new[same_start..new.len() - same_end]));
    diff.extend(lines(' ', &old[end..(end + CONTEXT).min(old.len())]));
    diff
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_diff_has_the_changed_lines_and_a_few_around_them() {
        let text = |diff: Vec<DiffLine>| {
            diff.into_iter().map(|it| format!("{}{}", it.sign, it.text)).collect::<Vec<_>>()
        };
        assert_eq!(
            text(diff("a\nb\nc\nd\ne\nf\n", "a\nb\nc\nd\nnew\ne\nf\n")),
            [" b", " c", " d", "+new", " e", " f"]
        );
        assert_eq!(text(diff("scope: [a]\n", "scope: [a, b]\n")), ["-scope: [a]", "+scope: [a, b]"]);
        assert_eq!(text(diff("a\na\n", "a\na\na\n")), [" a", " a", "+a"]);
        assert_eq!(text(diff("a\n", "a\n")), [" a"]);
    }
}
