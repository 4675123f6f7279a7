//! Which session's plan a person means.

use anyhow::Context;
use dispatch::plan::{self, Current};
use dispatch::{Config, State, history};
use event::SessionId;
use store::FileError;

use crate::commands::{Place, session};
use crate::output;

/// A session and its plan, or what is wrong with that.
pub(super) struct Found {
    /// None if the project names a plan and nobody has worked by it yet.
    pub(super) session: Option<SessionId>,
    pub(super) plan: Result<Current, Vec<FileError>>,
}

/// Finds the plan of the session that is named, else of the one that was last at work and has one.
/// If there is none, says so.
pub(super) fn find(place: &Place, named: Option<&str>) -> anyhow::Result<Option<Found>> {
    let config = Config::load(&place.workspace)?;
    let configured =
        config.section("planGraph-exec").get("plan").and_then(|plan| plan.as_str()).map(str::to_owned);
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
            Ok(Some(current)) => return Ok(Some(Found { session: Some(id), plan: Ok(current) })),
            Err(problems) => return Ok(Some(Found { session: Some(id), plan: Err(problems) })),
        }
    }
    if named.is_none() && configured.is_some() {
        // No session has this id, so nothing is marked there.
        let nobody = place.workspace.session(SessionId::from_hash([0; 4]));
        let plan = plan::load(&place.workspace, &nobody, &State::new(), configured.as_deref());
        return Ok(plan.transpose().map(|plan| Found { session: None, plan }));
    }
    match named {
        Some(named) => output::complain(&format!("session {named} has no plan")),
        None => output::complain("no session of this workspace has a plan"),
    }
    output::hint(
        "the module plan-subagent-contract accepts one from a planning agent; `planGraph-exec.plan` in config.json names one",
    );
    Ok(None)
}

/// Says everything that is wrong with a plan.
pub(super) fn complain(problems: &[FileError]) {
    for problem in problems {
        output::complain(&problem.to_string());
    }
}
