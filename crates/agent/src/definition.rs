//! An agent as its file defines it, in any format.

mod origin;
mod profile;
mod provider;
mod tools;
mod transitions;

use std::time::Duration;

use host::AgentCli;
use serde_json::{Map, Value};

pub use origin::{Format, Origin};
pub use profile::{Command, Profile, Resources};
pub use provider::{Provider, ProviderName};
pub use tools::{BashFilter, Strictness, Tools};
pub use transitions::{COMPLETE, CustomTransition, Transitions};

/// An agent: a configured role.
#[derive(Debug, Clone, PartialEq)]
pub struct Definition {
    /// The name that other agents and hosts use.
    pub name: String,
    /// The name that users see.
    pub display_name: Option<String>,
    /// The text that tells an arbiter when to choose it.
    pub when_to_use: Option<String>,
    /// The system prompt.
    pub system_prompt: String,
    /// The tools it may use.
    pub tools: Tools,
    /// Its successors in a workflow.
    pub transitions: Transitions,
    /// Its limits.
    pub limits: RunLimits,
    /// The program that runs it, if not the project's default.
    pub provider: Option<Provider>,
    /// The other fields of its file.
    pub metadata: Map<String, Value>,
    /// Its presentation in the registry.
    pub profile: Profile,
    /// Its file.
    pub origin: Origin,
}

impl Definition {
    /// Returns the model that its file names, in the spelling of a program. Returns `None` if it names none, or one of
    /// another program.
    ///
    /// A file below `.github/agents` names no program, and often a model as VS Code displays it: `Claude Sonnet 4.5
    /// (copilot)`. A list names the preferred model first.
    pub fn model_for(&self, program: ProviderName) -> Option<String> {
        if let Some(provider) = &self.provider {
            return provider.model.clone().filter(|_| provider.name == program);
        }
        let named = match self.metadata.get("model").filter(|_| self.origin.format == Format::AgentMd)? {
            Value::Array(models) => models.first()?.as_str()?,
            model => model.as_str()?,
        };
        let named = named.trim();
        let plain = named.split(" (").next().unwrap_or_default().trim();
        let id = if named.contains(' ') { plain.to_lowercase().replace(' ', "-") } else { plain.to_owned() };
        // Claude Code writes the version with a hyphen.
        let is_claude = program == ProviderName::Cli(AgentCli::Claude);
        let id = if is_claude { id.replace('.', "-") } else { id };
        Some(id).filter(|it| !it.is_empty())
    }
}

/// The limits of one agent; without them only the project's limits apply.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RunLimits {
    /// The maximum number of runs within one workflow.
    pub max_iterations: Option<u64>,
    /// The maximum duration of one run.
    pub timeout: Option<Duration>,
    /// The maximum number of tokens in an answer.
    pub max_tokens: Option<u64>,
}
