//! The shape of `.akira/hooks.json`, and what both files say about how an automation runs.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde_json::Value;

/// Automations in the words of the engine.
#[derive(JsonSchema)]
#[schemars(rename = "Automations", rename_all = "camelCase", deny_unknown_fields)]
#[expect(dead_code, reason = "only its schema is used")]
pub(super) struct AutomationsWire {
    /// Where editors find this schema.
    #[schemars(rename = "$schema")]
    schema: Option<String>,
    /// The format of the file; 1.
    #[schemars(range(min = 0, max = 1))]
    schema_version: Option<u64>,
    /// The same by its other name.
    #[schemars(range(min = 0, max = 1))]
    version: Option<u64>,
    /// The automations.
    #[schemars(length(max = 1000))]
    hooks: Vec<AutomationWire>,
}

/// One automation: when this happens, run that prompt.
#[derive(JsonSchema)]
#[schemars(rename = "Automation", rename_all = "camelCase", deny_unknown_fields)]
#[expect(dead_code, reason = "only its schema is used")]
struct AutomationWire {
    /// Unique over both files of automations.
    #[schemars(length(min = 1, max = 100))]
    id: String,
    /// What people call it.
    #[schemars(length(max = 100))]
    name: Option<String>,
    /// What sets it off: `onDidSaveTextDocument`, `onWillSaveTextDocument`, `gitCommit`, `specStatusChange`, one
    /// of the eight events of agent programs (`Stop`), an operation (`speckit.clarify`,
    /// `speckit.clarify:before`), or a name of your own that `steersman emit` is called with.
    #[schemars(length(min = 1, max = 100), regex(pattern = "^[A-Za-z0-9._:-]+$"))]
    trigger: String,
    /// For operations: before the agent begins, or after it stops.
    timing: Option<TimingWire>,
    /// Which files it is about, as a glob; without `/` it is about names of files anywhere.
    #[schemars(length(min = 1))]
    pattern: Option<String>,
    /// What the runner is asked, with variables such as `{filePath}`.
    #[schemars(length(min = 1, max = 100_000))]
    prompt: String,
    /// Whether it runs at all.
    #[schemars(extend("default" = true))]
    enabled: Option<bool>,
    /// Who runs the prompt; without it, `automation.runner` of `.ai/hooks/config.json`.
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
}

/// On which side of an operation.
#[derive(JsonSchema)]
#[schemars(rename = "Timing", rename_all = "lowercase")]
#[expect(dead_code, reason = "only its schema is used")]
pub(super) enum TimingWire {
    Before,
    After,
}

/// Who runs a prompt.
#[derive(JsonSchema)]
#[schemars(rename = "Runner", untagged)]
#[expect(dead_code, reason = "only its schema is used")]
pub(super) enum RunnerWire {
    /// An agent program.
    Named(ProgramWire),
    /// A runner with settings.
    Settings(RunnerSettingsWire),
}

/// An agent program that can be run without a screen.
#[derive(JsonSchema)]
#[schemars(rename = "Program", rename_all = "lowercase")]
#[expect(dead_code, reason = "only its schema is used")]
pub(super) enum ProgramWire {
    Claude,
    Copilot,
    Codex,
    Gemini,
}

/// A runner with settings.
#[derive(JsonSchema)]
#[schemars(rename = "RunnerSettings", tag = "type", rename_all = "lowercase", deny_unknown_fields)]
#[expect(dead_code, reason = "only its schema is used")]
pub(super) enum RunnerSettingsWire {
    Claude {},
    Copilot {},
    Codex {},
    Gemini {},
    /// A fixed command; the prompt is its standard input, and no shell reads it.
    Command {
        /// The program and its arguments.
        #[schemars(length(min = 1))]
        command: Vec<String>,
    },
    /// A request to a server; the prompt is in its JSON body.
    Http {
        /// Where it goes.
        #[schemars(regex(pattern = "^https?://[^/]"))]
        url: String,
        /// What goes with it.
        headers: Option<BTreeMap<String, String>>,
    },
}

/// How often a failed run is tried again.
#[derive(JsonSchema)]
#[schemars(rename = "Retry", rename_all = "camelCase", deny_unknown_fields)]
#[expect(dead_code, reason = "only its schema is used")]
pub(super) struct RetryWire {
    /// How many tries there are after the first.
    #[schemars(range(min = 0, max = 100), extend("default" = 0))]
    count: Option<u64>,
    /// The pause before the first of them, in milliseconds.
    #[schemars(range(min = 0, max = 3_600_000), extend("default" = 1000))]
    backoff_ms: Option<u64>,
    /// By how much each pause is longer than the one before.
    #[schemars(range(min = 1), extend("default" = 2))]
    backoff_factor: Option<f64>,
}

/// At most so many runs within a time.
#[derive(JsonSchema)]
#[schemars(rename = "Rate", rename_all = "camelCase", deny_unknown_fields)]
#[expect(dead_code, reason = "only its schema is used")]
pub(super) struct RateWire {
    /// How many.
    #[schemars(range(min = 1))]
    runs: u64,
    /// Within how many milliseconds.
    #[schemars(range(min = 1, max = 86_400_000))]
    per_ms: u64,
}
