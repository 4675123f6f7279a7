//! The table of the actions of custom agent hooks.

use config_file::{Field, Object, Shape, Text, Union, Variant, Word, Words};

use crate::action::ActionKind;
use crate::limits::{
    MAX_AGENT_NAME_LENGTH, MAX_ARGUMENTS_LENGTH, MAX_BODY_TEMPLATE_LENGTH, MAX_COMMAND_LENGTH,
    MAX_MESSAGE_TEMPLATE_LENGTH, MAX_PROMPT_LENGTH, MAX_TITLE_TEMPLATE_LENGTH, MAX_TOOL_NAME_LENGTH,
};
use crate::{AgentKind, GitHubOperation, GitOperation};

/// An action.
pub(crate) static ACTION: Union = Union {
    name: "Action",
    doc: "The action of an automation. Strings may contain variables such as `{filePath}`.",
    tag: "type",
    content: Some("parameters"),
    variants: &[
        Variant {
            word: ActionKind::Custom.as_str(),
            doc: "A prompt for an agent of the registry.",
            object: &CUSTOM,
        },
        Variant { word: ActionKind::Agent.as_str(), doc: "A slash command for the runner.", object: &AGENT },
        Variant { word: ActionKind::Git.as_str(), doc: "A commit or a push.", object: &GIT },
        Variant {
            word: ActionKind::GitHub.as_str(),
            doc: "An issue, a comment or a pull request, through the program `gh`.",
            object: &GITHUB,
        },
        Variant { word: ActionKind::Mcp.as_str(), doc: "A call of a tool of an MCP server.", object: &MCP },
        Variant {
            word: ActionKind::Command.as_str(),
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
            "The agent by its name, as in older files.",
        ),
        Field::new("prompt", PROMPT, "The prompt."),
        Field::new(
            "selectedTools",
            Shape::array(&Shape::Object(&SELECTED_TOOL)),
            "The MCP tools it may use.",
        ),
        Field::new(
            "arguments",
            Shape::Text(Text::ANY.at_most(MAX_ARGUMENTS_LENGTH, "MAX_ARGUMENTS_LENGTH")),
            "Further text, appended to the prompt.",
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
        Field::new("serverName", Shape::STRING, "Written by editors; steersman ignores it."),
        TOOL_NAME,
        Field::new("toolDisplayName", Shape::STRING, "Written by editors; steersman ignores it."),
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
        Field::required("operation", Shape::Word(&GIT_OPERATIONS), "Commit or push."),
        Field::new(
            "messageTemplate",
            Shape::Text(Text::ANY.at_most(MAX_MESSAGE_TEMPLATE_LENGTH, "MAX_MESSAGE_TEMPLATE_LENGTH")),
            "The message of a commit.",
        ),
        Field::new("pushToRemote", Shape::Boolean, "Whether to push after the commit."),
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
        Field::required("operation", Shape::Word(&GITHUB_OPERATIONS), "The operation."),
        Field::new(
            "repository",
            Shape::Text(Text::ANY.pattern("^[A-Za-z0-9._][A-Za-z0-9._-]*/[A-Za-z0-9._][A-Za-z0-9._-]*$")),
            "The repository; without it, the workspace's own.",
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
        Field::new("issueNumber", Shape::POSITIVE, "The issue to close or comment on."),
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
            Shape::Array { item: &Shape::STRING, least: 1, most: None },
            "The program and its arguments; variables only in the arguments.",
        ),
        Field::new("input", PROMPT, "Its standard input."),
    ],
    open: false,
};
