//! Writes the reports of calls: the trace, and the agent's knowledge of its files.

use std::time::{Duration, Instant};

use event::AbsPath;
use intent::StaleFiles;
use intent::journal::TraceDelayed;
use intent::trace::{Appended, PendingCalls, TraceLog, TraceRecord};

use super::after::Report;
use super::search::Searched;
use super::settling::{Seen, Settled};
use super::{emitted, lost_records};
use crate::{Action, Concluded, Context};

/// The longest wait for a lock.
const LONGEST_LOCK_WAIT: Duration = Duration::from_millis(50);

/// Writes the reports of an event.
pub(super) fn write_down(context: &Context<'_>, concluded: &Concluded<'_>) -> Action {
    let Some(report) = concluded.carryover.get::<Report>() else { return Action::default() };
    write_search(context, report.searched.as_ref());
    let has_calls = report.settled.iter().any(|settled| settled.key.is_some());
    let calls = PendingCalls::in_file(context.session.pending_calls());
    let held = has_calls.then(|| calls.hold(lock_timeout(context))).flatten();
    let mut records: Vec<TraceRecord> = Vec::new();
    let mut done: Vec<String> = Vec::new();
    for settled in &report.settled {
        if let Some(key) = &settled.key {
            // A host with two registrations reports every call twice, at the same time.
            if !held.as_ref().is_some_and(|held| held.has(key)) {
                continue;
            }
            done.push(key.clone());
        }
        records.extend(settled.records.iter().cloned());
        remember(context, settled);
    }
    let delayed = append(context, &records, report.trace_length);
    if let Some(held) = held
        && delayed.as_ref().is_none_or(|delayed| delayed.spooled)
    {
        held.settled(&done);
    }
    let mut action = Action { emit_events: delayed.iter().map(emitted).collect(), ..Action::default() };
    lost_records::mark(context, &mut action);
    action
}

/// Writes the state that the next search begins with.
fn write_search(context: &Context<'_>, searched: Option<&Searched>) {
    let Some(Searched { coverage, folders, .. }) = searched else { return };
    let can_write = |file: &AbsPath| context.workspace.check_way_to(file).is_ok();
    let file = context.session.scan_coverage();
    if can_write(&file) {
        coverage.write(&file);
    }
    let file = context.session.folder_record();
    if let Some(folders) = folders.as_ref().filter(|_| can_write(&file)) {
        folders.write(&file);
    }
}

/// Appends the delayed records of all sessions; called at the start of a session, which has a large budget.
pub(super) fn catch_up_all(context: &Context<'_>) -> Action {
    if context.intents_file.is_none() {
        return Action::default();
    }
    for id in context.workspace.sessions().unwrap_or_default() {
        let spool = context.workspace.session(id).trace_spool();
        // The next session retries the rest.
        let _ = TraceLog::new(context.workspace.trace_file(), spool).catch_up(lock_timeout(context));
    }
    Action::default()
}

/// Appends the records; returns a warning on failure.
fn append(context: &Context<'_>, records: &[TraceRecord], known: Option<u64>) -> Option<TraceDelayed> {
    let spool = context.session.trace_spool();
    if records.is_empty() && !spool.as_path().exists() {
        return None;
    }
    let delayed = |spooled, why| Some(TraceDelayed { n_records: records.len(), spooled, why });
    let file = context.workspace.trace_file();
    if let Err(error) = context.workspace.check_way_to(&file) {
        return delayed(false, Some(error.to_string()));
    }
    match TraceLog::new(file, spool).append_unless_traced(records, known, lock_timeout(context)) {
        Ok(Appended::Traced { .. }) => None,
        Ok(Appended::Spooled { .. }) if records.is_empty() => None,
        Ok(Appended::Spooled { why }) => delayed(true, why.map(|error| error.to_string())),
        Err(error) => delayed(false, Some(error.to_string())),
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
