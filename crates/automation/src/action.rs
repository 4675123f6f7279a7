//! What an automation does once it is set off.

use serde_json::{Map, Value};

use crate::Template;

/// What is done.
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
    /// A program with fixed arguments, in which variables are filled in one by one.
    Command {
        /// The program and its arguments; there is at least the program.
        argv: Vec<Template>,
        /// What it reads from standard input.
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
    /// What it is asked to do.
    pub prompt: Option<Template>,
    /// What it is told besides.
    pub arguments: Option<Template>,
    /// The MCP tools it may use.
    pub tools: Vec<SelectedTool>,
}

/// How an agent is named.
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
    /// As a program of its own.
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
    /// Which of the two.
    pub operation: GitOperation,
    /// The message of the commit; a push has none.
    pub message: Option<Template>,
    /// Whether a commit is pushed at once.
    pub push: bool,
}

/// What git does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are all there is to say")]
pub enum GitOperation {
    Commit,
    Push,
}

/// Something on GitHub.
#[derive(Debug, Clone, PartialEq)]
pub struct GitHub {
    /// What is done.
    pub operation: GitHubOperation,
    /// `owner/name`; without it, the workspace's own.
    pub repository: Option<String>,
    /// The title of an issue or a pull request.
    pub title: Option<Template>,
    /// The body or the comment.
    pub body: Option<Template>,
    /// The labels of an issue or a pull request.
    pub labels: Vec<String>,
    /// Which issue is closed or commented on.
    pub issue: Option<u64>,
}

/// What is done on GitHub.
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
    /// Which tool.
    pub tool: SelectedTool,
    /// Its arguments; every text in them is a template.
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

impl Action {
    /// Returns the word for this kind of action.
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Prompt { .. } => "prompt",
            Self::Agent { .. } => "agent",
            Self::Custom(_) => "custom",
            Self::Git(_) => "git",
            Self::GitHub(_) => "github",
            Self::Mcp(_) => "mcp",
            Self::Command { .. } => "command",
        }
    }

    /// Returns whether a runner has to be chosen for it.
    pub const fn needs_runner(&self) -> bool {
        matches!(self, Self::Prompt { .. } | Self::Agent { .. } | Self::Custom(_))
    }
}
