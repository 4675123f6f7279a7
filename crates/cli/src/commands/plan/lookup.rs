//! Finds the plan that a command is about.

use ::session::{State, history};
use anyhow::Context;
use event::SessionId;
use plan::CurrentPlan;
use project_config::Config;
use store::FileError;

use crate::commands::{Place, session};
use crate::output;

/// A session and its plan, or the problems of the plan.
pub(super) struct Found {
    /// `None` if the project names a plan that no session has used yet.
    pub(super) session: Option<SessionId>,
    pub(super) plan: Result<CurrentPlan, Vec<FileError>>,
    /// The path of the plan in the settings.
    pub(super) configured: Option<String>,
}

/// Finds the plan of the named session, else of the latest session with a plan. Reports if none exists and
/// returns `None`.
pub(super) fn find(place: &Place, named: Option<&str>) -> anyhow::Result<Option<Found>> {
    if let Some(named) = named
        && session::find(place, named)?.is_none()
    {
        return Ok(None);
    }
    let found = search(place, named)?;
    if found.is_none() {
        match named {
            Some(named) => output::error(&format!("session {named} has no plan")),
            None => output::error("no session of this workspace has a plan"),
        }
        output::hint(
            "write one with `steersman plan new 'api=src/api/**' 'ui=src/ui/**'`, or let a planning agent write it: `steersman module on plan-subagent-contract`",
        );
    }
    Ok(found)
}

/// Like [`find`], without a report if none exists.
pub(super) fn search(place: &Place, named: Option<&str>) -> anyhow::Result<Option<Found>> {
    let config = Config::load(&place.workspace)?;
    let configured =
        config.section(plan::MODULE).get("plan").and_then(|plan| plan.as_str()).map(str::to_owned);
    let ids = match named {
        Some(named) => match session::find(place, named)? {
            Some(id) => vec![id],
            None => return Ok(None),
        },
        None => session::latest_first(place)?,
    };
    for id in ids {
        let dir = place.workspace.session(id);
        let state = history::snapshot(&dir).with_context(|| format!("cannot read session {id}"))?;
        match plan::load(&place.workspace, &dir, &state, configured.as_deref()) {
            Ok(None) => {}
            Ok(Some(current)) => return Ok(Some(Found { session: Some(id), plan: Ok(current), configured })),
            Err(problems) => return Ok(Some(Found { session: Some(id), plan: Err(problems), configured })),
        }
    }
    if named.is_none() && configured.is_some() {
        // No session has this id, so no node is marked there.
        let unused_session = place.workspace.session(SessionId::from_hash([0; 4]));
        let plan = plan::load(&place.workspace, &unused_session, &State::new(), configured.as_deref());
        return Ok(plan.transpose().map(|plan| Found { session: None, plan, configured }));
    }
    Ok(None)
}

/// Reports all problems of a plan.
pub(super) fn print_problems(problems: &[FileError]) {
    for problem in problems {
        output::error(&problem.to_string());
    }
}
