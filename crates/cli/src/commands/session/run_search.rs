//! Finds runs by their id.

use std::fs;
use std::ops::ControlFlow;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::Context;
use event::{LineKind, RunId, SessionId};
use session::State;
use session::history::{self, Run};

use crate::commands::Place;
use crate::exit::Exit;
use crate::output;

/// A run and the session it belongs to.
pub(super) struct Found {
    /// The session.
    pub(super) session: SessionId,
    /// The run.
    pub(super) run: Run,
}

/// Finds all runs with this id, latest session first. Reports if none has it and returns the exit code.
///
/// The id contains the time of the run. Sessions that began later or ended earlier are searched last.
pub(super) fn find(place: &Place, id: &str) -> anyhow::Result<Result<Vec<Found>, Exit>> {
    let Some(run) = RunId::parse(id) else {
        output::error(&format!("`{}` is not the id of a run", output::text::one_line(id)));
        output::hint(
            "pass an id such as PreToolUse-14-1740700000123; `steersman session show SID --json` lists all ids",
        );
        return Ok(Err(Exit::Usage));
    };
    let ids = place.workspace.sessions().context("cannot list the sessions")?;
    let mut sessions: Vec<_> = ids.into_iter().map(|id| (last_written(place, id), id)).collect();
    sessions.sort_unstable_by_key(|session| std::cmp::Reverse(*session));
    let (likely, others): (Vec<_>, Vec<_>) = sessions.into_iter().partition(|(written, id)| {
        let began = began(place, *id).unwrap_or(0);
        began.saturating_sub(SLACK_MS) <= run.at_ms && run.at_ms <= written.saturating_add(SLACK_MS)
    });
    for candidates in [likely, others] {
        let mut found = Vec::new();
        for (_, session) in candidates {
            let runs = history::find(&place.workspace.session(session), id)
                .with_context(|| format!("cannot read the journal of session {session}"))?;
            found.extend(runs.into_iter().map(|run| Found { session, run }));
        }
        if !found.is_empty() {
            return Ok(Ok(found));
        }
    }
    output::error(&format!("no session has a run `{id}`"));
    output::hint(
        "run `steersman session list` for the sessions, `steersman session show SID --json` for their runs",
    );
    Ok(Err(Exit::No))
}

/// Finds the last run of the latest sessions that denied a call or asked about it. Reports if no run did and returns the
/// exit code.
pub(super) fn last_objection(place: &Place) -> anyhow::Result<Result<String, Exit>> {
    for session in super::lookup::latest_first(place)?.into_iter().take(MAX_SESSIONS) {
        let mut last = None;
        history::each_line(&place.workspace.session(session).events_file(), |text| {
            let decides = text.contains("\"decision\":\"deny\"") || text.contains("\"decision\":\"ask\"");
            if decides && let Some(line) = history::parse(text).filter(|line| line.kind == RUN) {
                last = Some(line.hook_run_id);
            }
            ControlFlow::<()>::Continue(())
        })
        .with_context(|| format!("cannot read the journal of session {session}"))?;
        if let Some(run) = last {
            return Ok(Ok(run));
        }
    }
    output::error("steersman has denied no call and asked about none in the last sessions");
    output::hint("`steersman log` shows the newest session; `steersman explain RUN` explains any run");
    Ok(Err(Exit::No))
}

/// How many sessions are searched for an objection.
const MAX_SESSIONS: usize = 20;

/// The kind of the line that a run ends with.
const RUN: &str = LineKind::HookRun.name();

/// Timestamps of files are coarser than the journal's.
const SLACK_MS: u64 = 2000;

fn began(place: &Place, id: SessionId) -> Option<u64> {
    let state = store::plain_file::read(place.workspace.session(id).state_file().as_path()).ok()?;
    State::parse(&state).ok()?.core.started_ts
}

fn last_written(place: &Place, id: SessionId) -> u64 {
    let journal = place.workspace.session(id).events_file();
    let modified =
        fs::metadata(journal.as_path()).and_then(|meta| meta.modified()).unwrap_or(SystemTime::UNIX_EPOCH);
    let since = modified.duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}
