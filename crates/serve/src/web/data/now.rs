//! Fills the start page.

use std::cmp::Reverse;

use page::view::{EndedRun, Now, SessionCard, SessionStatus};
use session::history::overviews;

use super::super::Web;
use super::automations::has_history;
use super::session_card;
use crate::history::{Query, find_runs};

/// How many sessions are shown.
const MAX_SESSIONS: usize = 40;
/// How many open runs are shown.
const MAX_RUNS: usize = 20;
/// How many failed runs are shown, and how old they may be.
const MAX_FAILED: usize = 5;
const FAILED_WITHIN: u64 = 24 * 60 * 60 * 1000;

/// Returns the start page.
pub(in crate::web) fn now(web: &Web) -> Now {
    let ts = store::now();
    let all = overviews(&web.workspace).unwrap_or_default();
    let older_sessions = all.len().saturating_sub(MAX_SESSIONS);
    let mut sessions: Vec<SessionCard> = all
        .iter()
        .take(MAX_SESSIONS)
        .map(|overview| session_card::of(&web.workspace, overview, ts.as_millis()))
        .collect();
    for ask in super::asks(web).asks {
        // The hook has recorded nothing yet: it waits.
        if let Some(card) = sessions.iter_mut().find(|card| card.sid == ask.session) {
            card.status = SessionStatus::Asking;
            card.waiting_since = Some(card.waiting_since.unwrap_or(u64::MAX).min(ask.opened));
            card.doing = format!("{} {}", ask.tool, ask.call);
            card.host.get_or_insert(ask.host);
        }
    }
    sessions.sort_by_key(|card| match card.status.urgency() {
        Some(urgency) => (urgency, card.waiting_since.unwrap_or(0), Reverse(0)),
        None => (u8::MAX, 0, Reverse(card.last_event.unwrap_or(0))),
    });
    let snapshot = web.snapshots.get();
    let failed = ["failed", "timeout"].into_iter().flat_map(|status| {
        // The latest without a time, and then the time: the index would read every run of the day.
        let query = Query { status: Some(status.to_owned()), limit: MAX_FAILED, ..Query::default() };
        has_history(web)
            .then(|| find_runs(&web.workspace, &query).ok())
            .flatten()
            .map(|it| it.runs)
            .unwrap_or_default()
    });
    let since = store::Timestamp::from_millis(ts.as_millis().saturating_sub(FAILED_WITHIN)).to_string();
    let is_recent = |run: &EndedRun| run.record.end_ts.as_deref().is_some_and(|end| end >= since.as_str());
    let mut failed: Vec<EndedRun> = failed.map(EndedRun::of).filter(is_recent).collect();
    failed.sort_by(|one, other| other.record.end_ts.cmp(&one.record.end_ts));
    failed.truncate(MAX_FAILED);
    Now {
        workspace: web.workspace.root().to_string(),
        ts: ts.as_millis(),
        sessions,
        older_sessions,
        runs: snapshot.runs.iter().take(MAX_RUNS).cloned().collect(),
        failed,
        workspaces: super::served_pages(web),
        problem: snapshot.objection.clone().filter(|_| !snapshot.automations.is_empty()),
        activity: web.hook_runs.read(&web.workspace, ts.as_millis()).activity(ts.as_millis()),
    }
}
