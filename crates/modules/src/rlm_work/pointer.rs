//! Gives the parent pointers to the results of its subagents.

use event::ContextNote;
use serde_json::json;

use super::{NAME, results};
use crate::{Action, Context};

/// The most files in a pointer.
const NAMED: usize = 20;

/// Returns the pointers that the parent has not received yet.
pub(super) fn hand_over(context: &Context<'_>) -> Action {
    let mut action = Action::default();
    let Some(agents) = context.state.rlm.get("agents").and_then(|agents| agents.as_object()) else {
        return action;
    };
    let mut told = serde_json::Map::new();
    for (agent, fields) in agents {
        let is_new = fields.get("doneTs").is_some() && fields.get("told").is_none();
        let Some(output) = fields.get("output").and_then(|output| output.as_str()).filter(|_| is_new) else {
            continue;
        };
        action
            .additional_context
            .push(ContextNote { key: NAME.into(), value: letter(context, agent, output) });
        told.insert(agent.clone(), json!({"told": true}));
    }
    if !told.is_empty() {
        action.state_patch = [("rlm".to_owned(), json!({"agents": told}))].into_iter().collect();
    }
    action
}

fn letter(context: &Context<'_>, agent: &str, output: &str) -> String {
    let folder = context.workspace.root().join(output);
    let left = results::left_in(context.workspace, &folder, NAMED + 1);
    if left.is_empty() {
        return format!("Subagent {agent} has finished without files in `{output}/`.");
    }
    let mut names: Vec<_> =
        left.iter().take(NAMED).map(|file| format!("`{}` ({} bytes)", file.name, file.bytes)).collect();
    if left.len() > NAMED {
        names.push("and more".to_owned());
    }
    format!(
        "Subagent {agent} has finished. Its results are in `{output}/`: {}. Read only the parts you need.",
        names.join(", ")
    )
}
