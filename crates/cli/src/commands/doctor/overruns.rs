//! Runs that exceeded their budget, according to the journals.

use std::fs;

use event::LineKind;
use session::EventRecord;
use store::{SessionDir, Timestamp, Workspace, read_lines};

use super::finding::{Finding, Mark};
use super::last_event::latest_sessions;
use crate::output::moment;

/// The type of the journal lines.
const KIND: &str = LineKind::BudgetExceeded.name();

/// How many bytes of a journal's end to read.
const TAIL: u64 = 256 * 1024;

/// Older overruns are reported for information only.
const A_DAY_MS: u64 = 24 * 60 * 60 * 1000;

/// Reports how many runs exceeded their budget, when the last did, and in which module.
pub(super) fn finding(workspace: &Workspace) -> Option<Finding> {
    let sessions = latest_sessions(workspace);
    let overruns: Vec<EventRecord> = sessions.iter().flat_map(|(_, session)| of(session)).collect();
    let last = overruns.iter().max_by_key(|record| record.ts)?;
    let word = |key: &str| last.data.get(key).and_then(serde_json::Value::as_str);
    let times = match overruns.len() {
        1 => "once".to_owned(),
        n => format!("{n} times"),
    };
    let (at, now) = (Timestamp::from_millis(last.ts), store::now());
    let whose = match word("module") {
        Some(module) => format!(" in module `{module}`"),
        None => ", the whole run".to_owned(),
    };
    let event = word("event").unwrap_or("an event");
    let text = format!(
        "a run exceeded its budget {times}, last {} at {event}{whose}; steersman does not decide such a call",
        moment::ago(at, now)
    );
    let mark = if now.millis_since(at) > A_DAY_MS { Mark::Info } else { Mark::Warning };
    let hint = format!(
        "run `steersman session explain {}` to see which step took the time; raise `budgets` in the manifest if needed",
        last.hook_run_id
    );
    Some(Finding::new(mark, text).hint(hint))
}

fn of(session: &SessionDir) -> Vec<EventRecord> {
    let journal = session.events_file();
    let Some(length) = fs::metadata(journal.as_path()).ok().filter(fs::Metadata::is_file).map(|it| it.len())
    else {
        return Vec::new();
    };
    let text = read_lines(&journal, length.saturating_sub(TAIL)).unwrap_or_default();
    let lines = text.lines().filter(|line| line.contains(KIND));
    let records = lines.filter_map(|line| serde_json::from_str::<EventRecord>(line).ok());
    // A module may emit such a line itself; the line then names the module.
    records.filter(|record| record.kind == KIND && record.module.is_none()).collect()
}
