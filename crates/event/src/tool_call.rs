//! A tool call and its static properties.

use serde_json::Value;

/// One call of one tool, as a host announces or reports it.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolCall {
    /// The host's id of the call, if it has one.
    pub id: Option<String>,
    /// The tool's name, in the host's spelling.
    pub name: String,
    /// The kind of tool.
    pub kind: ToolKind,
    /// The input exactly as the host sent it.
    pub input: Value,
    /// Every path the input names, in the order of the input.
    pub touches: Vec<Touch>,
    /// The command line, for shells and task runners.
    pub command: Option<CommandLine>,
    /// The complete new content of the file, if the input states it.
    pub content: Option<String>,
}

/// The kind of a tool, across hosts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ToolKind {
    /// Reads a file or lists a folder.
    Read,
    /// Creates, changes, moves or deletes files.
    Write,
    /// Runs a command line.
    Shell,
    /// Searches names or contents.
    Search,
    /// Fetches from the network.
    Fetch,
    /// Starts another agent.
    Subagent,
    /// A tool of an MCP server.
    Mcp {
        /// The server's name as the host spells it; empty if the host does not send it.
        server: String,
        /// The tool's own name.
        tool: String,
    },
    /// A tool that only affects the conversation (todo lists, questions, …).
    Harmless,
    /// A tool that is in no table.
    Unknown,
}

impl ToolKind {
    /// Returns the kind's name in journals and policies.
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Shell => "shell",
            Self::Search => "search",
            Self::Fetch => "fetch",
            Self::Subagent => "subagent",
            Self::Mcp { .. } => "mcp",
            Self::Harmless => "harmless",
            Self::Unknown => "unknown",
        }
    }
}

/// A path in a tool's input. Text from a payload: check it, never write to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Touch {
    /// As the host sent it: absolute or relative to the session's folder.
    pub path: String,
    /// The access.
    pub access: Access,
}

/// The access of a call to a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Access {
    /// Reads it.
    Read,
    /// Creates it or changes its content.
    Write,
    /// Removes it.
    Delete,
    /// Creates a folder.
    CreateDir,
}

impl Access {
    /// Returns the access's name in journals.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Delete => "delete",
            Self::CreateDir => "create-dir",
        }
    }
}

/// A command line that a tool will pass to a shell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandLine {
    /// The command line.
    pub text: String,
    /// The folder it starts in, if the input names one.
    pub cwd: Option<String>,
    /// The shell whose syntax it uses.
    pub dialect: Dialect,
}

/// The shell that will parse a command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Dialect {
    /// sh, bash, zsh and related shells.
    #[default]
    Posix,
    /// Windows `PowerShell` or pwsh.
    PowerShell,
    /// cmd.exe.
    Cmd,
}
