//! Fills the page of a session.

use event::SessionId;
use page::view::Session;
use session::history::{self, overview};
use timeline::{Entry, EntryKind, TimelineBuilder};

use super::super::Web;
use super::journal_window::JournalWindow;
use super::session_card;

/// How much of a journal one page shows.
const PART: u64 = 512 * 1024;

/// The part of a session that a request is about.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(default)]
pub(in crate::web) struct Part {
    /// Ends before this offset of the journal.
    pub(in crate::web) before: Option<u64>,
    /// `stopped` for stopped calls, failures and orders only; `notes` to list the internal notes of modules, too.
    pub(in crate::web) show: String,
    /// A text that the entries contain.
    pub(in crate::web) q: String,
}

/// Returns a part of a session. Returns `None` if it does not exist.
pub(in crate::web) fn session(web: &Web, sid: &str, part: &Part) -> Option<Session> {
    let id = find(web, sid)?;
    let overview = overview(&web.workspace, id)?;
    let folder = web.workspace.session(id);
    let window = JournalWindow::read(&folder.events_file(), part.before, PART).unwrap_or_default();
    let prompts = history::prompts(&folder).unwrap_or_default();
    let mut builder = TimelineBuilder::new(web.workspace.root().as_path(), prompts);
    for line in window.text.lines().filter_map(history::parse) {
        builder.add(line);
    }
    let only_stopped = part.show == "stopped";
    let has_notes = part.show == "notes";
    let search = part.q.trim().to_lowercase();
    let mut turns = builder.finish();
    for turn in &mut turns {
        turn.entries.retain(|entry| {
            let is_shown = has_notes || !matches!(entry.what, EntryKind::Note { .. });
            is_shown && (!only_stopped || is_stopped(entry)) && contains(entry, &search)
        });
    }
    if only_stopped || !search.is_empty() {
        turns.retain(|turn| !turn.entries.is_empty());
    }
    let ts = store::now().as_millis();
    Some(Session {
        ts,
        session: session_card::of(&web.workspace, &overview, ts),
        turns,
        older: (window.start > 0).then_some(window.start),
        is_latest: window.is_latest,
        only_stopped,
        has_notes,
        search: part.q.trim().to_owned(),
    })
}

/// Finds a session by its whole id.
pub(super) fn find(web: &Web, sid: &str) -> Option<SessionId> {
    web.workspace.sessions().ok()?.into_iter().find(|id| id.to_string() == sid)
}

fn is_stopped(entry: &Entry) -> bool {
    match &entry.what {
        EntryKind::Call(call) => matches!(call.decision.as_str(), "deny" | "ask"),
        EntryKind::Refused { .. }
        | EntryKind::Failure { .. }
        | EntryKind::OutOfTime { .. }
        | EntryKind::Order { .. } => true,
        EntryKind::Plan { holds, .. } | EntryKind::Confined { holds, .. } => !holds,
        _ => false,
    }
}

fn contains(entry: &Entry, search: &str) -> bool {
    // All texts of an entry are in its JSON.
    search.is_empty() || serde_json::to_string(entry).is_ok_and(|text| text.to_lowercase().contains(search))
}
