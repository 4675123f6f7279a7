//! The text for a starting planning agent.

use event::{AbsPath, AgentId};

/// Returns the paths and the rules of a plan.
pub(super) fn text(folder: &AbsPath, agent: AgentId) -> String {
    format!(
        r#"You are planning. Write your plan to these two files before you end; their folder exists:
1. {folder}/planGraph.json
{{"version": 1, "nodes": [
  {{"id": "api", "description": "the task", "scope": ["src/api/**"], "tools": ["write", "shell"],
   "dependencies": [], "validations": ["cargo test -p api"]}}
]}}
2. {folder}/manifest.json
{{"version": 1, "agentId": "{agent}", "planGraph": "planGraph.json", "createdTs": <milliseconds since 1970>, "summary": "a few sentences"}}
Rules: every node has a unique `id` (letters, digits, `.`, `_`, `-`) and a `description`. `dependencies` names nodes of this plan,
without a cycle. `scope` is a glob below the workspace or an array of globs, `tools` are tool names or kinds (read, write, shell,
search, fetch, mcp). `status` is pending (default), active, complete, forbidden or denied; explain in `reason`. `validations` are
commands that check whether the node is complete, or sentences for people. steersman checks both files when you end and
lists all problems."#
    )
}
