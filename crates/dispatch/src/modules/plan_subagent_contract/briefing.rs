//! What a planning agent is told when it starts.

use event::{AbsPath, AgentId};

/// Returns where the plan goes and what it has to look like.
pub(super) fn text(folder: &AbsPath, agent: AgentId) -> String {
    format!(
        r#"You are planning. Write your plan to these two files before you end; their folder is there:
1. {folder}/planGraph.json
{{"version": 1, "nodes": [
  {{"id": "api", "description": "what is to be done", "scope": ["src/api/**"], "tools": ["write", "shell"],
   "dependencies": [], "validations": ["cargo test -p api"]}}
]}}
2. {folder}/manifest.json
{{"version": 1, "agentId": "{agent}", "planGraph": "planGraph.json", "createdTs": <milliseconds since 1970>, "summary": "a few sentences"}}
Rules: every node has a unique `id` (letters, digits, `.`, `_`, `-`) and a `description`. `dependencies` names nodes of this plan and
leads in no circle. `scope` is a glob below the workspace or a list of them, `tools` are tool names or kinds (read, write, shell,
search, fetch, mcp). `status` is pending (default), active, complete, forbidden or denied; say why in `reason`. `validations` are
commands that tell whether the node is done, or sentences for people. Both files are checked when you end; you are told
everything that is wrong with them."#
    )
}
