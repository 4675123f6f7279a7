//! Where a planning agent was told to write, found again when it ends.
//!
//! WHY this is kept: Copilot and Cursor name an agent differently when it ends than when it
//! started (Copilot gives it an id only then, Cursor only before), so our own id of it differs too.

use event::{AbsPath, AgentId};
use serde_json::{Map, Value, json};

use crate::Context;

/// The folder of a planning agent, and whom it was given to.
pub(super) struct Desk {
    pub folder: AbsPath,
    pub agent: AgentId,
}

/// Returns the patch of the state that remembers the folder told last.
pub(super) fn remember(context: &Context<'_>, folder: &AbsPath) -> Map<String, Value> {
    let path = folder.below(context.workspace.root()).map(|below| below.as_str().to_owned());
    let desk = json!({"path": path.ok(), "agentId": context.ids.agent.to_string()});
    Map::from_iter([("plan".to_owned(), json!({"draft": desk}))])
}

/// Returns the folder an agent that ends has written to: its own, or, if nothing is there, the one
/// that was told last.
pub(super) fn of(context: &Context<'_>, own: AbsPath) -> Desk {
    let is_used = |folder: &AbsPath| {
        ["planGraph.json", "manifest.json"].iter().any(|name| folder.child(name).as_path().exists())
    };
    let told = || {
        let draft = context.state.plan.get("draft")?;
        let folder = context.workspace.root().join(draft.get("path")?.as_str()?);
        let agent = AgentId::parse(draft.get("agentId")?.as_str()?)?;
        // The state is ours, but a file that anybody could have written.
        folder.below(context.session.root()).is_ok().then_some(Desk { folder, agent })
    };
    let own = Desk { folder: own, agent: context.ids.agent };
    if is_used(&own.folder) {
        return own;
    }
    told().unwrap_or(own)
}
