//! Selects the next agent.
//!
//! The order of evaluation: the project's constraints; then failure → `onFailure`, or success →
//! the first `custom` that applies, else `onSuccess`; then, before the agent so chosen runs, its
//! iteration limit → `onMaxIterations`.
//!
//! INVARIANT: every step adds to the number of iterations, which is bounded: every workflow ends.

use std::collections::BTreeMap;
use std::time::Duration;

use super::progress::{Outcome, Progress};
use crate::config::Constraints;
use crate::definition::{COMPLETE, Definition};

/// The agents and limits of a workflow.
#[derive(Debug, Clone, Copy)]
pub struct Workflow<'a> {
    /// The agents by name.
    pub agents: &'a BTreeMap<String, Definition>,
    /// The project's limits.
    pub constraints: Constraints,
}

/// The next step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// Run this agent.
    Run {
        /// Its name.
        agent: String,
        /// The transition that leads to it.
        because: String,
    },
    /// The workflow is complete.
    Complete,
    /// The workflow ended without reaching `complete`.
    Failed(Failure),
}

/// Why a workflow failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// The project's iteration limit is reached.
    #[error("the workflow has run {limit} iterations (constraints.maxIterations)")]
    MaxIterations {
        /// The limit.
        limit: u64,
    },
    /// The project's limit of consecutive failures is reached.
    #[error("{limit} failures in a row (constraints.maxFailures); the last: {reason}")]
    MaxFailures {
        /// The limit.
        limit: u64,
        /// The reason of the last failure.
        reason: String,
    },
    /// The project's time limit is reached.
    #[error("the workflow has run for {} ms (constraints.timeoutMs)", limit.as_millis())]
    Timeout {
        /// The limit.
        limit: Duration,
    },
    /// An agent's iteration limit is reached and has no transition.
    #[error(
        "agent `{agent}` has run {limit} iterations (limits.maxIterations) and has no `onMaxIterations` left"
    )]
    AgentMaxIterations {
        /// The agent.
        agent: String,
        /// Its limit.
        limit: u64,
    },
    /// The agent does not exist.
    #[error("unknown agent `{agent}`")]
    UnknownAgent {
        /// Its name.
        agent: String,
    },
}

/// The limits of the next run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Allowance {
    /// The agent's limit or the project's remaining time, whichever is less.
    pub timeout: Duration,
    /// The agent's limit of tokens.
    pub max_tokens: Option<u64>,
}

impl Workflow<'_> {
    /// Returns the first step.
    pub fn first(&self, progress: &mut Progress) -> Step {
        let agent = progress.agent.clone();
        self.exhausted(progress)
            .unwrap_or_else(|| self.enter(progress, &agent, "the workflow begins".to_owned()))
    }

    /// Processes the outcome of the current agent's run and returns the next step.
    ///
    /// `took` is the duration of the run.
    pub fn next(&self, progress: &mut Progress, outcome: &Outcome, took: Duration) -> Step {
        progress.n_iterations = progress.n_iterations.saturating_add(1);
        *progress.runs.entry(progress.agent.clone()).or_insert(0) += 1;
        progress.elapsed = progress.elapsed.saturating_add(took);
        let Some(definition) = self.agents.get(&progress.agent) else {
            return Step::Failed(Failure::UnknownAgent { agent: progress.agent.clone() });
        };
        let transitions = &definition.transitions;
        let (target, because) = match outcome {
            Outcome::Success { output } => {
                progress.failures_in_a_row = 0;
                match transitions.custom.iter().find(|it| it.condition.holds(output)) {
                    Some(custom) => (custom.target.as_str(), custom.condition.to_string()),
                    None => (transitions.on_success.as_str(), "onSuccess".to_owned()),
                }
            }
            Outcome::Failure { reason } => {
                progress.failures_in_a_row = progress.failures_in_a_row.saturating_add(1);
                if progress.failures_in_a_row >= self.constraints.max_failures {
                    let limit = self.constraints.max_failures;
                    return Step::Failed(Failure::MaxFailures { limit, reason: reason.clone() });
                }
                let itself = definition.name.as_str();
                (transitions.on_failure.as_deref().unwrap_or(itself), "onFailure".to_owned())
            }
        };
        // Reaching the end counts as complete, however long it took.
        if target == COMPLETE {
            return Step::Complete;
        }
        let target = target.to_owned();
        self.exhausted(progress).unwrap_or_else(|| self.enter(progress, &target, because))
    }

    /// Returns the limits of the current agent's next run.
    pub fn allowance(&self, progress: &Progress) -> Allowance {
        let left = self.constraints.timeout.saturating_sub(progress.elapsed);
        let limits = self.agents.get(&progress.agent).map(|it| it.limits).unwrap_or_default();
        Allowance { timeout: limits.timeout.map_or(left, |it| it.min(left)), max_tokens: limits.max_tokens }
    }

    fn exhausted(&self, progress: &Progress) -> Option<Step> {
        let Constraints { max_iterations, timeout, .. } = self.constraints;
        if progress.n_iterations >= max_iterations {
            return Some(Step::Failed(Failure::MaxIterations { limit: max_iterations }));
        }
        (progress.elapsed >= timeout).then_some(Step::Failed(Failure::Timeout { limit: timeout }))
    }

    /// Moves to an agent, and on from it while its iteration limit is reached.
    fn enter(&self, progress: &mut Progress, target: &str, because: String) -> Step {
        let (mut at, mut because) = (target, because);
        // An agent that was skipped once has no more runs left when it comes up again.
        for _ in 0..=self.agents.len() {
            if at == COMPLETE {
                return Step::Complete;
            }
            let Some(definition) = self.agents.get(at) else {
                return Step::Failed(Failure::UnknownAgent { agent: at.to_owned() });
            };
            let n_runs = progress.runs.get(at).copied().unwrap_or(0);
            let Some(limit) = definition.limits.max_iterations.filter(|limit| n_runs >= *limit) else {
                at.clone_into(&mut progress.agent);
                return Step::Run { agent: at.to_owned(), because };
            };
            match definition.transitions.on_max_iterations.as_deref() {
                Some(next) if next != at => (at, because) = (next, "onMaxIterations".to_owned()),
                _ => return Step::Failed(Failure::AgentMaxIterations { agent: at.to_owned(), limit }),
            }
        }
        let limit = self.agents.get(at).and_then(|it| it.limits.max_iterations).unwrap_or(0);
        Step::Failed(Failure::AgentMaxIterations { agent: at.to_owned(), limit })
    }
}
