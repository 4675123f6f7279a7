//! The shape of an agent of the project's own format.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde_json::Value;

/// An agent: a configured role.
#[derive(JsonSchema)]
#[schemars(rename = "Agent", rename_all = "camelCase", deny_unknown_fields)]
#[expect(dead_code, reason = "only its schema is used")]
pub(super) struct AgentWire {
    /// What other agents call it; `complete` is reserved.
    #[schemars(length(min = 1, max = 100), regex(pattern = "^[a-zA-Z][a-zA-Z0-9_-]*$"))]
    name: String,
    /// What people call it.
    display_name: Option<String>,
    /// What tells an arbiter when to choose it. In Markdown: the section `## When to Use`.
    when_to_use: Option<String>,
    /// What the model is told first. In Markdown: the section `## System Prompt`, or the whole text.
    #[schemars(length(min = 1))]
    system_prompt: String,
    /// Which tools it may use.
    tools: Option<ToolsWire>,
    /// Which agent comes after it.
    transitions: TransitionsWire,
    /// How long it may go on.
    limits: Option<LimitsWire>,
    /// Which program runs it, when the project's default does not.
    provider: Option<ProviderWire>,
    /// Anything else.
    metadata: Option<BTreeMap<String, Value>>,
}

/// Which tools an agent may use.
#[derive(JsonSchema)]
#[schemars(rename = "Tools", rename_all = "camelCase", deny_unknown_fields)]
#[expect(dead_code, reason = "only its schema is used")]
struct ToolsWire {
    /// The only tools it may use: `Read`, `Write`, `Edit`, `Glob`, `Grep`, `Bash`, `WebFetch`, `WebSearch`,
    /// a host's own name, `mcp__server__tool`, `server/*`.
    allowed: Option<Vec<String>>,
    /// Tools it may not use, even if they are allowed.
    blocked: Option<Vec<String>>,
    /// What it may run in a shell.
    bash_filter: Option<BashFilterWire>,
}

/// A filter over command lines.
#[derive(JsonSchema)]
#[schemars(rename = "BashFilter", rename_all = "camelCase", deny_unknown_fields)]
#[expect(dead_code, reason = "only its schema is used")]
struct BashFilterWire {
    /// The only programs that may run, by their names.
    allowed_commands: Option<Vec<String>>,
    /// Regular expressions that must not be found in a line or a command of it.
    blocked_patterns: Option<Vec<String>>,
}

/// Which agent comes after another.
#[derive(JsonSchema)]
#[schemars(rename = "Transitions", rename_all = "camelCase", deny_unknown_fields)]
#[expect(dead_code, reason = "only its schema is used")]
struct TransitionsWire {
    /// After success; `complete` ends the workflow.
    on_success: String,
    /// After failure; itself when not set.
    on_failure: Option<String>,
    /// When it may not run again; the workflow fails when not set.
    on_max_iterations: Option<String>,
    /// After success, by what it said; the first that applies.
    custom: Option<Vec<CustomWire>>,
}

/// A transition that depends on what an agent said.
#[derive(JsonSchema)]
#[schemars(rename = "CustomTransition", rename_all = "camelCase", deny_unknown_fields)]
#[expect(dead_code, reason = "only its schema is used")]
struct CustomWire {
    /// `output contains '…'`, `output matches '…'` or `output equals '…'`, joined by `and`, `or`, `not`
    /// and parentheses.
    condition: String,
    /// The agent that comes next, or `complete`.
    target: String,
}

/// How long an agent may go on.
#[derive(JsonSchema)]
#[schemars(rename = "Limits", rename_all = "camelCase", deny_unknown_fields)]
#[expect(dead_code, reason = "only its schema is used")]
struct LimitsWire {
    /// How often it may run within one workflow.
    #[schemars(range(min = 1))]
    max_iterations: Option<u64>,
    /// How long one run may take, in milliseconds.
    #[schemars(range(min = 1))]
    timeout: Option<u64>,
    /// How many tokens an answer may have.
    #[schemars(range(min = 1))]
    max_tokens: Option<u64>,
}

/// A choice of program and model.
#[derive(JsonSchema)]
#[schemars(rename = "Provider", rename_all = "camelCase", deny_unknown_fields)]
#[expect(dead_code, reason = "only its schema is used")]
struct ProviderWire {
    /// The program.
    name: ProviderNameWire,
    /// The model, in the program's spelling.
    model: Option<String>,
}

/// The programs that can run an agent.
#[derive(JsonSchema)]
#[schemars(rename = "ProviderName", rename_all = "lowercase")]
#[expect(dead_code, reason = "only its schema is used")]
pub(super) enum ProviderNameWire {
    /// Claude Code.
    Claude,
    /// GitHub Copilot CLI.
    Copilot,
    /// Codex CLI.
    Codex,
    /// Gemini CLI.
    Gemini,
    /// A command of the user's.
    Command,
}
