//! The agents that the server found.

use serde::Serialize;

/// The agents of the workspace.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(title = "api-agents"))]
#[serde(rename_all = "camelCase")]
pub struct Agents {
    /// When this was computed.
    pub ts: u64,
    /// The agents, in the order of the registry.
    pub agents: Vec<AgentRow>,
    /// The latest runs of workflows, the latest first.
    pub runs: Vec<WorkflowRun>,
}

/// An agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct AgentRow {
    /// Its id.
    pub id: String,
    /// Its display name.
    pub name: String,
    /// Its purpose.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Its file, relative to the workspace if it is in there, or its extension.
    pub source: String,
    /// Whether it is available.
    pub available: bool,
    /// Why it is unavailable, in capitals.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unavailable_reason: Option<String>,
    /// The same as a sentence, with what to do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unavailable: Option<String>,
    /// The tools that it may use. Missing if steersman cannot know: an agent of an extension, a broken file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tools: Option<ToolPolicy>,
    /// Its model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
}

/// The tools that an agent may use.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ToolPolicy {
    /// The only tools that it may use; without a list, all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub allowed: Option<Vec<String>>,
    /// Tools that it may not use, even if they are allowed.
    pub blocked: Vec<String>,
    /// The only programs that it may run in a shell; empty: all.
    pub commands: Vec<String>,
    /// Patterns that no command line may match.
    pub blocked_commands: Vec<String>,
}

/// A run of `steersman agent run`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WorkflowRun {
    /// Its id.
    pub id: String,
    /// The task.
    pub task: String,
    /// When it started.
    pub started: u64,
    /// `complete`, `failed`, `interrupted`, or `open` while it runs or after its process was killed.
    pub result: String,
    /// Why it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The steps, in order.
    pub steps: Vec<WorkflowStep>,
}

/// A step of a workflow.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WorkflowStep {
    /// The agent.
    pub agent: String,
    /// Why it was chosen.
    pub because: String,
    /// `open`, `succeeded`, `failed` or `interrupted`.
    pub outcome: String,
    /// How long it took, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ms: Option<u64>,
}
