//! The tools of our own MCP server, which are exempt from the intent.

use event::{ToolCall, ToolKind};
use serde_json::Value;

/// The registered name of our server.
const SERVER: &str = "steersman";

/// The tool that selects an intent.
const SELECT: &str = "select_active_intent";

/// The other tools: they read, or ask the user for a wider scope.
const OTHERS: [&str; 4] = ["list_intents", "current_intent", "check_scope", "request_scope_expansion"];

/// A call of one of our own tools.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum OwnTool<'a> {
    /// The agent selects the intent with this id; `None` if the call names none.
    Select(Option<&'a str>),
    /// Any other tool.
    Other,
}

/// Returns whether a call uses a tool of our server, which the host names.
pub fn is_own_tool(call: &ToolCall) -> bool {
    matches!(&call.kind, ToolKind::Mcp { server, .. } if server == SERVER) && of(call).is_some()
}

/// Returns our tool that a call uses. If the host does not name the server, the tool's name decides.
pub(super) fn of(call: &ToolCall) -> Option<OwnTool<'_>> {
    let (server, tool) = match &call.kind {
        ToolKind::Mcp { server, tool } => (server.as_str(), tool.as_str()),
        ToolKind::Unknown => ("", call.name.as_str()),
        _ => return None,
    };
    if !matches!(server, "" | SERVER) {
        return None;
    }
    if tool == SELECT {
        let id = ["intent_id", "intentId", "id"].iter().find_map(|field| call.input.get(field));
        return Some(OwnTool::Select(id.and_then(Value::as_str)));
    }
    OTHERS.contains(&tool).then_some(OwnTool::Other)
}

#[cfg(test)]
mod tests {
    use super::*;
    use host::Host;
    use serde_json::json;

    #[test]
    fn our_tools_are_known_under_every_hosts_name() {
        for host in Host::ALL {
            let name = match host {
                Host::ClaudeCode | Host::Codex | Host::Qwen => "mcp__steersman__select_active_intent",
                Host::Gemini | Host::VsCode => "mcp_steersman_select_active_intent",
                Host::CopilotCli => "steersman-select_active_intent",
                Host::Cursor => "MCP:select_active_intent",
                Host::Raw => "select_active_intent",
            };
            let call = host::tool_call(host, name, json!({"intent_id": "INT-001"}));
            assert_eq!(of(&call), Some(OwnTool::Select(Some("INT-001"))), "{host}");
            let names_server = !matches!(host, Host::Cursor | Host::Raw);
            assert_eq!(is_own_tool(&call), names_server, "{host}");
        }
        let other = host::tool_call(Host::ClaudeCode, "mcp__steersman__check_scope", json!({"paths": ["x"]}));
        assert_eq!(of(&other), Some(OwnTool::Other));
    }

    #[test]
    fn nobody_elses_tool_is_ours() {
        for name in ["mcp__files__select_active_intent", "mcp__files__list_intents", "Write", "Bash"] {
            let call = host::tool_call(Host::ClaudeCode, name, json!({}));
            assert!(of(&call).is_none() && !is_own_tool(&call), "{name}");
        }
    }
}
