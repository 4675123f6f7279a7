//! A number for everything that the pages show: two pages with the same number show the same.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;

use super::Web;

/// How many of the latest runs of workflows can change: the page shows no more.
const MAX_RUNS: usize = 10;

/// Returns a number that differs if a session, an intent, a request, an agent, the plan, an automation or the queue changed.
pub(super) fn stamp(web: &Web) -> u64 {
    let mut hasher = DefaultHasher::new();
    let workspace = &web.workspace;
    for id in workspace.sessions().unwrap_or_default() {
        add(&mut hasher, workspace.session(id).events_file().as_path());
    }
    for file in [
        workspace.automation_queue(),
        workspace.intents_file(),
        workspace.scope_requests_file(),
        workspace.selection_file(),
        workspace.trace_file(),
        workspace.agent_registry_file(),
        workspace.config_file(),
    ] {
        add(&mut hasher, file.as_path());
    }
    if let Some(plan) = web.shown_plan.get() {
        add(&mut hasher, plan.as_path());
    }
    add_runs(&mut hasher, workspace.agent_runs_dir().as_path());
    if let Some(state) = &web.user_state {
        add(&mut hasher, store::asks_folder(state).as_path());
        // The orders to hold a session are files of one folder.
        if let Some(holds) = workspace.hold_file(state).as_path().parent() {
            add(&mut hasher, holds);
        }
    }
    for page in super::data::served_pages(web) {
        page.url.hash(&mut hasher);
    }
    web.doctor.looked_at().hash(&mut hasher);
    let snapshot = web.snapshots.get();
    (&snapshot.objection, &snapshot.paused, &snapshot.file_problems).hash(&mut hasher);
    for row in &*snapshot.automations {
        (&row.id, &row.label, &row.trigger, row.enabled, &row.impediment).hash(&mut hasher);
    }
    for run in &snapshot.runs {
        (&run.id, &run.status).hash(&mut hasher);
    }
    hasher.finish()
}

/// Adds the length of a file and the time of its last change.
fn add(hasher: &mut DefaultHasher, path: &Path) {
    let meta = fs::metadata(path).ok();
    (meta.as_ref().map(fs::Metadata::len), meta.and_then(|it| it.modified().ok())).hash(hasher);
}

/// Adds the latest runs of workflows. A step changes only the run's own file, not the folder.
fn add_runs(hasher: &mut DefaultHasher, folder: &Path) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    // The names begin with the time.
    let mut files: Vec<_> = entries.map(|it| it.path()).collect();
    files.sort();
    for file in files.iter().rev().take(MAX_RUNS) {
        file.hash(hasher);
        add(hasher, file);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_of_a_run_changes_the_number_although_the_folder_stays_the_same() {
        let folder = tempfile::tempdir().unwrap();
        let number = || {
            let mut hasher = DefaultHasher::new();
            add_runs(&mut hasher, folder.path());
            hasher.finish()
        };
        let empty = number();
        fs::write(folder.path().join("20260102-030405-0a1b.jsonl"), "one\n").unwrap();
        let started = number();
        assert_eq!(started, number());
        fs::write(folder.path().join("20260102-030405-0a1b.jsonl"), "one\ntwo\n").unwrap();
        assert!(empty != started && started != number());
    }
}
