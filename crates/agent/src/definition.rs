//! An agent as its file defines it, whatever the format of the file.

mod bash_filter;
mod limits;
mod origin;
mod profile;
mod provider;
mod tools;
mod transitions;

use serde_json::{Map, Value};

pub use bash_filter::BashFilter;
pub use limits::RunLimits;
pub use origin::{Format, Origin};
pub use profile::{Command, Profile, Resources};
pub use provider::{Provider, ProviderName};
pub use tools::{Strictness, Tools};
pub use transitions::{COMPLETE, CustomTransition, Transitions};

/// An agent: a configured role.
#[derive(Debug, Clone, PartialEq)]
pub struct Definition {
    /// What other agents and hosts call it.
    pub name: String,
    /// What people call it.
    pub display_name: Option<String>,
    /// What tells an arbiter when to choose it.
    pub when_to_use: Option<String>,
    /// What the model is told first.
    pub system_prompt: String,
    /// Which tools it may use.
    pub tools: Tools,
    /// Which agent comes after it.
    pub transitions: Transitions,
    /// How long it may go on.
    pub limits: RunLimits,
    /// Which program runs it, when the project's default does not.
    pub provider: Option<Provider>,
    /// Whatever else its file says.
    pub metadata: Map<String, Value>,
    /// What the registry shows of it.
    pub profile: Profile,
    /// Where it comes from.
    pub origin: Origin,
}
