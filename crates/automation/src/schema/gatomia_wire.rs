//! The shape of `.vscode/gatomia/hooks.json`.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde_json::Value;

use super::akira_wire::{RateWire, RetryWire, RunnerWire, TimingWire};

/// Automations in the words of custom agent hooks: a list, or a list in a frame.
#[derive(JsonSchema)]
#[schemars(rename = "CustomHooks", untagged)]
#[expect(dead_code, reason = "only its schema is used")]
pub(super) enum CustomHooksWire {
    /// Just the list.
    List(Vec<HookWire>),
    /// The list with a version.
    Framed(FrameWire),
}

/// The list with a version.
#[derive(JsonSchema)]
#[schemars(rename = "Frame", rename_all = "camelCase", deny_unknown_fields)]
#[expect(dead_code, reason = "only its schema is used")]
pub(super) struct FrameWire {
    /// Where editors find this schema.
    #[schemars(rename = "$schema")]
    schema: Option<String>,
    /// The format of the file; 1.
    #[schemars(range(min = 0, max = 1))]
    version: Option<u64>,
    /// The same by its other name.
    #[schemars(range(min = 0, max = 1))]
    schema_version: Option<u64>,
    /// The automations.
    #[schemars(length(max = 1000))]
    hooks: Vec<HookWire>,
}

/// One automation.
#[derive(JsonSchema)]
#[schemars(rename = "Hook", rename_all = "camelCase", deny_unknown_fields)]
#[expect(dead_code, reason = "only its schema is used")]
pub(super) struct HookWire {
    /// Unique over both files of automations.
    #[schemars(length(min = 1, max = 100))]
    id: String,
    /// What people call it.
    #[schemars(length(max = 100))]
    name: Option<String>,
    /// Whether it runs at all.
    #[schemars(extend("default" = true))]
    enabled: Option<bool>,
    /// What sets it off.
    trigger: TriggerWire,
    /// Which files it is about, as a glob; without `/` it is about names of files anywhere.
    #[schemars(length(min = 1))]
    pattern: Option<String>,
    /// What it does.
    action: ActionWire,
    /// Who runs its prompt; without it, `automation.runner` of `.ai/hooks/config.json`.
    runner: Option<RunnerWire>,
    /// How many of its runs may be at work at once.
    #[schemars(range(min = 1, max = 1000), extend("default" = 4))]
    concurrency: Option<u64>,
    /// How long a run may take, in milliseconds.
    #[schemars(range(min = 1000, max = 86_400_000), extend("default" = 60000))]
    timeout_ms: Option<u64>,
    /// How often a failed run is tried again.
    retry: Option<RetryWire>,
    /// How many runs may begin within a time.
    rate_limit: Option<RateWire>,
    /// Has to be true for triggers about commits.
    #[schemars(extend("default" = false))]
    allow_git: Option<bool>,
    /// The repository a trigger about commits is about, relative to the workspace.
    repo_root: Option<String>,
    /// Regular expressions of further secrets, taken out of prompts and logs.
    secret_patterns: Option<Vec<String>>,
    /// What you keep with it for your own use.
    metadata: Option<BTreeMap<String, Value>>,
    /// When it was made, in milliseconds since 1970; what one thing sets off runs in this order.
    created_at: Option<u64>,
    /// When it was last changed, in milliseconds since 1970.
    modified_at: Option<u64>,
    /// Kept by editors.
    last_executed_at: Option<u64>,
    /// Kept by editors.
    execution_count: Option<u64>,
    /// Kept by editors.
    last_execution_status: Option<String>,
}

/// What sets an automation off.
#[derive(JsonSchema)]
#[schemars(rename = "Trigger", rename_all = "camelCase", deny_unknown_fields)]
#[expect(dead_code, reason = "only its schema is used")]
struct TriggerWire {
    /// Whose operation it is.
    agent: AgentWire,
    /// Of `speckit` and `openspec` one of the fourteen operations; of `workspace` one of the last three.
    operation: OperationWire,
    /// Before the agent begins, or after it stops.
    timing: Option<TimingWire>,
}

#[derive(JsonSchema)]
#[schemars(rename = "Agent", rename_all = "lowercase")]
#[expect(dead_code, reason = "only its schema is used")]
enum AgentWire {
    SpecKit,
    OpenSpec,
    Workspace,
}

#[derive(JsonSchema)]
#[schemars(rename = "Operation", rename_all = "kebab-case")]
#[expect(dead_code, reason = "only its schema is used")]
enum OperationWire {
    Research,
    #[schemars(rename = "datamodel")]
    DataModel,
    Design,
    Specify,
    Clarify,
    Plan,
    Tasks,
    #[schemars(rename = "taskstoissues")]
    TasksToIssues,
    Analyze,
    Checklist,
    Constitution,
    Implementation,
    UnitTest,
    IntegrationTest,
    FileSave,
    SpecStatusChange,
    GitCommit,
}

/// What an automation does. Texts may have variables such as `{filePath}` in them.
#[derive(JsonSchema)]
#[schemars(rename = "Action", tag = "type", content = "parameters", rename_all = "lowercase")]
#[expect(dead_code, reason = "only its schema is used")]
enum ActionWire {
    /// A prompt for an agent of the registry.
    Custom(CustomWire),
    /// A slash command for the runner.
    Agent(CommandWire),
    /// A commit or a push.
    Git(GitWire),
    /// An issue, a comment or a pull request, through the program `gh`.
    GitHub(GitHubWire),
    /// A call of a tool of an MCP server.
    Mcp(McpWire),
    /// A program with fixed arguments; no shell reads them.
    Command(ProgramCommandWire),
}

#[derive(JsonSchema)]
#[schemars(rename = "CustomAction", rename_all = "camelCase", deny_unknown_fields)]
#[expect(dead_code, reason = "only its schema is used")]
struct CustomWire {
    /// The agent, by its id in the registry.
    #[schemars(regex(pattern = "^(local|extension):[a-z0-9-]{1,50}$"))]
    agent_id: Option<String>,
    /// Where it runs.
    agent_type: Option<AgentTypeWire>,
    /// The agent by its name, as older files have it.
    #[schemars(length(max = 100))]
    agent_name: Option<String>,
    /// What it is asked to do.
    #[schemars(length(max = 100_000))]
    prompt: Option<String>,
    /// The MCP tools it may use.
    selected_tools: Option<Vec<SelectedToolWire>>,
    /// What it is told besides.
    #[schemars(length(max = 1000))]
    arguments: Option<String>,
}

#[derive(JsonSchema)]
#[schemars(rename = "AgentType", rename_all = "lowercase")]
#[expect(dead_code, reason = "only its schema is used")]
enum AgentTypeWire {
    Local,
    Background,
}

#[derive(JsonSchema)]
#[schemars(rename = "SelectedTool", rename_all = "camelCase", deny_unknown_fields)]
#[expect(dead_code, reason = "only its schema is used")]
struct SelectedToolWire {
    /// The server, by its name in the configuration.
    server_id: String,
    /// Kept by editors.
    server_name: Option<String>,
    /// The tool.
    tool_name: String,
    /// Kept by editors.
    tool_display_name: Option<String>,
}

#[derive(JsonSchema)]
#[schemars(rename = "AgentAction", rename_all = "camelCase", deny_unknown_fields)]
#[expect(dead_code, reason = "only its schema is used")]
struct CommandWire {
    /// The slash command.
    #[schemars(length(max = 200), regex(pattern = "^/"))]
    command: String,
}

#[derive(JsonSchema)]
#[schemars(rename = "GitAction", rename_all = "camelCase", deny_unknown_fields)]
#[expect(dead_code, reason = "only its schema is used")]
struct GitWire {
    /// Which of the two.
    operation: GitOperationWire,
    /// The message of a commit.
    #[schemars(length(max = 500))]
    message_template: Option<String>,
    /// Whether a commit is pushed at once.
    push_to_remote: Option<bool>,
}

#[derive(JsonSchema)]
#[schemars(rename = "GitOperation", rename_all = "lowercase")]
#[expect(dead_code, reason = "only its schema is used")]
enum GitOperationWire {
    Commit,
    Push,
}

#[derive(JsonSchema)]
#[schemars(rename = "GitHubAction", rename_all = "camelCase", deny_unknown_fields)]
#[expect(dead_code, reason = "only its schema is used")]
struct GitHubWire {
    /// What is done.
    operation: GitHubOperationWire,
    /// Which repository; without it, the workspace's own.
    #[schemars(regex(pattern = "^[A-Za-z0-9._][A-Za-z0-9._-]*/[A-Za-z0-9._][A-Za-z0-9._-]*$"))]
    repository: Option<String>,
    /// The title of an issue or a pull request.
    #[schemars(length(max = 200))]
    title_template: Option<String>,
    /// The body or the comment.
    #[schemars(length(max = 5000))]
    body_template: Option<String>,
    /// The labels of an issue or a pull request.
    labels: Option<Vec<String>>,
    /// Which issue is closed or commented on.
    #[schemars(range(min = 1))]
    issue_number: Option<u64>,
}

#[derive(JsonSchema)]
#[schemars(rename = "GitHubOperation", rename_all = "kebab-case")]
#[expect(dead_code, reason = "only its schema is used")]
enum GitHubOperationWire {
    OpenIssue,
    CloseIssue,
    CreatePr,
    AddComment,
}

#[derive(JsonSchema)]
#[schemars(rename = "McpAction", rename_all = "camelCase", deny_unknown_fields)]
#[expect(dead_code, reason = "only its schema is used")]
struct McpWire {
    /// The server, by its name in the configuration.
    server_id: String,
    /// The tool.
    tool_name: String,
    /// Its arguments.
    arguments: Option<BTreeMap<String, Value>>,
}

#[derive(JsonSchema)]
#[schemars(rename = "CommandAction", rename_all = "camelCase", deny_unknown_fields)]
#[expect(dead_code, reason = "only its schema is used")]
struct ProgramCommandWire {
    /// The program and its arguments; variables only in the arguments.
    #[schemars(length(min = 1))]
    command: Vec<String>,
    /// What it reads from standard input.
    #[schemars(length(max = 100_000))]
    input: Option<String>,
}
