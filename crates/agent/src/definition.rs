//! An agent as its file defines it, in any format.

mod origin;
mod profile;
mod provider;
mod tools;
mod transitions;

use std::time::Duration;

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
