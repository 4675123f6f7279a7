//! Restores the state of a run from its journal.

use agent::workflow::{Progress, Step};

use crate::journal::RunSummary;
use crate::record::{NextWire, RunRecord, StepOutcome};
use crate::transcript::Transcript;
use crate::workflow_error::WorkflowError;
use crate::workflow_runner::WorkflowRunner;

impl WorkflowRunner<'_> {
    /// Returns the progress, the next step and the transcript that a run's journal records.
    pub(crate) fn resume_point(
        &self,
        run: &RunSummary,
    ) -> Result<(Progress, Step, Transcript), WorkflowError> {
        let mut transcript = Transcript::default();
        let mut n_ended = 0;
        for line in &run.records {
            if let RunRecord::StepEnded { agent, outcome, text, .. } = &line.record
                && *outcome != StepOutcome::Interrupted
            {
                n_ended += 1;
                transcript.add(agent, n_ended, outcome.as_str(), text);
            }
        }
        let first = run.records.iter().find_map(|it| match &it.record {
            RunRecord::RunStarted { first, .. } => Some(first.clone()),
            _ => None,
        });
        let (progress, step) = if let Some((progress, next)) = run.last_progress() {
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
            return Err(WorkflowError::UnknownAgent { agent: agent.clone() });
        }
        Ok((progress, step, transcript))
    }
}
