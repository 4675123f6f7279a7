//! Applies the reports of runs that were killed after the journal knew them, or whose lines the trace refused.

use std::collections::BTreeSet;

use intent::journal::{JournalRecord, ScanEnded, TraceStaged};
use intent::trace::{StagedReport, StagedReports};
use store::{Journal, SessionDir};

use super::tracing::Application;
use crate::Context;

/// Applies the reports of a session. Removes those that its journal does not know: their calls are still pending.
pub(super) fn of_session(context: &Context<'_>, session: &SessionDir) {
    let reports = StagedReports::in_folder(session.staged_reports());
    let left = reports.left_behind();
    if left.is_empty() {
        return;
    }
    let journal = journal_of(session);
    for report in left {
        if !knows(&journal, &report) {
            report.remove();
            continue;
        }
        let coverage = report.report.coverage.as_ref();
        // A later search has written its own record.
        let coverage = coverage.filter(|coverage| last_coverage(&journal).contains(&coverage.hash()));
        let application = Application { context, session, is_repeated: true, coverage, on_settled: &|_| {} };
        // The next event retries the rest.
        if application.run(&report.report).is_ok() {
            report.remove();
        }
    }
}

/// Applies the reports of all sessions; called at the start of a session, which has a large budget.
pub(super) fn of_all_sessions(context: &Context<'_>) {
    for id in context.workspace.sessions().unwrap_or_default() {
        of_session(context, &context.workspace.session(id));
    }
}

/// Returns the calls that reports settle as soon as the trace takes their lines.
pub(super) fn awaited_calls(context: &Context<'_>) -> BTreeSet<String> {
    let left = StagedReports::in_folder(context.session.staged_reports()).left_behind();
    if left.is_empty() {
        return BTreeSet::new();
    }
    let journal = journal_of(context.session);
    let known = left.into_iter().filter(|report| knows(&journal, report));
    known.flat_map(|report| report.report.calls.into_iter().filter_map(|call| call.key)).collect()
}

fn knows(journal: &str, report: &StagedReport) -> bool {
    let kind = format!("\"type\":\"{}\"", TraceStaged::KIND.name());
    let name = format!("\"report\":\"{}\"", report.name);
    journal.lines().rev().any(|line| line.contains(&kind) && line.contains(&name))
}

/// Returns the last line about a search.
fn last_coverage(journal: &str) -> &str {
    let kind = format!("\"type\":\"{}\"", ScanEnded::KIND.name());
    journal.lines().rev().find(|line| line.contains(&kind)).unwrap_or_default()
}

fn journal_of(session: &SessionDir) -> String {
    let journal = Journal::open_to_read(&session.events_file()).ok().flatten();
    journal.and_then(|journal| journal.between(0, journal.length_when_opened).ok()).unwrap_or_default()
}
