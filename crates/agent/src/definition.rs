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
    /// (copilot)`. Of a list it is the first one that the program offers, else the first; `Auto` leaves the choice to
    /// the program.
    pub fn model_for(&self, program: ProviderName) -> Option<String> {
        if let Some(provider) = &self.provider {
            return provider.model.clone().filter(|_| provider.name == program);
        }
        let named: Vec<&str> =
            match self.metadata.get("model").filter(|_| self.origin.format == Format::AgentMd)? {
                Value::Array(models) => models.iter().filter_map(Value::as_str).collect(),
                model => vec![model.as_str()?],
            };
        let ids: Vec<String> = named.into_iter().map(|it| model_id(it, program)).collect();
        let offered = ids.iter().find(|id| is_offered(id, program)).or(ids.first())?;
        Some(offered.clone()).filter(|it| !it.is_empty() && !it.eq_ignore_ascii_case("auto"))
    }
}

/// Returns the name of a model in the spelling of a program.
fn model_id(named: &str, program: ProviderName) -> String {
    let named = named.trim();
    let plain = named.split(" (").next().unwrap_or_default().trim();
    let id = if named.contains(' ') { plain.to_lowercase().replace(' ', "-") } else { plain.to_owned() };
    // Claude Code writes the version with a hyphen.
    if program == ProviderName::Cli(AgentCli::Claude) { id.replace('.', "-") } else { id }
}

/// Returns whether a program runs models with such names. The models of a program change, their families rarely do.
fn is_offered(id: &str, program: ProviderName) -> bool {
    let families: &[&str] = match program {
        ProviderName::Cli(AgentCli::Claude) => &["claude", "opus", "sonnet", "haiku"],
        ProviderName::Cli(AgentCli::Codex) => &["gpt", "codex", "o3", "o4"],
        ProviderName::Cli(AgentCli::Gemini) => &["gemini"],
        ProviderName::Cli(AgentCli::Copilot) | ProviderName::Command => return true,
    };
    let id = id.to_lowercase();
    families.iter().any(|family| id.starts_with(family))
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
