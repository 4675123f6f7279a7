//! Where a run stands, as its journal says, so that it goes on there.

use agent::workflow::{Progress, Step};

use crate::conduct::Conduct;
use crate::conduct_error::ConductError;
use crate::journal::RunSummary;
use crate::memory::Memory;
use crate::record::{NextWire, RunRecord, StepOutcome};

impl Conduct<'_> {
    /// Returns where a run stands, as its journal says.
    pub(crate) fn stand(&self, run: &RunSummary) -> Result<(Progress, Step, Memory), ConductError> {
        let mut memory = Memory::default();
        let mut n_ended = 0;
        for line in &run.records {
            if let RunRecord::StepEnded { agent, outcome, text, .. } = &line.record
                && *outcome != StepOutcome::Interrupted
            {
                n_ended += 1;
                memory.add(agent, n_ended, outcome.as_str(), text);
            }
        }
        let first = run.records.iter().find_map(|it| match &it.record {
            RunRecord::RunStarted { first, .. } => Some(first.clone()),
            _ => None,
        });
        let (progress, step) = if let Some((progress, next)) = run.stands_at() {
            let progress = progress.progress();
            let step = match next {
                NextWire::Run { agent, because } => {
                    Step::Run { agent: agent.clone(), because: because.clone() }
                }
                NextWire::Complete => Step::Complete,
                NextWire::Failed { .. } => self.workflow().first(&mut progress.clone()),
            };
            (progress, step)
        } else {
            let mut progress = Progress::from(first.unwrap_or_default());
            let step = self.workflow().first(&mut progress);
            (progress, step)
        };
        if let Step::Run { agent, .. } = &step
            && !self.agents.contains_key(agent)
        {
            return Err(ConductError::UnknownAgent { agent: agent.clone() });
        }
        Ok((progress, step, memory))
    }
}
