//! Which agent comes after another.

use crate::workflow::Condition;

/// The target that ends a workflow; never the name of an agent.
pub const COMPLETE: &str = "complete";

/// The agents that come after one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transitions {
    /// After success, when no custom transition applies.
    pub on_success: String,
    /// After failure; itself when not set.
    pub on_failure: Option<String>,
    /// When it may not run again; not set, the workflow fails.
    pub on_max_iterations: Option<String>,
    /// After success, by what it said; the first that applies.
    pub custom: Vec<CustomTransition>,
}

/// A transition that depends on what an agent said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CustomTransition {
    /// When it applies.
    pub condition: Condition,
    /// The agent that comes next.
    pub target: String,
}

impl Default for Transitions {
    /// Returns those of an agent that knows no workflow: one success and all is done.
    fn default() -> Self {
        Self {
            on_success: COMPLETE.to_owned(),
            on_failure: None,
            on_max_iterations: None,
            custom: Vec::new(),
        }
    }
}

impl Transitions {
    /// Returns every target with the name of its field, in the order of evaluation.
    pub fn targets(&self) -> impl Iterator<Item = (String, &str)> {
        let limit = self.on_max_iterations.iter().map(|it| ("onMaxIterations".to_owned(), it.as_str()));
        let failure = self.on_failure.iter().map(|it| ("onFailure".to_owned(), it.as_str()));
        let custom = self.custom.iter().map(|it| (it.condition.to_string(), it.target.as_str()));
        let success = std::iter::once(("onSuccess".to_owned(), self.on_success.as_str()));
        limit.chain(failure).chain(custom).chain(success)
    }
}
