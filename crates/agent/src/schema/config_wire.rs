//! The shape of `.rawko/config.yaml`.

use schemars::JsonSchema;

use super::agent_wire::ProviderNameWire;

/// The project's configuration of its agents; everything in it is optional.
#[derive(JsonSchema)]
#[schemars(rename = "AgentConfig", rename_all = "camelCase", deny_unknown_fields)]
#[expect(dead_code, reason = "only its schema is used")]
pub(super) struct ConfigWire {
    /// The format: 1.
    version: Option<u64>,
    /// Which programs run agents.
    provider: Option<ProvidersWire>,
    /// The agents.
    agents: Option<AgentsWire>,
    /// What no workflow goes beyond.
    constraints: Option<ConstraintsWire>,
    /// How a run is logged.
    logging: Option<LoggingWire>,
    /// What holds for the tools of every agent.
    tools: Option<ProjectToolsWire>,
}

/// Which programs run agents.
#[derive(JsonSchema)]
#[schemars(rename = "Providers", rename_all = "camelCase", deny_unknown_fields)]
#[expect(dead_code, reason = "only its schema is used")]
struct ProvidersWire {
    /// The one for agents that do not name their own.
    default: Option<ProviderNameWire>,
    /// What is set for Claude Code.
    claude: Option<SettingsWire>,
    /// What is set for Copilot CLI.
    copilot: Option<SettingsWire>,
    /// What is set for Codex CLI.
    codex: Option<SettingsWire>,
    /// What is set for Gemini CLI.
    gemini: Option<SettingsWire>,
    /// What is set for the user's command.
    command: Option<CommandSettingsWire>,
}

/// What is set for one program.
#[derive(JsonSchema)]
#[schemars(rename = "ProviderSettings", rename_all = "camelCase", deny_unknown_fields)]
#[expect(dead_code, reason = "only its schema is used")]
struct SettingsWire {
    /// The model.
    model: Option<String>,
    /// How many tokens an answer may have.
    #[schemars(range(min = 1))]
    max_tokens: Option<u64>,
}

/// What is set for the user's command.
#[derive(JsonSchema)]
#[schemars(rename = "CommandSettings", rename_all = "camelCase", deny_unknown_fields)]
#[expect(dead_code, reason = "only its schema is used")]
struct CommandSettingsWire {
    /// The model.
    model: Option<String>,
    /// How many tokens an answer may have.
    #[schemars(range(min = 1))]
    max_tokens: Option<u64>,
    /// The program and its arguments, each a text of its own; no shell reads them.
    argv: Option<Vec<String>>,
}

/// The agents.
#[derive(JsonSchema)]
#[schemars(rename = "Agents", rename_all = "camelCase", deny_unknown_fields)]
#[expect(dead_code, reason = "only its schema is used")]
struct AgentsWire {
    /// The one that comes first, where nobody says otherwise.
    default: Option<String>,
    /// Their folder, relative to `.rawko/`; `agents` when not set.
    directory: Option<String>,
}

/// What no workflow goes beyond.
#[derive(JsonSchema)]
#[schemars(rename = "Constraints", rename_all = "camelCase", deny_unknown_fields)]
#[expect(dead_code, reason = "only its schema is used")]
struct ConstraintsWire {
    /// Runs of agents in all; 50 when not set.
    #[schemars(range(min = 1))]
    max_iterations: Option<u64>,
    /// Failures in a row; 3 when not set.
    #[schemars(range(min = 1))]
    max_failures: Option<u64>,
    /// Time in all, in milliseconds; 600000 when not set.
    #[schemars(range(min = 1))]
    timeout_ms: Option<u64>,
}

/// How a run is logged.
#[derive(JsonSchema)]
#[schemars(rename = "Logging", rename_all = "camelCase", deny_unknown_fields)]
#[expect(dead_code, reason = "only its schema is used")]
struct LoggingWire {
    /// How much.
    level: Option<LevelWire>,
    /// How.
    format: Option<LogFormatWire>,
    /// Where to, relative to the workspace; without it `.ai/tmp/agents.log`.
    file: Option<String>,
}

/// How much is logged.
#[derive(JsonSchema)]
#[schemars(rename = "Level", rename_all = "lowercase")]
#[expect(dead_code, reason = "only its schema is used")]
enum LevelWire {
    /// Everything.
    Debug,
    /// What happens.
    Info,
    /// What is odd.
    Warn,
    /// What fails.
    Error,
}

/// How it is logged.
#[derive(JsonSchema)]
#[schemars(rename = "LogFormat", rename_all = "lowercase")]
#[expect(dead_code, reason = "only its schema is used")]
enum LogFormatWire {
    /// For people.
    Text,
    /// For programs.
    Json,
}

/// What holds for the tools of every agent.
#[derive(JsonSchema)]
#[schemars(rename = "ProjectTools", rename_all = "camelCase", deny_unknown_fields)]
#[expect(dead_code, reason = "only its schema is used")]
struct ProjectToolsWire {
    /// What holds in the shell.
    bash: Option<ProjectBashWire>,
    /// Tools of the project, which lists of tools may name.
    custom: Option<Vec<String>>,
}

/// What holds in the shell for every agent.
#[derive(JsonSchema)]
#[schemars(rename = "ProjectBash", rename_all = "camelCase", deny_unknown_fields)]
#[expect(dead_code, reason = "only its schema is used")]
struct ProjectBashWire {
    /// Regular expressions no command of any agent may match.
    global_blocked_patterns: Option<Vec<String>>,
}
