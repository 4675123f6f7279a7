//! Who begins: the agent that is named, the project's default, or the one a model chooses.

use std::time::Duration;

use crate::arbiter::Arbiter;
use crate::conduct::Conduct;
use crate::conduct_error::ConductError;
use crate::memory::shortened;
use crate::news::News;
use crate::record::StepOutcome;

/// How long the choice of the first agent may take.
const ARBITER_TIME: Duration = Duration::from_mins(2);

/// The agent that begins, and who chose it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct First {
    /// The agent.
    pub agent: String,
    /// `--from`, `agents.default`, `arbiter` or `only one`.
    pub chosen_by: &'static str,
}

/// What came of the choice of the first agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fate {
    /// Nobody has to be asked.
    Decided(First),
    /// A model has to be asked.
    Open,
}

impl Conduct<'_> {
    /// Says who begins, as far as that can be said without asking a model.
    pub fn first(&self, from: Option<&str>) -> Result<Fate, ConductError> {
        let decided = |agent: &str, chosen_by| {
            if self.agents.contains_key(agent) {
                Ok(Fate::Decided(First { agent: agent.to_owned(), chosen_by }))
            } else {
                Err(ConductError::UnknownAgent { agent: agent.to_owned() })
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
            (None, _) => Err(ConductError::NoAgents),
            (Some(only), None) => decided(only, "only one"),
            _ => Ok(Fate::Open),
        }
    }

    /// Asks a model who begins.
    pub fn choose(&self, task: &str, news: &mut dyn FnMut(News<'_>)) -> Result<First, ConductError> {
        news(News::Choosing);
        let arbiter = Arbiter { agents: self.agents };
        let seat = self.seat(None)?;
        let filter = self.filter();
        let prompt = filter.redact(&arbiter.prompt(task));
        let asked = self.ask(&seat, None, Arbiter::ROLE, &prompt, ARBITER_TIME, "arbiter", &mut |_| {})?;
        match asked.outcome {
            StepOutcome::Interrupted => Err(ConductError::Cancelled),
            StepOutcome::Failure => Err(ConductError::ArbiterFailed { reason: asked.text }),
            StepOutcome::Success => match arbiter.read(&asked.text) {
                Some(agent) => Ok(First { agent: agent.to_owned(), chosen_by: "arbiter" }),
                None => Err(ConductError::Undecided { answer: shortened(asked.text.trim(), 200) }),
            },
        }
    }
}
