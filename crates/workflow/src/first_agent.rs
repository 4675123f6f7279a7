//! Chooses the first agent: the one the user names, the project's default, or a model's choice.

use std::time::Duration;

use crate::arbiter::Arbiter;
use crate::record::StepOutcome;
use crate::run_event::RunEvent;
use crate::transcript::shortened;
use crate::workflow_error::WorkflowError;
use crate::workflow_runner::WorkflowRunner;

/// The timeout of a model's choice.
const ARBITER_TIME: Duration = Duration::from_mins(2);

/// The first agent, and the source of the choice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FirstAgent {
    /// The agent.
    pub agent: String,
    /// `--from`, `agents.default`, `arbiter` or `only one`.
    pub chosen_by: &'static str,
}

/// Whether the first agent is known without a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FirstAgentChoice {
    /// The user or the project has named the agent, or only one exists.
    Decided(FirstAgent),
    /// A model must choose.
    AskModel,
}

impl WorkflowRunner<'_> {
    /// Returns the first agent as far as it is known without a model.
    pub fn first(&self, from: Option<&str>) -> Result<FirstAgentChoice, WorkflowError> {
        let decided = |agent: &str, chosen_by| {
            if self.agents.contains_key(agent) {
                Ok(FirstAgentChoice::Decided(FirstAgent { agent: agent.to_owned(), chosen_by }))
            } else {
                Err(WorkflowError::UnknownAgent { agent: agent.to_owned() })
            }
        };
        if let Some(agent) = from {
            return decided(agent, "--from");
        }
        if let Some(agent) = &self.config.default_agent {
            return decided(agent, "agents.default");
        }
        let mut names = self.agents.keys();
        match (names.next(), names.next()) {
            (None, _) => Err(WorkflowError::NoAgents),
            (Some(only), None) => decided(only, "only one"),
            _ => Ok(FirstAgentChoice::AskModel),
        }
    }

    /// Lets a model choose the first agent.
    pub fn choose(
        &self,
        task: &str,
        on_event: &mut dyn FnMut(RunEvent<'_>),
    ) -> Result<FirstAgent, WorkflowError> {
        on_event(RunEvent::ChoosingFirstAgent);
        let arbiter = Arbiter { agents: self.agents };
        let program = self.program(None)?;
        let filter = self.filter();
        let prompt = filter.redact(&arbiter.prompt(task));
        let answer =
            self.ask(&program, None, Arbiter::ROLE, &prompt, ARBITER_TIME, "arbiter", &mut |_| {})?;
        match answer.outcome {
            StepOutcome::Interrupted => Err(WorkflowError::Cancelled),
            StepOutcome::Failure => Err(WorkflowError::ArbiterFailed { reason: answer.text }),
            StepOutcome::Success => match arbiter.read(&answer.text) {
                Some(agent) => Ok(FirstAgent { agent: agent.to_owned(), chosen_by: "arbiter" }),
                None => Err(WorkflowError::Undecided { answer: shortened(answer.text.trim(), 200) }),
            },
        }
    }
}
