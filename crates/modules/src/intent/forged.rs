//! Compares steersman's own records with the journal: a record that the journal does not know was written by another
//! program, and is not believed.

use event::{ContextNote, LineKind, SessionId};
use intent::journal::{CallPending, FileWritten, Forged, IntentSelected, JournalRecord};
use intent::trace::Found;
use intent::{ContentHash, IntentId};
use memchr::memmem;
use serde_json::Value;
use store::Journal;

use super::{NAME, scan_records};
use crate::Context;

/// How much of the end of a journal is searched.
const JOURNAL_END: u64 = 1024 * 1024;

/// How far behind the recorded place a selection is looked for: snapshots of the state may lag this much.
const SELECTION_WINDOW: u64 = 32 * 1024;

/// How long the end of a selection may come after the change of the intents file.
const SELECTION_TAKES_MS: u64 = 60_000;

/// The most sessions whose journals are searched.
const MAX_SESSIONS: usize = 200;

/// The state of the record of an ended call, by the journal.
pub(super) enum CallRecord {
    /// The record is as steersman stored it.
    Genuine(Box<Found>),
    /// Another program changed or removed it; the call began when the journal says.
    Forged { found: Option<Box<Found>>, began: CallPending, why: &'static str },
    /// The call was never stored.
    None,
    /// A search has reported it already.
    Settled,
}

impl CallRecord {
    /// Compares the stored call with the journal's line about it.
    pub(super) fn of(context: &Context<'_>, key: &str, found: Option<Found>) -> Self {
        let began = last_record::<CallPending>(context, "key", key);
        match (found, began) {
            (Some(found), Some(began)) if !found.recorded.is_same_call(&began) => Self::Forged {
                found: Some(Box::new(found)),
                began,
                why: "the stored call is not the one that began",
            },
            (Some(found), _) => Self::Genuine(Box::new(found)),
            // A second registration of the host may have settled the call a moment ago.
            // Nothing but its own files was to be searched for.
            (None, Some(began)) if !began.changes_more => Self::Settled,
            (None, Some(began)) if had_ended(context, &began) => Self::Settled,
            (None, Some(began)) => {
                Self::Forged { found: None, began, why: "the stored call was removed while it ran" }
            }
            (None, None) => Self::None,
        }
    }
}

/// Returns whether an earlier event has reported the end of a call: a search covered the moment at which it began, or
/// the journal has its end.
fn had_ended(context: &Context<'_>, began: &CallPending) -> bool {
    let pending = format!("\"key\":\"{}\"", began.key);
    let ended = format!("\"type\":\"{}\"", LineKind::ToolOutcome.name());
    let id = context.event.call().and_then(|call| call.id.clone());
    let id = id.map(|id| Value::from(id).to_string());
    let is_in_journal = || {
        let text = tail_of(&context.session.events_file());
        let since = text.rfind(&pending).map_or(text.as_str(), |at| &text[at..]);
        since.lines().any(|line| line.contains(&ended) && id.as_ref().is_none_or(|id| line.contains(id)))
    };
    // A host with two registrations reports every call twice, at the same time: the other run may not have ended.
    scan_records::eventually(|| scan_records::coverage(context).has_covered(began.began()) || is_in_journal())
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

/// Returns whether the journal records that the session selected an intent. `from` is where its line is at the earliest.
pub(super) fn knows_selection(context: &Context<'_>, id: &IntentId, from: u64) -> bool {
    let Some(journal) = Journal::open_to_read(&context.session.events_file()).ok().flatten() else {
        return false;
    };
    let kind = format!("\"type\":\"{}\"", IntentSelected::KIND.name());
    let name = format!("\"intentId\":\"{id}\"");
    let says = |start: u64, end: u64| {
        let text = journal.between(start, end.min(journal.length_when_opened)).unwrap_or_default();
        text.lines().any(|line| line.contains(&kind) && line.contains(&name))
    };
    // The place is only a hint: a lost snapshot of the state does not have it.
    (from < journal.length_when_opened && says(from, from + SELECTION_WINDOW)) || says(0, u64::MAX)
}

/// Returns whether an agent's selection explains the last change of the intents file, as the journal of any session
/// knows: the MCP server records in the file that the work on an intent began, shortly before the call ends.
pub(super) fn selection_explains_intents(context: &Context<'_>) -> bool {
    let file = context.workspace.intents_file();
    let Ok(changed) = intent::FileSystemTime::of_marker(&file) else { return false };
    let changed = u64::try_from(changed.nanoseconds() / 1_000_000).unwrap_or(u64::MAX);
    let kind = format!("\"type\":\"{}\"", IntentSelected::KIND.name());
    let time = |line: &str| serde_json::from_str::<Value>(line).ok()?.get("ts")?.as_u64();
    let sessions = context.workspace.sessions().unwrap_or_default();
    sessions.into_iter().take(MAX_SESSIONS).any(|id| {
        let lines = tail_of(&context.workspace.session(id).events_file());
        let mut selections =
            lines.lines().filter(|line| line.contains(&kind) && line.contains("\"by\":\"session\""));
        selections
            .any(|line| time(line).is_some_and(|ts| changed <= ts && ts - changed <= SELECTION_TAKES_MS))
    })
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
        "Forged record: `{}` differs from the version that steersman wrote ({}). steersman ignores it. Leave steersman's own files unchanged.",
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

/// Returns the journal of the session.
pub(super) fn whole_journal(context: &Context<'_>) -> String {
    let journal = Journal::open_to_read(&context.session.events_file()).ok().flatten();
    journal.and_then(|journal| journal.between(0, journal.length_when_opened).ok()).unwrap_or_default()
}

/// Returns whether the journal of a session knows a stored call.
pub(super) fn knows_call(context: &Context<'_>, session: SessionId, call: &CallPending) -> bool {
    let kind = format!("\"type\":\"{}\"", CallPending::KIND.name());
    let pairs = [format!("\"key\":\"{}\"", call.key), format!("\"hash\":\"{}\"", call.hash)];
    let lines = tail_of(&context.workspace.session(session).events_file());
    lines.lines().any(|line| line.contains(&kind) && pairs.iter().all(|pair| line.contains(pair)))
}

fn tail_of(file: &event::AbsPath) -> String {
    let journal = Journal::open_to_read(file).ok().flatten();
    journal.and_then(|journal| journal.tail(JOURNAL_END).ok()).unwrap_or_default()
}
