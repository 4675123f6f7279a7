//! The successors of an agent in a workflow.

use crate::workflow::Condition;

/// The target that ends a workflow; no agent may have this name.
pub const COMPLETE: &str = "complete";

/// The successors of an agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transitions {
    /// After success, if no custom transition applies.
    pub on_success: String,
    /// After failure; the agent itself if not set.
    pub on_failure: Option<String>,
    /// If its iteration limit is reached; the workflow fails if not set.
    pub on_max_iterations: Option<String>,
    /// After success, depending on its output; the first that applies.
    pub custom: Vec<CustomTransition>,
}

/// A transition that depends on an agent's output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CustomTransition {
    /// The condition under which it applies.
    pub condition: Condition,
    /// The next agent.
    pub target: String,
}

impl Default for Transitions {
    /// Returns the transitions of an agent outside of workflows: one success completes it.
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
