//! What an automation of custom agent hooks does.

use config_file::{Field, Object, Shape, Text, Union, Variant, Word, Words};

use crate::limits::{
    MAX_AGENT_NAME_LENGTH, MAX_ARGUMENTS_LENGTH, MAX_BODY_TEMPLATE_LENGTH, MAX_COMMAND_LENGTH,
    MAX_MESSAGE_TEMPLATE_LENGTH, MAX_PROMPT_LENGTH, MAX_TITLE_TEMPLATE_LENGTH, MAX_TOOL_NAME_LENGTH,
};
use crate::{AgentKind, GitHubOperation, GitOperation};

/// An action.
pub(crate) static ACTION: Union = Union {
    name: "Action",
    doc: "What an automation does. Texts may have variables such as `{filePath}` in them.",
    tag: "type",
    content: Some("parameters"),
    variants: &[
        Variant { word: "custom", doc: "A prompt for an agent of the registry.", object: &CUSTOM },
        Variant { word: "agent", doc: "A slash command for the runner.", object: &AGENT },
        Variant { word: "git", doc: "A commit or a push.", object: &GIT },
        Variant {
            word: "github",
            doc: "An issue, a comment or a pull request, through the program `gh`.",
            object: &GITHUB,
        },
        Variant { word: "mcp", doc: "A call of a tool of an MCP server.", object: &MCP },
        Variant {
            word: "command",
            doc: "A program with fixed arguments; no shell reads them.",
            object: &COMMAND,
        },
    ],
};

const PROMPT: Shape = Shape::Text(Text::ANY.at_most(MAX_PROMPT_LENGTH, "MAX_PROMPT_LENGTH"));
const TOOL_PART: Shape = Shape::Text(Text::ANY.at_most(MAX_TOOL_NAME_LENGTH, "MAX_TOOL_NAME_LENGTH"));
const SERVER_ID: Field =
    Field::required("serverId", TOOL_PART, "The server, by its name in the configuration.");
const TOOL_NAME: Field = Field::required("toolName", TOOL_PART, "The tool.");

static CUSTOM: Object = Object {
    name: "CustomAction",
    doc: "",
    fields: &[
        Field::new(
            "agentId",
            Shape::Text(Text::ANY.pattern("^(local|extension):[a-z0-9-]{1,50}$")),
            "The agent, by its id in the registry.",
        ),
        Field::new("agentType", Shape::Word(&AGENT_TYPES), "Where it runs."),
        Field::new(
            "agentName",
            Shape::Text(Text::ANY.at_most(MAX_AGENT_NAME_LENGTH, "MAX_AGENT_NAME_LENGTH")),
            "The agent by its name, as older files have it.",
        ),
        Field::new("prompt", PROMPT, "What it is asked to do."),
        Field::new("selectedTools", Shape::list(&Shape::Object(&SELECTED_TOOL)), "The MCP tools it may use."),
        Field::new(
            "arguments",
            Shape::Text(Text::ANY.at_most(MAX_ARGUMENTS_LENGTH, "MAX_ARGUMENTS_LENGTH")),
            "What it is told besides.",
        ),
    ],
    open: false,
};

static AGENT_TYPES: Words = Words {
    name: "AgentType",
    doc: "",
    words: &[Word::new(AgentKind::Local.as_str(), ""), Word::new(AgentKind::Background.as_str(), "")],
};

static SELECTED_TOOL: Object = Object {
    name: "SelectedTool",
    doc: "",
    fields: &[
        SERVER_ID,
        Field::new("serverName", Shape::STRING, "Kept by editors."),
        TOOL_NAME,
        Field::new("toolDisplayName", Shape::STRING, "Kept by editors."),
    ],
    open: false,
};

static AGENT: Object = Object {
    name: "AgentAction",
    doc: "",
    fields: &[Field::required(
        "command",
        Shape::Text(Text::ANY.at_most(MAX_COMMAND_LENGTH, "MAX_COMMAND_LENGTH").pattern("^/")),
        "The slash command.",
    )],
    open: false,
};

static GIT: Object = Object {
    name: "GitAction",
    doc: "",
    fields: &[
        Field::required("operation", Shape::Word(&GIT_OPERATIONS), "Which of the two."),
        Field::new(
            "messageTemplate",
            Shape::Text(Text::ANY.at_most(MAX_MESSAGE_TEMPLATE_LENGTH, "MAX_MESSAGE_TEMPLATE_LENGTH")),
            "The message of a commit.",
        ),
        Field::new("pushToRemote", Shape::Boolean, "Whether a commit is pushed at once."),
    ],
    open: false,
};

static GIT_OPERATIONS: Words = Words {
    name: "GitOperation",
    doc: "",
    words: &[Word::new(GitOperation::Commit.as_str(), ""), Word::new(GitOperation::Push.as_str(), "")],
};

static GITHUB: Object = Object {
    name: "GitHubAction",
    doc: "",
    fields: &[
        Field::required("operation", Shape::Word(&GITHUB_OPERATIONS), "What is done."),
        Field::new(
            "repository",
            Shape::Text(Text::ANY.pattern("^[A-Za-z0-9._][A-Za-z0-9._-]*/[A-Za-z0-9._][A-Za-z0-9._-]*$")),
            "Which repository; without it, the workspace's own.",
        ),
        Field::new(
            "titleTemplate",
            Shape::Text(Text::ANY.at_most(MAX_TITLE_TEMPLATE_LENGTH, "MAX_TITLE_TEMPLATE_LENGTH")),
            "The title of an issue or a pull request.",
        ),
        Field::new(
            "bodyTemplate",
            Shape::Text(Text::ANY.at_most(MAX_BODY_TEMPLATE_LENGTH, "MAX_BODY_TEMPLATE_LENGTH")),
            "The body or the comment.",
        ),
        Field::new("labels", Shape::STRINGS, "The labels of an issue or a pull request."),
        Field::new("issueNumber", Shape::POSITIVE, "Which issue is closed or commented on."),
    ],
    open: false,
};

static GITHUB_OPERATIONS: Words = Words {
    name: "GitHubOperation",
    doc: "",
    words: &[
        Word::new(GitHubOperation::OpenIssue.as_str(), ""),
        Word::new(GitHubOperation::CloseIssue.as_str(), ""),
        Word::new(GitHubOperation::CreatePr.as_str(), ""),
        Word::new(GitHubOperation::AddComment.as_str(), ""),
    ],
};

static MCP: Object = Object {
    name: "McpAction",
    doc: "",
    fields: &[SERVER_ID, TOOL_NAME, Field::new("arguments", Shape::ANY_MAP, "Its arguments.")],
    open: false,
};

static COMMAND: Object = Object {
    name: "CommandAction",
    doc: "",
    fields: &[
        Field::required(
            "command",
            Shape::List { item: &Shape::STRING, least: 1, most: None },
            "The program and its arguments; variables only in the arguments.",
        ),
        Field::new("input", PROMPT, "What it reads from standard input."),
    ],
    open: false,
};
