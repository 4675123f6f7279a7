//! The run itself: ask, record, decide, until it is over.

use std::collections::BTreeMap;

use agent::workflow::{Outcome, Progress, Step, Workflow};
use agent::{Config, Constraints, Definition};
use redact::Filter;
use runner::{Cancel, Environment};
use store::Workspace;

use crate::conduct_error::ConductError;
use crate::first::First;
use crate::journal::{RunJournal, read};
use crate::memory::{Memory, shortened};
use crate::news::News;
use crate::prompt::step_prompt;
use crate::record::{NextWire, ProgressWire, RunRecord, RunResult, StepOutcome};
use crate::recorder::Recorder;
use crate::report::Report;
use crate::run_id::RunId;
use crate::run_log::RunLog;
use crate::seat::{Permission, Seat, SeatError, seat_for};

/// How much of one step's text is kept in the journal.
const MOST_RECORDED: usize = 64 * 1024;

/// Everything a run stands on.
#[derive(Debug)]
pub struct Conduct<'a> {
    /// Where it happens.
    pub workspace: &'a Workspace,
    /// The agents by name.
    pub agents: &'a BTreeMap<String, Definition>,
    /// The project's configuration.
    pub config: &'a Config,
    /// What the run does not go beyond.
    pub constraints: Constraints,
    /// What programs see of the environment.
    pub environment: &'a Environment,
    /// The variable that tells our hook which agent governs.
    pub agent_variable: &'a str,
    /// Whether the person has vouched for the workspace.
    pub permission: Permission,
    /// How the run is called off.
    pub cancel: &'a Cancel,
    /// Where the run is logged, besides its journal.
    pub log: Option<&'a RunLog>,
}

impl Conduct<'_> {
    /// Runs a workflow from its beginning to its end.
    pub fn begin(
        &self,
        id: &RunId,
        task: &str,
        first: &First,
        news: &mut dyn FnMut(News<'_>),
    ) -> Result<Report, ConductError> {
        // Before anything is written: a run that cannot even begin leaves nothing behind.
        if let Some(definition) = self.agents.get(&first.agent) {
            self.seat(Some(definition))?;
        }
        let journal = RunJournal::open(self.workspace, id)?;
        let held = journal.hold().ok_or_else(|| ConductError::Busy { id: id.clone() })?;
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
        self.go_on(&recorder, &task, progress, step, Memory::default(), news)
    }

    /// Goes on with a run whose process ended before it did.
    pub fn resume(&self, id: &RunId, news: &mut dyn FnMut(News<'_>)) -> Result<Report, ConductError> {
        let not = |why| ConductError::NotResumable { id: id.clone(), why };
        let before = read(self.workspace, id.clone()).ok_or_else(|| not("there is no journal of it"))?;
        if before.is_newer {
            return Err(not("a newer build wrote its journal; update steersman"));
        }
        if !before.is_resumable() {
            return Err(not("it has come to its end"));
        }
        let journal = RunJournal::open(self.workspace, id)?;
        let held = journal.hold().ok_or_else(|| ConductError::Busy { id: id.clone() })?;
        // What the step that was cut short has left behind works on the same files.
        let leftovers = runner::end_leftovers(id.as_str());
        let (progress, step, memory) = self.stand(&before)?;
        let recorder = Recorder { held: &held, log: self.log, id };
        recorder.add(RunRecord::RunResumed { step: progress.n_iterations + 1, leftovers })?;
        self.go_on(&recorder, &before.task, progress, step, memory, news)
    }

    fn go_on(
        &self,
        recorder: &Recorder<'_>,
        task: &str,
        mut progress: Progress,
        mut step: Step,
        mut memory: Memory,
        news: &mut dyn FnMut(News<'_>),
    ) -> Result<Report, ConductError> {
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
                break (RunResult::Failed, Some(format!("there is no agent `{agent}`")));
            };
            let seat = match self.seat(Some(definition)) {
                Ok(seat) => seat,
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
                provider: seat.provider.as_str().to_owned(),
                model: seat.model.clone(),
                timeout_ms: u64::try_from(timeout.as_millis()).unwrap_or(u64::MAX),
            })?;
            let most = self.constraints.max_iterations;
            news(News::StepBegins {
                step: number,
                most,
                agent: &agent,
                because: &because,
                provider: seat.provider,
            });
            let prompt = filter.redact(&step_prompt(task, &memory, &because));
            let role = &definition.system_prompt;
            let asked =
                match self.ask(&seat, Some(definition), role, &prompt, timeout, recorder.id.as_str(), news) {
                    Ok(asked) => asked,
                    Err(error) => {
                        recorder.end(RunResult::Interrupted, Some(error.to_string()))?;
                        return Err(error.into());
                    }
                };
            if asked.outcome == StepOutcome::Interrupted {
                news(News::StepEnds { outcome: asked.outcome, note: "called off" });
                break (RunResult::Interrupted, None);
            }
            let outcome = match asked.outcome {
                StepOutcome::Success => Outcome::Success { output: asked.text.clone() },
                _ => Outcome::Failure { reason: asked.text.clone() },
            };
            step = workflow.next(&mut progress, &outcome, asked.took);
            memory.add(&agent, number, asked.outcome.as_str(), &asked.text);
            recorder.add(RunRecord::StepEnded {
                step: number,
                agent,
                outcome: asked.outcome,
                text: shortened(&asked.text, MOST_RECORDED),
                ms: u64::try_from(asked.took.as_millis()).unwrap_or(u64::MAX),
                tokens: asked.tokens,
                left_out: asked.left_out,
                progress: ProgressWire::of(&progress),
                next: NextWire::of(&step),
            })?;
            let note = match (&asked.outcome, &step) {
                (StepOutcome::Failure, _) => shortened(&asked.text, 400),
                (_, Step::Run { agent, because }) => format!("{because} → {agent}"),
                (_, Step::Complete) => "complete".to_owned(),
                (_, Step::Failed(failure)) => failure.to_string(),
            };
            news(News::StepEnds { outcome: asked.outcome, note: &note });
        };
        recorder.end(result, reason.clone())?;
        let id = recorder.id.clone();
        let records = read(self.workspace, id.clone()).map(|it| it.records).unwrap_or_default();
        Ok(Report::of(id, &records, result, reason))
    }

    pub(crate) fn seat(&self, definition: Option<&Definition>) -> Result<Seat, SeatError> {
        let folder = self.workspace.root().as_path();
        seat_for(definition, self.config, self.environment, folder, self.permission)
    }

    /// Secrets of the environment are known by their values too.
    pub(crate) fn filter(&self) -> Filter {
        Filter::with_patterns(self.environment.secret_patterns()).unwrap_or_default()
    }

    pub(crate) fn workflow(&self) -> Workflow<'_> {
        Workflow { agents: self.agents, constraints: self.constraints }
    }
}
