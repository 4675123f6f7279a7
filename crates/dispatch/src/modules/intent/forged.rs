//! Compares steersman's own records with the journal: a record that the journal does not know was written by another
//! program, and is not believed.

use event::ContextNote;
use intent::journal::{CallPending, FileWritten, Forged, IntentSelected, JournalRecord};
use intent::trace::Found;
use intent::{ContentHash, Coverage, IntentId};
use memchr::memmem;
use serde_json::Value;
use store::Journal;

use super::NAME;
use crate::Context;

/// How much of the end of a journal is searched.
const JOURNAL_END: u64 = 1024 * 1024;

/// The most sessions whose journals are searched.
const MAX_SESSIONS: usize = 200;

/// What the journal knows about the record of a call that ended.
pub(super) enum CallRecord {
    /// The record is as steersman stored it.
    Genuine(Box<Found>),
    /// Another program changed or removed it; the call began when the journal says.
    Forged { found: Option<Box<Found>>, began: CallPending, why: &'static str },
    /// The call was never stored.
    None,
}

impl CallRecord {
    /// Compares the stored call with the journal's line about it.
    pub(super) fn of(context: &Context<'_>, key: &str, found: Option<Found>) -> Self {
        let began = last_record::<CallPending>(context, "key", key);
        match (found, began) {
            (Some(found), Some(began)) if found.recorded != began => Self::Forged {
                found: Some(Box::new(found)),
                began,
                why: "the stored call is not the one that began",
            },
            (Some(found), _) => Self::Genuine(Box::new(found)),
            // A second registration of the host may have settled the call a moment ago.
            (None, Some(began)) if !is_settled(context, &began) => {
                Self::Forged { found: None, began, why: "the stored call was removed while it ran" }
            }
            (None, _) => Self::None,
        }
    }
}

/// Returns whether a search has covered the moment at which a call began.
fn is_settled(context: &Context<'_>, began: &CallPending) -> bool {
    Coverage::read(&context.session.scan_coverage()).has_covered(began.began())
}

/// Returns whether the journal of any session has a write of this content to a file.
pub(super) fn knows_write(context: &Context<'_>, file: &str, hash: &ContentHash) -> bool {
    let kind = format!("\"type\":\"{}\"", FileWritten::KIND.name());
    let name = format!("\"file\":{}", Value::from(file));
    let sessions = context.workspace.sessions().unwrap_or_default();
    sessions.into_iter().take(MAX_SESSIONS).any(|id| {
        let lines = tail_of(&context.workspace.session(id).events_file());
        let mut lines = lines.lines();
        lines.any(|line| line.contains(&kind) && line.contains(&name) && line.contains(hash.as_str()))
    })
}

/// Returns whether the journal knows that the session selected an intent. Looks only if the state was written after
/// the journal: every event appends to the journal, and hardly any writes the state.
pub(super) fn knows_selection(context: &Context<'_>, id: &IntentId) -> bool {
    let changed = |file: event::AbsPath| intent::FileSystemTime::of_marker(&file).ok();
    let state = changed(context.session.state_file());
    if state <= changed(context.session.events_file()) {
        return true;
    }
    let journal = Journal::open_to_read(&context.session.events_file()).ok().flatten();
    let Some(text) = journal.and_then(|journal| journal.tail(u64::from(u32::MAX)).ok()) else { return true };
    let kind = format!("\"type\":\"{}\"", IntentSelected::KIND.name());
    let name = format!("\"intentId\":\"{id}\"");
    text.lines().any(|line| line.contains(&kind) && line.contains(&name))
}

/// Returns the record of a forgery, unless the session has reported it already.
pub(super) fn reported_once(context: &Context<'_>, what: &str, why: &str) -> Option<Forged> {
    let record = Forged { what: what.to_owned(), why: why.to_owned() };
    let same = format!("\"what\":{}", Value::from(what));
    let kind = format!("\"type\":\"{}\"", Forged::KIND.name());
    let lines = tail_of(&context.session.events_file());
    let is_known = lines.lines().any(|line| line.contains(&kind) && line.contains(&same));
    (!is_known).then_some(record)
}

/// Words a forgery for the model.
pub(super) fn note(record: &Forged) -> ContextNote {
    let value = format!(
        "Forged record: `{}` is not as steersman wrote it ({}). It does not count. Leave steersman's own files unchanged.",
        record.what, record.why
    );
    ContextNote { key: NAME.into(), value }
}

/// Returns the newest record of a kind with this value in a field.
fn last_record<R: JournalRecord>(context: &Context<'_>, field: &str, value: &str) -> Option<R> {
    let kind = format!("\"type\":\"{}\"", R::KIND.name());
    let pair = format!("\"{field}\":{}", Value::from(value));
    let find = |text: &str| -> Option<R> {
        let line = text
            .lines()
            .rev()
            .find(|line| memmem::find(line.as_bytes(), kind.as_bytes()).is_some() && line.contains(&pair))?;
        let line: Value = serde_json::from_str(line).ok()?;
        R::from_data(line.get("data")?)
    };
    find(context.journal_tail.lines()).or_else(|| find(&tail_of(&context.session.events_file())))
}

fn tail_of(file: &event::AbsPath) -> String {
    let journal = Journal::open_to_read(file).ok().flatten();
    journal.and_then(|journal| journal.tail(JOURNAL_END).ok()).unwrap_or_default()
}
