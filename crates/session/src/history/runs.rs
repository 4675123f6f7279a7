//! Groups the lines of a journal by the run that wrote them.

use std::io;
use std::ops::ControlFlow;

use event::LineKind;
use store::SessionDir;

use super::{each_line, head, parse};
use crate::run_record::CutShortRecord;
use crate::{EventRecord, RunRecord};

/// All lines of one run in the journal.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Run {
    /// Its lines; those of the modules first.
    pub lines: Vec<EventRecord>,
    /// The record in its last line; `None` if the watchdog ended the run.
    pub record: Option<RunRecord>,
}

impl Run {
    /// Returns the first line of a kind.
    pub fn line(&self, kind: LineKind) -> Option<&EventRecord> {
        self.lines.iter().find(|line| line.kind == kind.name())
    }

    /// Returns whether the watchdog answered because the modules exceeded the budget.
    pub fn was_cut_short(&self) -> bool {
        self.record.is_none()
    }
}

/// Collects lines into runs. A run is appended in one write and ends with its `HOOK_RUN` line; a run that the
/// watchdog ended is a single `BUDGET_EXCEEDED` line. Two runs of the same millisecond may have the same id.
#[derive(Debug, Default)]
pub struct RunCollector {
    open: Vec<EventRecord>,
}

impl RunCollector {
    /// Returns whether this line is the first of another run than the lines before it.
    pub fn begins_with(&self, line: &EventRecord) -> bool {
        self.open.first().is_none_or(|first| first.hook_run_id != line.hook_run_id)
    }

    /// Takes the next line; returns the run it completes.
    pub fn add(&mut self, line: EventRecord) -> Option<Run> {
        if line.kind == LineKind::Reserved.name() {
            // Written before the run, on its own; the run repeats its patch.
            return None;
        }
        if self.begins_with(&line) {
            // Lines without a last line are no run (a lifted block), or the end of the run was lost.
            self.open.clear();
        }
        let by_watchdog = line.kind == LineKind::BudgetExceeded.name() && CutShortRecord::of(&line).is_some();
        let record = RunRecord::of(&line);
        if by_watchdog {
            return Some(Run { lines: vec![line], record: None });
        }
        self.open.push(line);
        let record = record?;
        Some(Run { lines: std::mem::take(&mut self.open), record: Some(record) })
    }
}

/// Finds the runs of a session that have this id.
pub fn find(session: &SessionDir, id: &str) -> io::Result<Vec<Run>> {
    let mut gather = RunCollector::default();
    let mut found = Vec::new();
    each_line(&session.events_file(), |text| {
        // Rejects most lines without parsing them: the id is near the start.
        if head(text).contains(id) {
            let line = parse(text).filter(|line| line.hook_run_id == id);
            found.extend(line.and_then(|line| gather.add(line)));
        }
        ControlFlow::<()>::Continue(())
    })?;
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn line(kind: &str, run: &str, data: &serde_json::Value) -> EventRecord {
        serde_json::from_value(json!({
            "v": 1, "ts": 1, "type": kind, "hookRunId": run, "sessionId": "a3f0c812", "workId": "w001",
            "agentId": "u00", "turnId": 1, "data": data,
        }))
        .unwrap()
    }

    fn runs(lines: Vec<EventRecord>) -> Vec<(usize, bool)> {
        let mut gather = RunCollector::default();
        let runs = lines.into_iter().filter_map(|line| gather.add(line));
        runs.map(|run| (run.lines.len(), run.was_cut_short())).collect()
    }

    #[test]
    fn a_run_ends_with_its_own_line_even_when_the_next_has_the_same_id() {
        let one = || [line("TOOL_DECISION", "A-1-1", &json!({})), line("HOOK_RUN", "A-1-1", &json!({}))];
        assert_eq!(runs(one().into_iter().chain(one()).collect()), [(2, false), (2, false)]);
    }

    #[test]
    fn a_run_the_watchdog_ended_stands_alone() {
        let lines = vec![
            line("BUDGET_EXCEEDED", "A-1-1", &json!({"by": "watchdog"})),
            line("BUDGET_EXCEEDED", "A-1-2", &json!({"module": "slow"})),
            line("HOOK_RUN", "A-1-2", &json!({})),
        ];
        assert_eq!(runs(lines), [(1, true), (2, false)]);
    }
}
