//! A tool call, and what can be said about it without running it.

use serde_json::Value;

/// One call of one tool, as a host announces or reports it.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolCall {
    /// The host's id of the call, where it has one.
    pub id: Option<String>,
    /// The tool's name, in the host's spelling.
    pub name: String,
    /// What sort of tool it is.
    pub kind: ToolKind,
    /// Its input exactly as the host sent it.
    pub input: Value,
    /// Every path the input names, in the order of the input.
    pub touches: Vec<Touch>,
    /// The command line it runs, for shells and task runners.
    pub command: Option<CommandLine>,
    /// The complete content a file will have afterwards, when the call says so.
    pub content: Option<String>,
}

/// What sort of tool a call is of, across hosts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ToolKind {
    /// Looks at a file or lists a folder.
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
        /// The server's name as the host knows it; empty where the host does not say.
        server: String,
        /// The tool's own name.
        tool: String,
    },
    /// A tool that touches nothing but the conversation (todo lists, questions, …).
    Harmless,
    /// A tool no table knows.
    Unknown,
}

impl ToolKind {
    /// Returns the word used in journals and policies.
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

/// A path named in a tool's input. Text from a payload: judge it, never write to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Touch {
    /// As the host sent it: absolute or relative to the session's folder.
    pub path: String,
    /// What the call does there.
    pub access: Access,
}

/// What a call does with a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Access {
    /// Looks at it.
    Read,
    /// Creates it or changes its content.
    Write,
    /// Removes it.
    Delete,
    /// Makes a folder.
    CreateDir,
}

impl Access {
    /// Returns the word used in journals.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Delete => "delete",
            Self::CreateDir => "create-dir",
        }
    }
}

/// A command line a tool will hand to a shell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandLine {
    /// The line itself.
    pub text: String,
    /// The folder it starts in, when the call names one.
    pub cwd: Option<String>,
    /// Whose syntax it is in.
    pub dialect: Dialect,
}

/// Which shell will read a command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// sh, bash, zsh and their kin.
    Posix,
    /// Windows `PowerShell` or pwsh.
    PowerShell,
    /// cmd.exe.
    Cmd,
}
