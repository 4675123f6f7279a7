//! Writes the reports of calls: the trace, the search's records, and the agent's knowledge of its files.

use std::time::{Duration, Instant};

use event::AbsPath;
use intent::journal::{TraceDelayed, TraceStaged};
use intent::trace::{
    Appended, Earlier, PendingCalls, SettledCallRecord, StagedReport, StagedReportRecord, StagedReports,
    TraceLog, TraceRecord,
};
use intent::{Coverage, StaleFiles};
use session::Emitted;
use session::person::PersonChanges;
use store::SessionDir;

use super::after::Report;
use super::settling::{Seen, Settled};
use super::{emitted, lost_records};
use crate::{Action, Carryover, Concluded, Context};

/// The longest wait for a lock.
const LONGEST_LOCK_WAIT: Duration = Duration::from_millis(50);

/// A report that the journal is about to know.
struct Unapplied {
    /// The module's report.
    report: Carryover,
    /// The staged report; `None` if there is nothing for the trace, or the disk refused.
    staged: Option<StagedReport>,
}

/// Why a report is not applied.
pub(super) enum NotApplied {
    /// Other processes held a lock for too long.
    Busy,
    /// The trace refused the lines.
    Refused(String),
}

/// Stages the report of an event, so that a later event can apply it if this process is killed.
pub(super) fn stage(context: &Context<'_>, concluded: &Concluded<'_>) -> Action {
    let Some(report) = concluded.carryover.get::<Report>() else { return Action::default() };
    let n_records = report.settled.iter().map(|settled| settled.records.len()).sum();
    let mut action = Action::default();
    let mut staged = None;
    let folder = context.session.staged_reports();
    if n_records > 0 && context.workspace.check_way_to(&folder).is_ok() {
        match StagedReports::in_folder(folder).stage(record_of(context, report)) {
            Ok(written) => {
                let report = written.name.clone();
                action.emit_events.push(emitted(&TraceStaged { report, n_records }));
                staged = Some(written);
            }
            Err(error) => context.log.add(super::NAME, "warn", format!("cannot stage a report: {error}")),
        }
    }
    lost_records::mark(context, &mut action);
    action.carryover = Carryover::of(Unapplied { report: concluded.carryover.clone(), staged });
    action
}

/// Applies the report of an event, which the journal has now. Returns a warning if the trace refuses its lines.
pub(super) fn apply(context: &Context<'_>, carryover: &Carryover) -> Vec<Emitted> {
    let Some(unapplied) = carryover.get::<Unapplied>() else { return Vec::new() };
    let Some(report) = unapplied.report.get::<Report>() else { return Vec::new() };
    if let Some(folders) = report.searched.as_ref().and_then(|searched| searched.folders.as_ref()) {
        let file = context.session.folder_record();
        if context.workspace.check_way_to(&file).is_ok() {
            folders.write(&file);
        }
    }
    if let (true, Some(state)) = (report.rejected.intents, context.user_state) {
        PersonChanges::reject_intents(context.workspace, state);
    }
    if let (true, Some(state)) = (report.rejected.settings, context.user_state) {
        PersonChanges::reject_settings(context.workspace, state);
    }
    if let (true, Some(state)) = (report.rejected.selection, context.user_state) {
        PersonChanges::reject_selection(context.workspace, state);
    }
    let record = match &unapplied.staged {
        Some(staged) => &staged.report,
        None => &record_of(context, report),
    };
    let is_settled = |key: &str| report.settled.iter().find(|settled| settled.key.as_deref() == Some(key));
    let application = Application {
        context,
        session: context.session,
        is_repeated: false,
        coverage: record.coverage.as_ref(),
        on_settled: &|key| {
            if let Some(settled) = is_settled(key) {
                remember(context, settled);
            }
        },
    };
    report.settled.iter().filter(|settled| settled.key.is_none()).for_each(|it| remember(context, it));
    match application.run(record) {
        Ok(()) => {
            unapplied.staged.iter().for_each(StagedReport::remove);
            Vec::new()
        }
        Err(why) => {
            let n_records = record.calls.iter().map(|call| call.records.len()).sum();
            let why = match why {
                NotApplied::Busy => None,
                NotApplied::Refused(why) => Some(why),
            };
            let staged = unapplied.staged.is_some();
            vec![emitted(&TraceDelayed { n_records, staged, why })]
        }
    }
}

/// The application of a report.
pub(super) struct Application<'a> {
    pub(super) context: &'a Context<'a>,
    /// The session of the report.
    pub(super) session: &'a SessionDir,
    /// Whether a process that was killed may have applied a part of it.
    pub(super) is_repeated: bool,
    /// The search's record to write.
    pub(super) coverage: Option<&'a Coverage>,
    /// Called for each call that this application settles, before it is settled.
    pub(super) on_settled: &'a dyn Fn(&str),
}

impl Application<'_> {
    /// Appends to the trace, writes the search's record and settles the calls, in this order: after a part of it the rest is
    /// still to be found.
    pub(super) fn run(&self, report: &StagedReportRecord) -> Result<(), NotApplied> {
        let timeout = lock_timeout(self.context);
        let calls = PendingCalls::in_file(self.session.pending_calls());
        let has_calls = report.calls.iter().any(|call| call.key.is_some());
        let held = has_calls.then(|| calls.hold(timeout)).flatten();
        if has_calls && held.is_none() && self.session.pending_calls().as_path().exists() {
            return Err(NotApplied::Busy);
        }
        let mut records: Vec<TraceRecord> = Vec::new();
        let mut done: Vec<String> = Vec::new();
        for call in &report.calls {
            if let Some(key) = &call.key {
                // A host with two registrations reports every call twice, at the same time.
                if !held.as_ref().is_some_and(|held| held.has(key)) {
                    continue;
                }
                (self.on_settled)(key);
                done.push(key.clone());
            }
            records.extend(call.records.iter().cloned());
        }
        let earlier = Earlier {
            same_writes: report.known_length,
            same_records: self.is_repeated.then_some(report.trace_length),
        };
        self.trace(&records, earlier, timeout)?;
        if let Some(coverage) = self.coverage {
            let file = self.session.scan_coverage();
            if self.context.workspace.check_way_to(&file).is_ok() {
                coverage.write(&file);
            }
        }
        if let Some(held) = held {
            held.settled(&done);
        }
        Ok(())
    }

    fn trace(&self, records: &[TraceRecord], earlier: Earlier, timeout: Duration) -> Result<(), NotApplied> {
        if records.is_empty() {
            return Ok(());
        }
        let file: AbsPath = self.context.workspace.trace_file();
        let refused = |error: &dyn std::fmt::Display| NotApplied::Refused(error.to_string());
        self.context.workspace.check_way_to(&file).map_err(|error| refused(&error))?;
        match TraceLog::new(file).append(records, earlier, timeout) {
            Ok(Appended::Traced) => Ok(()),
            Ok(Appended::Busy) => Err(NotApplied::Busy),
            Err(error) => Err(refused(&error)),
        }
    }
}

fn record_of(context: &Context<'_>, report: &Report) -> StagedReportRecord {
    let call =
        |settled: &Settled| SettledCallRecord { key: settled.key.clone(), records: settled.records.clone() };
    StagedReportRecord {
        process: std::process::id(),
        trace_length: TraceLog::new(context.workspace.trace_file()).length(),
        known_length: report.trace_length,
        calls: report.settled.iter().map(call).collect(),
        coverage: report.searched.as_ref().map(|searched| searched.coverage.clone()),
    }
}

/// Returns the timeout of locks for an event.
pub(super) fn lock_timeout(context: &Context<'_>) -> Duration {
    (context.deadline.left(Instant::now()) / 4).min(LONGEST_LOCK_WAIT)
}

fn remember(context: &Context<'_>, settled: &Settled) {
    let files = StaleFiles::in_folder(context.session.seen_files(context.ids.agent));
    for seen in &settled.seen {
        let kept = match seen {
            Seen::AsItIs(file) => files.remember(file),
            Seen::AsWritten(file, hash) => files.remember_as(file, hash.clone()),
            Seen::Gone(file) => files.forget(file),
        };
        if let Err(error) = kept {
            context.log.add(super::NAME, "warn", format!("cannot record the seen files: {error}"));
        }
    }
}
