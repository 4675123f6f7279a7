//! Fills the page of a session.

use std::fs;

use event::SessionId;
use page::view::Session;
use session::history::{self, overview};
use timeline::{EntryKind, TimelineBuilder};

use super::super::Web;
use super::journal_window::JournalWindow;
use super::{indexed_runs, session_card};
use crate::history::entry_text::{contains, is_stopped};

/// How much of a journal one page shows: about 30 kB of HTML, so that a first load stays below 60 kB.
const PART: u64 = 96 * 1024;

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
    let only_stopped = part.show == "stopped";
    let has_notes = part.show == "notes";
    let search = part.q.trim().to_lowercase();
    let found = indexed_runs::filtered(web, id, &search, only_stopped, part.before);
    let size = match &found {
        None => PART,
        // The index lags by seconds: what it lacks is read from the journal's end.
        Some(found) if part.before.is_none() => {
            let length = fs::metadata(folder.events_file().as_path()).map_or(0, |meta| meta.len());
            length.saturating_sub(found.covered).min(PART)
        }
        Some(_) => 0,
    };
    let window = JournalWindow::read(&folder.events_file(), part.before, size).unwrap_or_default();
    let prompts = history::prompts(&folder).unwrap_or_default();
    let mut builder = TimelineBuilder::new(web.workspace.root().as_path(), prompts);
    let older = match found {
        Some(found) => {
            found.lines.into_iter().for_each(|line| builder.add(line));
            found.older
        }
        None => (window.start > 0).then_some(window.start),
    };
    for line in window.text.lines().filter_map(history::parse) {
        builder.add(line);
    }
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
    let mut session = session_card::of(&web.workspace, &overview, ts);
    if !session.counts_complete
        && let Some(totals) = indexed_runs::totals(web, id)
    {
        (session.tool_calls, session.denies, session.asks) = (totals.calls, totals.denies, totals.asks);
        session.counts_complete = true;
    }
    Some(Session {
        ts,
        session,
        turns,
        older,
        is_latest: part.before.is_none(),
        only_stopped,
        has_notes,
        search: part.q.trim().to_owned(),
    })
}

/// Finds a session by its whole id.
pub(super) fn find(web: &Web, sid: &str) -> Option<SessionId> {
    web.workspace.sessions().ok()?.into_iter().find(|id| id.to_string() == sid)
}
