//! Finds the folder of a planning agent's plan when the agent ends.
//!
//! WHY it is recorded: Copilot and Cursor name an agent differently at its end than at its start (Copilot gives it an id
//! only then, Cursor only before), so our own id differs, too.

use event::{AbsPath, AgentId};
use serde_json::{Map, Value, json};

use crate::Context;

/// The folder of a planning agent's plan, and the agent.
pub(super) struct PlanFolder {
    pub folder: AbsPath,
    pub agent: AgentId,
}

/// Returns the patch of the state that records the last assigned folder.
pub(super) fn remember(context: &Context<'_>, folder: &AbsPath) -> Map<String, Value> {
    let path = folder.below(context.workspace.root()).map(|below| below.as_str().to_owned());
    let plan_folder = json!({"path": path.ok(), "agentId": context.ids.agent.to_string()});
    Map::from_iter([("plan".to_owned(), json!({"draft": plan_folder}))])
}

/// Returns the folder that an ending agent wrote to: its own, or the last assigned one if that is empty.
pub(super) fn of(context: &Context<'_>, own: AbsPath) -> PlanFolder {
    let is_used = |folder: &AbsPath| {
        ["planGraph.json", "manifest.json"].iter().any(|name| folder.child(name).as_path().exists())
    };
    let assigned = || {
        let draft = context.state.plan.get("draft")?;
        let folder = context.workspace.root().join(draft.get("path")?.as_str()?);
        let agent = AgentId::parse(draft.get("agentId")?.as_str()?)?;
        // Any process could have written the state file, so the path is checked.
        folder.below(context.session.root()).is_ok().then_some(PlanFolder { folder, agent })
    };
    let own = PlanFolder { folder: own, agent: context.ids.agent };
    if is_used(&own.folder) {
        return own;
    }
    assigned().unwrap_or(own)
}
