//! The files in which a workspace's agent programs name their MCP servers.

/// One of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct McpFile {
    /// Where it lies, relative to the workspace.
    pub path: &'static str,
    /// The key its servers stand under.
    pub key: &'static str,
}

impl McpFile {
    /// All of them, in the order in which a server is looked for.
    pub const ALL: &[Self] = &[
        Self { path: ".mcp.json", key: "mcpServers" },
        Self { path: ".vscode/mcp.json", key: "servers" },
        Self { path: ".cursor/mcp.json", key: "mcpServers" },
        Self { path: ".gemini/settings.json", key: "mcpServers" },
    ];
}
