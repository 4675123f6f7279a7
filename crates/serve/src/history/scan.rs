//! Searches runs without an index: reads the journals, the latest first.

use std::collections::HashSet;
use std::fs::File;
use std::io::{BufRead, BufReader, ErrorKind};
use std::path::Path;

use automation::{ExecutionId, ExecutionRecord};
use store::Workspace;

use super::ingestion::{archives, end_of, ended_run};
use super::search::has_text;
use super::{HistoryError, Query};

/// Returns the matching runs, the latest first.
pub(super) fn find(workspace: &Workspace, query: &Query) -> Result<Vec<ExecutionRecord>, HistoryError> {
    let looked_for = query.grep.as_deref().map(str::to_lowercase);
    let since = query.since.map(|since| since.to_string());
    let fits = |record: &ExecutionRecord| {
        query.hook.as_ref().is_none_or(|hook| record.hook_id.as_str() == hook)
            && query.status.as_ref().is_none_or(|status| record.status.as_str() == status)
            && since.as_ref().is_none_or(|since| end_of(record) >= since.as_str())
            && looked_for.as_ref().is_none_or(|text| has_text(record, text))
    };
    let mut found: Vec<ExecutionRecord> = Vec::new();
    let mut known: HashSet<ExecutionId> = HashSet::new();
    let archives = archives(workspace);
    let journal = workspace.automation_queue();
    for path in std::iter::once(journal.as_path()).chain(archives.iter().rev().map(AsRef::as_ref)) {
        if found.len() >= query.limit {
            break;
        }
        let mut runs = runs_in(path, &fits)
            .map_err(|source| HistoryError::Journal { path: path.to_path_buf(), source })?;
        runs.reverse();
        found.extend(runs.into_iter().filter(|run| known.insert(run.id.clone())));
    }
    found.truncate(query.limit);
    Ok(found)
}

fn runs_in(
    journal: &Path,
    fits: &impl Fn(&ExecutionRecord) -> bool,
) -> Result<Vec<ExecutionRecord>, std::io::Error> {
    let file = match File::open(journal) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        other => other?,
    };
    let mut reader = BufReader::with_capacity(1 << 16, file);
    let (mut line, mut found) = (Vec::new(), Vec::new());
    loop {
        line.clear();
        if reader.read_until(b'\n', &mut line)? == 0 {
            return Ok(found);
        }
        found.extend(ended_run(&line).map(|record| *record).filter(fits));
    }
}
