//! Finds the session that a command is about.

use std::fs;
use std::time::SystemTime;

use anyhow::Context;
use event::SessionId;

use crate::commands::{Place, status};
use crate::output;

/// Finds the session whose id starts with `named`. Reports if none or several do, and returns `None`.
pub(crate) fn find(place: &Place, named: &str) -> anyhow::Result<Option<SessionId>> {
    let sessions = place.workspace.sessions().context("cannot list the sessions")?;
    let wanted = named.to_ascii_lowercase();
    let begins = |id: &SessionId| !wanted.is_empty() && id.to_string().starts_with(&wanted);
    let mut found: Vec<_> = sessions.into_iter().filter(begins).collect();
    found.sort_unstable();
    match found.as_slice() {
        [id] => return Ok(Some(*id)),
        [] => {
            output::error(&format!("unknown session `{}`", output::text::one_line(named)));
            output::hint("run `steersman session list` for a list");
        }
        several => {
            let ids: Vec<_> = several.iter().take(8).map(ToString::to_string).collect();
            let more = if several.len() > 8 { ", …" } else { "" };
            output::error(&format!("`{named}` is ambiguous: {}{more}", ids.join(", ")));
        }
    }
    Ok(None)
}

/// Finds the named session, else the latest one. Reports if none exists and returns `None`.
pub(crate) fn find_or_latest(place: &Place, named: Option<&str>) -> anyhow::Result<Option<SessionId>> {
    if let Some(named) = named {
        return find(place, named);
    }
    let latest = latest_first(place)?.into_iter().next();
    if latest.is_none() {
        output::error("this workspace has no sessions yet");
        output::hint(first_session(place));
    }
    Ok(latest)
}

/// Returns the hint how to get a first session.
pub(super) fn first_session(place: &Place) -> &'static str {
    if status::registered(place).is_empty() {
        "run `steersman init` to register agent programs; a session starts with the first event of one"
    } else {
        "start an agent program here and give it a task; a session starts with its first event"
    }
}

/// Returns the sessions, latest first.
pub(crate) fn latest_first(place: &Place) -> anyhow::Result<Vec<SessionId>> {
    let ids = place.workspace.sessions().context("cannot list the sessions")?;
    let at_work = |id: &SessionId| {
        let journal = place.workspace.session(*id).events_file();
        fs::metadata(journal.as_path()).and_then(|meta| meta.modified()).unwrap_or(SystemTime::UNIX_EPOCH)
    };
    let mut dated: Vec<(SystemTime, SessionId)> = ids.into_iter().map(|id| (at_work(&id), id)).collect();
    dated.sort_unstable_by(|one, other| other.cmp(one));
    Ok(dated.into_iter().map(|(_, id)| id).collect())
}
