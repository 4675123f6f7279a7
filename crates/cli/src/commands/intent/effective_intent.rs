//! The intent that applies to a question: the named one, the session's own, or the workspace's.

use std::ops::ControlFlow;

use ::session::history;
use anyhow::Context;
use event::SessionId;
use intent::IntentId;
use intent::journal::{IntentSelected, JournalRecord, SelectedBy};

use super::error_output;
use crate::commands::Place;
use crate::commands::session;
use crate::output::{self, text};

/// An intent, and its origin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum EffectiveIntent {
    /// Named on the command line.
    Named(IntentId),
    /// Selected by the session.
    Session(SessionId, IntentId),
    /// The default of the workspace; also for a session that selected none.
    Workspace(IntentId),
    /// No intent applies.
    None,
}

impl EffectiveIntent {
    /// Finds the intent. Reports an unknown session and returns `None`.
    pub(super) fn find(
        named: Option<&IntentId>,
        session: Option<&str>,
        place: &Place,
    ) -> anyhow::Result<Option<Self>> {
        if let Some(id) = named {
            return Ok(Some(Self::Named(id.clone())));
        }
        if let Some(session) = session {
            let Some(session) = session::find(place, session)? else { return Ok(None) };
            if let Some(id) = selected_by(session, place)? {
                return Ok(Some(Self::Session(session, id)));
            }
        }
        let default = error_output::selection(place).map(|selection| selection.intent_id);
        Ok(Some(default.map_or(Self::None, Self::Workspace)))
    }

    /// Returns the intent.
    pub(super) fn id(&self) -> Option<&IntentId> {
        match self {
            Self::Named(id) | Self::Session(_, id) | Self::Workspace(id) => Some(id),
            Self::None => None,
        }
    }

    /// Returns the origin, for JSON.
    pub(super) const fn by(&self) -> Option<&'static str> {
        match self {
            Self::Named(_) => Some("argument"),
            Self::Session(..) => Some("session"),
            Self::Workspace(_) => Some("workspace"),
            Self::None => None,
        }
    }

    /// Prints which intent an answer applies to.
    pub(super) fn print(&self, name: Option<&str>, place: &Place) -> anyhow::Result<()> {
        let name = name.map(|name| format!(" ({})", text::one_line(name))).unwrap_or_default();
        match self {
            Self::Named(id) => output::note(&format!("under {id}{name}:")),
            Self::Session(session, id) => {
                output::note(&format!("under {id}{name}, selected by session {session}:"));
            }
            Self::Workspace(id) => {
                output::note(&format!("under {id}{name}, selected for this workspace:"));
            }
            Self::None => {
                output::note("under no intent, because none is selected for this workspace:");
                if let Some((session, id)) = some_session_with_its_own(place)? {
                    output::hint(&format!(
                        "session {session} selected {id}; pass `--session {session}` to check under it"
                    ));
                }
            }
        }
        Ok(())
    }
}

/// Returns the latest session that selected its own intent.
fn some_session_with_its_own(place: &Place) -> anyhow::Result<Option<(SessionId, IntentId)>> {
    let mut latest = None;
    for session in place.workspace.sessions().context("cannot list the sessions")? {
        let changed = place.workspace.session(session).events_file().as_path().metadata();
        let changed = changed.and_then(|meta| meta.modified()).ok();
        if let Some(id) = selected_by(session, place)?
            && latest.as_ref().is_none_or(|(before, _, _)| *before < changed)
        {
            latest = Some((changed, session, id));
        }
    }
    Ok(latest.map(|(_, session, id)| (session, id)))
}

/// Returns the intent that a session selected last, according to its journal.
fn selected_by(session: SessionId, place: &Place) -> anyhow::Result<Option<IntentId>> {
    let kind = format!("\"type\":\"{}\"", IntentSelected::KIND.name());
    let mut last = None;
    history::each_line(&place.workspace.session(session).events_file(), |line| {
        if line.contains(&kind)
            && let Some(record) =
                history::parse(line).filter(|record| record.kind == IntentSelected::KIND.name())
            && let Some(selected) = IntentSelected::from_data(&record.data.into())
            && selected.by == SelectedBy::Session
        {
            last = Some(selected.intent_id);
        }
        ControlFlow::<()>::Continue(())
    })
    .with_context(|| format!("cannot read the journal of session {session}"))?;
    Ok(last)
}
