//! The shape of the fields of `*.agent.md`; hosts have more, so any other key may stand there.

use schemars::JsonSchema;
use serde_json::Value;

/// An agent for VS Code, Copilot and the registry.
#[derive(JsonSchema)]
#[schemars(rename = "AgentMd", rename_all = "camelCase")]
#[expect(dead_code, reason = "only its schema is used")]
pub(super) struct AgentMdWire {
    /// Its id; the file's name when not set.
    #[schemars(length(max = 50), regex(pattern = "^[a-z0-9-]+$"))]
    id: Option<String>,
    /// Its short name; the file's name as a title when not set.
    #[schemars(length(max = 100))]
    name: Option<String>,
    /// Its full name.
    full_name: Option<String>,
    /// What it is for; the first paragraph when not set.
    #[schemars(length(max = 500))]
    description: Option<String>,
    /// Its icon.
    icon: Option<String>,
    /// What it can be asked to do; `help` is added.
    commands: Option<Vec<CommandWire>>,
    /// What it can draw on.
    resources: Option<ResourcesWire>,
    /// The only tools it may use.
    tools: Option<Value>,
    /// Tools it may not use.
    disallowed_tools: Option<Value>,
}

/// Something an agent can be asked to do.
#[derive(JsonSchema)]
#[schemars(rename = "Command", rename_all = "camelCase")]
#[expect(dead_code, reason = "only its schema is used")]
struct CommandWire {
    /// Its name.
    name: String,
    /// What it does.
    description: Option<String>,
    /// The tool behind it.
    tool: Option<String>,
    /// Its parameters.
    parameters: Option<Vec<Value>>,
}

/// What an agent can draw on.
#[derive(JsonSchema)]
#[schemars(rename = "Resources", rename_all = "camelCase")]
#[expect(dead_code, reason = "only its schema is used")]
struct ResourcesWire {
    /// Prompt templates.
    prompts: Option<Vec<String>>,
    /// Skills.
    skills: Option<Vec<String>>,
    /// Files with more instructions.
    instructions: Option<Vec<String>>,
}
