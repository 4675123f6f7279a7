//! The sessions whose journal something still needs, so that `session gc` keeps them.

use std::collections::BTreeSet;

use anyhow::Context;
use event::SessionId;
use intent::trace::StagedReports;
use project_config::Config;
use session::Retention;
use session::history::overviews;

use crate::commands::{Place, trace};

/// Returns the sessions whose journal the trace or the newest anchor needs.
pub(crate) fn needed_sessions(place: &Place) -> anyhow::Result<BTreeSet<SessionId>> {
    let mut needed = needed_by_trace(place)?;
    needed.extend(trace::sessions_of_newest_anchor(place)?);
    Ok(needed)
}

/// Returns the sessions that an anchor leaves out: they have expired, and the trace does not need them. A journal that
/// the newest anchor signs would otherwise never be removed.
pub(crate) fn sessions_to_let_go(place: &Place) -> anyhow::Result<BTreeSet<SessionId>> {
    let config = Config::load(&place.workspace)?;
    let retention = config.typed::<Retention>(Retention::SECTION)?;
    let sessions = overviews(&place.workspace).context("cannot list the sessions")?;
    let expired: Vec<SessionId> =
        retention.expired(&sessions, store::now()).into_iter().map(|session| session.id).collect();
    if expired.is_empty() {
        return Ok(BTreeSet::new());
    }
    let needed = needed_by_trace(place)?;
    Ok(expired.into_iter().filter(|id| !needed.contains(id)).collect())
}

/// Returns the sessions with lines that are not committed, or not appended to the trace yet: the journal is their only
/// proof.
fn needed_by_trace(place: &Place) -> anyhow::Result<BTreeSet<SessionId>> {
    let mut needed = trace::sessions_of_uncommitted_lines(place)?;
    for id in place.workspace.sessions().context("cannot list the sessions")? {
        if !StagedReports::in_folder(place.workspace.session(id).staged_reports()).is_empty() {
            needed.insert(id);
        }
    }
    Ok(needed)
}
