//! Each host's spelling of MCP tool names.

use crate::Host;

/// The registered name of our own server.
const OURS: &str = "steersman";

/// Returns server and tool. Returns `None` if the name is not that of an MCP tool.
pub(crate) fn split(host: Host, name: &str) -> Option<(&str, &str)> {
    // Most hosts also accept Claude Code's spelling.
    if let Some(rest) = name.strip_prefix("mcp__") {
        return Some(rest.split_once("__").unwrap_or(("", rest)));
    }
    match host {
        Host::Gemini | Host::Qwen => prefixed(name),
        Host::VsCode | Host::CopilotCli => prefixed(name).or_else(|| hyphened(name)),
        Host::Cursor => name.strip_prefix("MCP:").map(|tool| ("", tool)),
        Host::ClaudeCode | Host::Codex => None,
        Host::Raw => prefixed(name)
            .or_else(|| name.strip_prefix("MCP:").map(|tool| ("", tool)))
            .or_else(|| name.strip_prefix('@').and_then(|rest| rest.split_once('/'))),
    }
}

/// Splits `mcp_server_tool`. A server's name may contain underscores, which cannot be distinguished
/// from the separator; ours has none, and is the one that matters.
fn prefixed(name: &str) -> Option<(&str, &str)> {
    name.strip_prefix("mcp_")?.split_once('_')
}

/// Splits `server-tool`: Copilot's own tools have no hyphen, servers often do, tools rarely.
fn hyphened(name: &str) -> Option<(&str, &str)> {
    match name.strip_prefix(OURS).and_then(|rest| rest.strip_prefix('-')) {
        Some(tool) => Some((OURS, tool)),
        None => name.rsplit_once('-').filter(|(server, tool)| !server.is_empty() && !tool.is_empty()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_own_server_is_found_in_every_spelling() {
        for (host, name, server) in [
            (Host::ClaudeCode, "mcp__steersman__select_active_intent", "steersman"),
            (Host::Codex, "mcp__steersman__select_active_intent", "steersman"),
            (Host::Qwen, "mcp__steersman__select_active_intent", "steersman"),
            (Host::Gemini, "mcp_steersman_select_active_intent", "steersman"),
            (Host::VsCode, "mcp_steersman_select_active_intent", "steersman"),
            (Host::CopilotCli, "steersman-select_active_intent", "steersman"),
            (Host::Raw, "@steersman/select_active_intent", "steersman"),
            (Host::Cursor, "MCP:select_active_intent", ""),
        ] {
            assert_eq!(split(host, name), Some((server, "select_active_intent")), "{host}");
        }
    }

    #[test]
    fn other_tools_are_of_no_server() {
        assert_eq!(split(Host::ClaudeCode, "Bash"), None);
        assert_eq!(split(Host::CopilotCli, "bash"), None);
        assert_eq!(split(Host::Gemini, "memory"), None);
        assert_eq!(split(Host::CopilotCli, "-"), None);
    }
}
