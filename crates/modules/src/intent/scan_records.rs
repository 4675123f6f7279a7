//! The records from which a search begins, trusted only as far as the journal confirms them.
//!
//! A record that another process of the session is writing at this moment is not in the journal yet. Of such a record,
//! and of a forged one, only what widens the search counts.

use std::thread;
use std::time::Duration;

use intent::journal::{CallPending, JournalRecord, ScanEnded};
use intent::trace::PendingCalls;
use intent::{Coverage, FolderRecord};

use super::{forged, planned_changes};
use crate::Context;

/// The records, as far as they are believed.
pub(super) struct ScanRecords {
    /// The coverage of earlier searches.
    pub(super) coverage: Coverage,
    /// Where folders were, with the hash of the record.
    pub(super) folders: Option<(FolderRecord, String)>,
    /// The records that another program changed.
    pub(super) forged: Vec<&'static str>,
}

/// How often, and how long each time, a search waits for the journal line of a record.
const WAITS: (usize, Duration) = (6, Duration::from_millis(8));

/// Reads the records of a session.
pub(super) fn read(context: &Context<'_>) -> ScanRecords {
    let mut records = ScanRecords { coverage: Coverage::default(), folders: None, forged: Vec::new() };
    if let Some((coverage, hash)) = Coverage::read(&context.session.scan_coverage()) {
        let origin = origin_of(context, "coverage", &hash);
        records.coverage = if origin == Origin::Journal { coverage } else { coverage.only_unvisited() };
        records.forged.extend((origin == Origin::Forged).then_some("intent/scan.json"));
    }
    if let Some((folders, hash)) = FolderRecord::read(&context.session.folder_record()) {
        let origin = origin_of(context, "folders", &hash);
        records.folders = (origin == Origin::Journal).then_some((folders, hash));
        records.forged.extend((origin == Origin::Forged).then_some("intent/folders"));
    }
    records
}

/// Reads only what earlier searches covered.
pub(super) fn coverage(context: &Context<'_>) -> Coverage {
    match Coverage::read(&context.session.scan_coverage()) {
        Some((coverage, hash)) if knows(context, "coverage", &hash) => coverage,
        Some((coverage, _)) => coverage.only_unvisited(),
        None => Coverage::default(),
    }
}

/// Who wrote a record.
#[derive(PartialEq, Eq)]
enum Origin {
    /// A run, as the journal records it.
    Journal,
    /// Perhaps a run that has not ended.
    InFlight,
    /// Another program.
    Forged,
}

fn origin_of(context: &Context<'_>, field: &str, hash: &str) -> Origin {
    if knows(context, field, hash) {
        return Origin::Journal;
    }
    if has_other_calls(context) {
        return Origin::InFlight;
    }
    if eventually(|| knows(context, field, hash)) { Origin::Journal } else { Origin::Forged }
}

/// Returns whether something holds now or within some ten milliseconds, in which a run that another one meets ends.
pub(super) fn eventually(mut holds: impl FnMut() -> bool) -> bool {
    let (n_waits, wait) = WAITS;
    (0..=n_waits).any(|n| {
        if n > 0 {
            thread::sleep(wait);
        }
        holds()
    })
}

/// Returns whether a line of the session's journal has this hash in this field.
fn knows(context: &Context<'_>, field: &str, hash: &str) -> bool {
    let pair = format!("\"{field}\":\"{hash}\"");
    let kinds = [ScanEnded::KIND, CallPending::KIND].map(|kind| format!("\"type\":\"{}\"", kind.name()));
    let has = |text: &str| {
        let mut lines = text.lines().rev();
        lines.any(|line| line.contains(&pair) && kinds.iter().any(|kind| line.contains(kind)))
    };
    has(context.journal_tail.lines()) || has(&forged::whole_journal(context))
}

/// Returns whether other calls of the session are running.
fn has_other_calls(context: &Context<'_>) -> bool {
    let call = context.event.call();
    let own = call.map(|call| [planned_changes::key(call), planned_changes::key_by_input(call)]);
    let calls = PendingCalls::in_file(context.session.pending_calls());
    calls.all().iter().any(|found| own.as_ref().is_none_or(|own| !own.contains(&found.key)))
}
