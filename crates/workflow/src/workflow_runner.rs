//! Drives a workflow run: runs the agent, records the step, decides the next one.

use std::collections::BTreeMap;

use agent::workflow::{Outcome, Progress, Step, Workflow};
use agent::{Config, Constraints, Definition};
use redact::Filter;
use runner::{Cancel, Environment};
use store::Workspace;

use crate::agent_program::{AgentProgram, Permission, ProgramError, resolve_program};
use crate::first_agent::FirstAgent;
use crate::journal::{RunJournal, read};
use crate::prompt::step_prompt;
use crate::record::{NextWire, ProgressWire, RunRecord, RunResult, StepOutcome};
use crate::recorder::Recorder;
use crate::report::Report;
use crate::run_event::RunEvent;
use crate::run_id::RunId;
use crate::run_log::RunLog;
use crate::transcript::{Transcript, shortened};
use crate::workflow_error::WorkflowError;

/// The most bytes of one step's text in the journal.
const MOST_RECORDED: usize = 64 * 1024;

/// The parameters of a workflow run.
#[derive(Debug)]
pub struct WorkflowRunner<'a> {
    /// The workspace.
    pub workspace: &'a Workspace,
    /// The agents by name.
    pub agents: &'a BTreeMap<String, Definition>,
    /// The project's configuration.
    pub config: &'a Config,
    /// The limits of the run.
    pub constraints: Constraints,
    /// The environment variables of the agent programs.
    pub environment: &'a Environment,
    /// The variable that names the governing agent for our hook.
    pub agent_variable: &'a str,
    /// Whether the user trusts the workspace.
    pub permission: Permission,
    /// The handle that cancels the run.
    pub cancel: &'a Cancel,
    /// The project's log, written in addition to the journal.
    pub log: Option<&'a RunLog>,
}

impl WorkflowRunner<'_> {
    /// Starts a run and drives it to its end.
    pub fn begin(
        &self,
        id: &RunId,
        task: &str,
        first: &FirstAgent,
        on_event: &mut dyn FnMut(RunEvent<'_>),
    ) -> Result<Report, WorkflowError> {
        // Checked before anything is written: a run that cannot start leaves no journal.
        if let Some(definition) = self.agents.get(&first.agent) {
            self.program(Some(definition))?;
        }
        let journal = RunJournal::open(self.workspace, id)?;
        let held = journal.hold().ok_or_else(|| WorkflowError::Busy { id: id.clone() })?;
        let task = self.filter().redact(task).into_string();
        let timeout_ms = u64::try_from(self.constraints.timeout.as_millis()).unwrap_or(u64::MAX);
        let recorder = Recorder { held: &held, log: self.log, id };
        recorder.add(RunRecord::RunStarted {
            run_id: id.to_string(),
            task: task.clone(),
            first: first.agent.clone(),
            chosen_by: first.chosen_by.to_owned(),
            max_iterations: self.constraints.max_iterations,
            max_failures: self.constraints.max_failures,
            timeout_ms,
        })?;
        let mut progress = Progress::from(&first.agent);
        let step = self.workflow().first(&mut progress);
        self.drive(&recorder, &task, progress, step, Transcript::default(), on_event)
    }

    /// Resumes a run whose process ended before the run did.
    pub fn resume(
        &self,
        id: &RunId,
        on_event: &mut dyn FnMut(RunEvent<'_>),
    ) -> Result<Report, WorkflowError> {
        let not = |why| WorkflowError::NotResumable { id: id.clone(), why };
        let before = read(self.workspace, id.clone()).ok_or_else(|| not("it has no journal"))?;
        if before.is_newer {
            return Err(not("a newer build wrote its journal; update steersman"));
        }
        if !before.is_resumable() {
            return Err(not("it has already ended"));
        }
        let journal = RunJournal::open(self.workspace, id)?;
        let held = journal.hold().ok_or_else(|| WorkflowError::Busy { id: id.clone() })?;
        // Processes that survive the interrupted step would change the same files.
        let leftovers = runner::end_leftovers(id.as_str());
        let (progress, step, transcript) = self.resume_point(&before)?;
        let recorder = Recorder { held: &held, log: self.log, id };
        recorder.add(RunRecord::RunResumed { step: progress.n_iterations + 1, leftovers })?;
        self.drive(&recorder, &before.task, progress, step, transcript, on_event)
    }

    fn drive(
        &self,
        recorder: &Recorder<'_>,
        task: &str,
        mut progress: Progress,
        mut step: Step,
        mut transcript: Transcript,
        on_event: &mut dyn FnMut(RunEvent<'_>),
    ) -> Result<Report, WorkflowError> {
        let workflow = self.workflow();
        let filter = self.filter();
        let (result, reason) = loop {
            let (agent, because) = match &step {
                Step::Complete => break (RunResult::Complete, None),
                Step::Failed(failure) => break (RunResult::Failed, Some(failure.to_string())),
                Step::Run { agent, because } => (agent.clone(), because.clone()),
            };
            if self.cancel.is_cancelled() {
                break (RunResult::Interrupted, None);
            }
            let Some(definition) = self.agents.get(&agent) else {
                break (RunResult::Failed, Some(format!("agent `{agent}` does not exist")));
            };
            let program = match self.program(Some(definition)) {
                Ok(program) => program,
                Err(error) => {
                    recorder.end(RunResult::Interrupted, Some(error.to_string()))?;
                    return Err(error.into());
                }
            };
            let number = progress.n_iterations + 1;
            let timeout = workflow.allowance(&progress).timeout;
            recorder.add(RunRecord::StepStarted {
                step: number,
                agent: agent.clone(),
                because: because.clone(),
                provider: program.provider.as_str().to_owned(),
                model: program.model.clone(),
                timeout_ms: u64::try_from(timeout.as_millis()).unwrap_or(u64::MAX),
            })?;
            let most = self.constraints.max_iterations;
            on_event(RunEvent::StepStarted {
                step: number,
                most,
                agent: &agent,
                because: &because,
                provider: program.provider,
            });
            let prompt = filter.redact(&step_prompt(task, &transcript, &because));
            let role = &definition.system_prompt;
            let result = match self.ask(
                &program,
                Some(definition),
                role,
                &prompt,
                timeout,
                recorder.id.as_str(),
                on_event,
            ) {
                Ok(result) => result,
                Err(error) => {
                    recorder.end(RunResult::Interrupted, Some(error.to_string()))?;
                    return Err(error.into());
                }
            };
            if result.outcome == StepOutcome::Interrupted {
                on_event(RunEvent::StepEnded { outcome: result.outcome, note: "cancelled" });
                break (RunResult::Interrupted, None);
            }
            let outcome = match result.outcome {
                StepOutcome::Success => Outcome::Success { output: result.text.clone() },
                _ => Outcome::Failure { reason: result.text.clone() },
            };
            step = workflow.next(&mut progress, &outcome, result.took);
            transcript.add(&agent, number, result.outcome.as_str(), &result.text);
            recorder.add(RunRecord::StepEnded {
                step: number,
                agent,
                outcome: result.outcome,
                text: shortened(&result.text, MOST_RECORDED),
                ms: u64::try_from(result.took.as_millis()).unwrap_or(u64::MAX),
                tokens: result.tokens,
                left_out: result.left_out,
                progress: ProgressWire::of(&progress),
                next: NextWire::of(&step),
            })?;
            let note = match (&result.outcome, &step) {
                (StepOutcome::Failure, _) => shortened(&result.text, 400),
                (_, Step::Run { agent, because }) => format!("{because} → {agent}"),
                (_, Step::Complete) => "complete".to_owned(),
                (_, Step::Failed(failure)) => failure.to_string(),
            };
            on_event(RunEvent::StepEnded { outcome: result.outcome, note: &note });
        };
        recorder.end(result, reason.clone())?;
        let id = recorder.id.clone();
        let records = read(self.workspace, id.clone()).map(|it| it.records).unwrap_or_default();
        Ok(Report::of(id, &records, result, reason))
    }

    pub(crate) fn program(&self, definition: Option<&Definition>) -> Result<AgentProgram, ProgramError> {
        let folder = self.workspace.root().as_path();
        resolve_program(definition, self.config, self.environment, folder, self.permission)
    }

    /// Returns a filter that also redacts the values of secret environment variables.
    pub(crate) fn filter(&self) -> Filter {
        Filter::with_patterns(self.environment.secret_patterns()).unwrap_or_default()
    }

    pub(crate) fn workflow(&self) -> Workflow<'_> {
        Workflow { agents: self.agents, constraints: self.constraints }
    }
}
