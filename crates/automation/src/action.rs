//! The action of an automation.

use serde_json::{Map, Value};

use crate::Template;

/// The action of an automation.
#[derive(Debug, Clone, PartialEq)]
pub enum Action {
    /// A prompt for the runner (001).
    Prompt {
        /// The prompt.
        prompt: Template,
    },
    /// A slash command for the runner.
    Agent {
        /// The command, such as `/speckit.clarify`.
        command: Template,
    },
    /// A prompt for an agent of the registry.
    Custom(Custom),
    /// A commit or a push.
    Git(Git),
    /// An issue, a comment or a pull request, through the program `gh`.
    GitHub(GitHub),
    /// A call of a tool of an MCP server.
    Mcp(Mcp),
    /// A program with arguments; each argument is a template.
    Command {
        /// The program and its arguments; at least the program.
        argv: Vec<Template>,
        /// Its standard input.
        input: Option<Template>,
    },
}

/// A prompt for an agent of the registry.
#[derive(Debug, Clone, PartialEq)]
pub struct Custom {
    /// The agent.
    pub agent: AgentChoice,
    /// Where it runs, if the file says so.
    pub kind: Option<AgentKind>,
    /// The prompt.
    pub prompt: Option<Template>,
    /// Further text, appended to the prompt.
    pub arguments: Option<Template>,
    /// The MCP tools it may use.
    pub tools: Vec<SelectedTool>,
}

/// The id or name of an agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AgentChoice {
    /// By its id in the registry, such as `local:code-reviewer`.
    Id(String),
    /// By its name, as older files do.
    Name(String),
}

/// Where an agent runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AgentKind {
    /// From a file of the project.
    Local,
    /// As its own program.
    Background,
}

/// A tool of an MCP server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SelectedTool {
    /// The server, by its name in the configuration.
    pub server: String,
    /// The tool.
    pub tool: String,
}

/// A commit or a push.
#[derive(Debug, Clone, PartialEq)]
pub struct Git {
    /// Commit or push.
    pub operation: GitOperation,
    /// The message of a commit.
    pub message: Option<Template>,
    /// Whether to push after the commit.
    pub push: bool,
}

/// An operation of git.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are all there is to say")]
pub enum GitOperation {
    Commit,
    Push,
}

/// An operation on GitHub and its parameters.
#[derive(Debug, Clone, PartialEq)]
pub struct GitHub {
    /// The operation.
    pub operation: GitHubOperation,
    /// `owner/name`; without it, the workspace's own.
    pub repository: Option<String>,
    /// The title of an issue or a pull request.
    pub title: Option<Template>,
    /// The body or the comment.
    pub body: Option<Template>,
    /// The labels of an issue or a pull request.
    pub labels: Vec<String>,
    /// The issue to close or comment on.
    pub issue: Option<u64>,
}

/// An operation on GitHub.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are all there is to say")]
pub enum GitHubOperation {
    OpenIssue,
    CloseIssue,
    CreatePr,
    AddComment,
}

/// A call of a tool of an MCP server.
#[derive(Debug, Clone, PartialEq)]
pub struct Mcp {
    /// The tool.
    pub tool: SelectedTool,
    /// Its arguments; every string in them is a template.
    pub arguments: Map<String, Value>,
}

impl AgentKind {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Local, Self::Background];

    /// Returns the word used in files.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Local => "local",
            Self::Background => "background",
        }
    }
}

impl GitOperation {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Commit, Self::Push];

    /// Returns the word used in files.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Commit => "commit",
            Self::Push => "push",
        }
    }
}

impl GitHubOperation {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::OpenIssue, Self::CloseIssue, Self::CreatePr, Self::AddComment];

    /// Returns the word used in files.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::OpenIssue => "open-issue",
            Self::CloseIssue => "close-issue",
            Self::CreatePr => "create-pr",
            Self::AddComment => "add-comment",
        }
    }
}

/// The kind of an action of a custom agent hook.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ActionKind {
    Custom,
    Agent,
    Git,
    GitHub,
    Mcp,
    Command,
}

impl ActionKind {
    /// All kinds.
    pub(crate) const ALL: [Self; 6] =
        [Self::Custom, Self::Agent, Self::Git, Self::GitHub, Self::Mcp, Self::Command];

    /// Returns its name in the file.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Custom => "custom",
            Self::Agent => "agent",
            Self::Git => "git",
            Self::GitHub => "github",
            Self::Mcp => "mcp",
            Self::Command => "command",
        }
    }
}

impl Action {
    /// Returns the word for this kind of action.
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Prompt { .. } => "prompt",
            Self::Agent { .. } => ActionKind::Agent.as_str(),
            Self::Custom(_) => ActionKind::Custom.as_str(),
            Self::Git(_) => ActionKind::Git.as_str(),
            Self::GitHub(_) => ActionKind::GitHub.as_str(),
            Self::Mcp(_) => ActionKind::Mcp.as_str(),
            Self::Command { .. } => ActionKind::Command.as_str(),
        }
    }

    /// Returns whether it needs a runner.
    pub const fn needs_runner(&self) -> bool {
        matches!(self, Self::Prompt { .. } | Self::Agent { .. } | Self::Custom(_))
    }
}
