//! The intent a question is about: the one that is named, a session's own, or the workspace's.

use std::ops::ControlFlow;

use anyhow::Context;
use dispatch::history;
use event::SessionId;
use intent::IntentId;
use intent::journal::{IntentSelected, JournalRecord, SelectedBy};

use super::refusal;
use crate::commands::Place;
use crate::commands::session;
use crate::output::{self, text};

/// An intent, and whose choice it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum InForce {
    /// It is named on the command line.
    Named(IntentId),
    /// The session selected it itself.
    Session(SessionId, IntentId),
    /// The default of the workspace; also for a session that selected none.
    Workspace(IntentId),
    /// There is none.
    None,
}

impl InForce {
    /// Finds it; nothing if there is no such session, which the person has been told then.
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
        let default = refusal::selection(place).map(|selection| selection.intent_id);
        Ok(Some(default.map_or(Self::None, Self::Workspace)))
    }

    /// Returns the intent.
    pub(super) fn id(&self) -> Option<&IntentId> {
        match self {
            Self::Named(id) | Self::Session(_, id) | Self::Workspace(id) => Some(id),
            Self::None => None,
        }
    }

    /// Returns whose choice it is, for programs.
    pub(super) const fn by(&self) -> Option<&'static str> {
        match self {
            Self::Named(_) => Some("argument"),
            Self::Session(..) => Some("session"),
            Self::Workspace(_) => Some("workspace"),
            Self::None => None,
        }
    }

    /// Tells the person which intent an answer is about.
    pub(super) fn say(&self, name: Option<&str>, place: &Place) -> anyhow::Result<()> {
        let name = name.map(|name| format!(" ({})", text::one_line(name))).unwrap_or_default();
        match self {
            Self::Named(id) => output::note(&format!("under {id}{name}:")),
            Self::Session(session, id) => {
                output::note(&format!("under {id}{name}, which session {session} selected:"));
            }
            Self::Workspace(id) => {
                output::note(&format!("under {id}{name}, which is selected for this workspace:"));
            }
            Self::None => {
                output::note("under no intent, since none is selected for this workspace:");
                if let Some((session, id)) = some_session_with_its_own(place)? {
                    output::hint(&format!(
                        "session {session} selected {id} itself: `--session {session}` asks for it"
                    ));
                }
            }
        }
        Ok(())
    }
}

/// Returns the latest session that selected an intent itself.
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

/// Returns the intent that a session selected last; its journal is the truth of that.
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
