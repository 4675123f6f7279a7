//! The run itself: ask, record, decide, until it is over.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use agent::workflow::{Outcome, Progress, Step, Workflow};
use agent::{Config, Constraints, Definition, ProviderName};
use redact::{Filter, Redacted};
use runner::{Cancel, End, Environment, Limits, Run, Source, StartError};
use store::{Held, JournalError, Workspace};

use crate::answer::{Answer, Tokens};
use crate::arbiter::Arbiter;
use crate::asking::{Question, ask};
use crate::journal::{RunJournal, RunSummary, append, read};
use crate::listener::Listener;
use crate::memory::{Memory, shortened};
use crate::news::News;
use crate::prompt::step_prompt;
use crate::record::{NextWire, ProgressWire, RunRecord, RunResult, StepOutcome};
use crate::report::Report;
use crate::run_id::RunId;
use crate::seat::{Permission, Seat, SeatError, seat_for};

/// How much of one step's text is kept in the journal.
const MOST_RECORDED: usize = 64 * 1024;
/// How long the choice of the first agent may take.
const ARBITER_TIME: Duration = Duration::from_mins(2);

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
}

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

/// Why a run could not begin or go on.
#[derive(Debug, thiserror::Error)]
pub enum ConductError {
    /// There is no such agent.
    #[error(
        "there is no agent `{agent}`\nhint: `steersman agent list` shows which there are, `steersman agent validate` what is wrong with them"
    )]
    UnknownAgent {
        /// The name.
        agent: String,
    },
    /// There is no agent at all.
    #[error("there are no agents to run\nhint: `steersman init --agents` makes three to start with")]
    NoAgents,
    /// The arbiter's answer names no agent.
    #[error(
        "which agent begins could not be told from the answer `{answer}`\nhint: name one with `--from`, or set `agents.default` in .rawko/config.yaml"
    )]
    Undecided {
        /// What it said.
        answer: String,
    },
    /// The arbiter could not be asked.
    #[error(
        "the model could not be asked which agent begins: {reason}\nhint: name one with `--from`, or set `agents.default` in .rawko/config.yaml"
    )]
    ArbiterFailed {
        /// Why.
        reason: String,
    },
    /// An agent has no program.
    #[error(transparent)]
    Seat(#[from] SeatError),
    /// A program could not be started.
    #[error(transparent)]
    Start(#[from] StartError),
    /// The run could not be recorded.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// Another process has the run.
    #[error("the run {id} is still going on in another process")]
    Busy {
        /// The run.
        id: RunId,
    },
    /// There is nothing to go on with.
    #[error("the run {id} cannot be resumed: {why}")]
    NotResumable {
        /// The run.
        id: RunId,
        /// Why.
        why: &'static str,
    },
    /// The run was called off before it began.
    #[error("called off")]
    Cancelled,
}

/// How one step went.
struct Asked {
    outcome: StepOutcome,
    text: String,
    tokens: Option<Tokens>,
    left_out: u64,
    took: Duration,
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

    /// Runs a workflow from its beginning to its end.
    pub fn begin(
        &self,
        id: RunId,
        task: &str,
        first: &First,
        news: &mut dyn FnMut(News<'_>),
    ) -> Result<Report, ConductError> {
        // Before anything is written: a run that cannot even begin leaves nothing behind.
        if let Some(definition) = self.agents.get(&first.agent) {
            self.seat(Some(definition))?;
        }
        let journal = RunJournal::open(self.workspace, &id)?;
        let held = journal.hold().ok_or_else(|| ConductError::Busy { id: id.clone() })?;
        let task = self.filter().redact(task).into_string();
        let timeout_ms = u64::try_from(self.constraints.timeout.as_millis()).unwrap_or(u64::MAX);
        append(
            &held,
            RunRecord::RunStarted {
                run_id: id.to_string(),
                task: task.clone(),
                first: first.agent.clone(),
                chosen_by: first.chosen_by.to_owned(),
                max_iterations: self.constraints.max_iterations,
                max_failures: self.constraints.max_failures,
                timeout_ms,
            },
        )?;
        let mut progress = Progress::from(&first.agent);
        let step = self.workflow().first(&mut progress);
        self.go_on(id, &held, &task, progress, step, Memory::default(), news)
    }

    /// Goes on with a run whose process ended before it did.
    pub fn resume(&self, id: RunId, news: &mut dyn FnMut(News<'_>)) -> Result<Report, ConductError> {
        let not = |why| ConductError::NotResumable { id: id.clone(), why };
        let before = read(self.workspace, id.clone()).ok_or_else(|| not("there is no journal of it"))?;
        if before.is_newer {
            return Err(not("a newer build wrote its journal; update steersman"));
        }
        if !before.is_resumable() {
            return Err(not("it has come to its end"));
        }
        let journal = RunJournal::open(self.workspace, &id)?;
        let held = journal.hold().ok_or_else(|| ConductError::Busy { id: id.clone() })?;
        // What the step that was cut short has left behind works on the same files.
        let leftovers = runner::end_leftovers(id.as_str());
        let (progress, step, memory) = self.stand(&before)?;
        append(&held, RunRecord::RunResumed { step: progress.n_iterations + 1, leftovers })?;
        self.go_on(id, &held, &before.task, progress, step, memory, news)
    }

    /// Returns where a run stands, as its journal says.
    fn stand(&self, run: &RunSummary) -> Result<(Progress, Step, Memory), ConductError> {
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

    #[expect(clippy::too_many_arguments, reason = "the state of a run, spelled out once")]
    fn go_on(
        &self,
        id: RunId,
        held: &Held<'_>,
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
                    end(held, RunResult::Interrupted, Some(error.to_string()))?;
                    return Err(error.into());
                }
            };
            let number = progress.n_iterations + 1;
            let timeout = workflow.allowance(&progress).timeout;
            append(
                held,
                RunRecord::StepStarted {
                    step: number,
                    agent: agent.clone(),
                    because: because.clone(),
                    provider: seat.provider.as_str().to_owned(),
                    model: seat.model.clone(),
                    timeout_ms: u64::try_from(timeout.as_millis()).unwrap_or(u64::MAX),
                },
            )?;
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
            let asked = match self.ask(&seat, Some(definition), role, &prompt, timeout, id.as_str(), news) {
                Ok(asked) => asked,
                Err(error) => {
                    end(held, RunResult::Interrupted, Some(error.to_string()))?;
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
            append(
                held,
                RunRecord::StepEnded {
                    step: number,
                    agent,
                    outcome: asked.outcome,
                    text: shortened(&asked.text, MOST_RECORDED),
                    ms: u64::try_from(asked.took.as_millis()).unwrap_or(u64::MAX),
                    tokens: asked.tokens,
                    left_out: asked.left_out,
                    progress: ProgressWire::of(&progress),
                    next: NextWire::of(&step),
                },
            )?;
            let note = match (&asked.outcome, &step) {
                (StepOutcome::Failure, _) => shortened(&asked.text, 400),
                (_, Step::Run { agent, because }) => format!("{because} → {agent}"),
                (_, Step::Complete) => "complete".to_owned(),
                (_, Step::Failed(failure)) => failure.to_string(),
            };
            news(News::StepEnds { outcome: asked.outcome, note: &note });
        };
        end(held, result, reason.clone())?;
        let records = read(self.workspace, id.clone()).map(|it| it.records).unwrap_or_default();
        Ok(Report::of(id, &records, result, reason))
    }

    /// Asks a program one question and waits for its end.
    #[expect(clippy::too_many_arguments, reason = "one question, spelled out once")]
    fn ask(
        &self,
        seat: &Seat,
        definition: Option<&Definition>,
        role: &str,
        prompt: &Redacted,
        timeout: Duration,
        mark: &str,
        news: &mut dyn FnMut(News<'_>),
    ) -> Result<Asked, StartError> {
        let filter = self.filter();
        let question = Question {
            role: &filter.redact(role),
            prompt,
            model: seat.model.as_deref(),
            agent: definition,
            permission: self.permission,
        };
        let invocation = ask(seat.provider, seat.program.clone(), &seat.words, &question);
        let environment = self.environment_of(seat, definition);
        let mut listener = Listener::new(seat.provider);
        let began = Instant::now();
        let outcome = runner::run(
            &Run {
                invocation: &invocation,
                folder: self.workspace.root().as_path(),
                environment: &environment,
                mark,
                limits: Limits::with_timeout(timeout),
                filter: &filter,
                cancel: self.cancel,
            },
            &mut |source, bytes| {
                if source == Source::Stdout {
                    let shown = listener.hear(bytes);
                    if !shown.is_empty() {
                        news(News::Said(&shown));
                    }
                }
            },
        )?;
        let took = began.elapsed();
        let answer = listener.finish(&outcome.stdout.text);
        if let Some(tokens) = answer.tokens {
            news(News::Used(tokens));
        }
        let left_out = outcome.stdout.n_left_out + outcome.stderr.n_left_out;
        let (step, text) = judge(outcome.end, &answer, &outcome.stderr.text, timeout);
        Ok(Asked { outcome: step, text, tokens: answer.tokens, left_out, took })
    }

    fn environment_of(&self, seat: &Seat, definition: Option<&Definition>) -> Environment {
        let mut environment = self.environment.clone();
        if let Some(definition) = definition {
            environment.set(self.agent_variable, definition.name.as_str());
        }
        if let (ProviderName::Claude, Some(tokens)) = (seat.provider, seat.max_tokens) {
            environment.set("CLAUDE_CODE_MAX_OUTPUT_TOKENS", tokens.to_string());
        }
        environment
    }

    fn seat(&self, definition: Option<&Definition>) -> Result<Seat, SeatError> {
        let folder = self.workspace.root().as_path();
        seat_for(definition, self.config, self.environment, folder, self.permission)
    }

    /// Secrets of the environment are known by their values too.
    fn filter(&self) -> Filter {
        Filter::with_patterns(self.environment.secret_patterns()).unwrap_or_default()
    }

    fn workflow(&self) -> Workflow<'_> {
        Workflow { agents: self.agents, constraints: self.constraints }
    }
}

fn end(held: &Held<'_>, result: RunResult, reason: Option<String>) -> Result<(), JournalError> {
    append(held, RunRecord::RunEnded { result, reason })
}

/// Says what came of a program's end.
fn judge(end: End, answer: &Answer, stderr: &str, timeout: Duration) -> (StepOutcome, String) {
    let last = stderr.lines().rev().map(str::trim).find(|it| !it.is_empty());
    let because = last.map(|it| format!(": {}", shortened(it, 1000))).unwrap_or_default();
    match end {
        End::Cancelled => (StepOutcome::Interrupted, String::new()),
        End::TimedOut => {
            (StepOutcome::Failure, format!("no answer within {} ms; it was stopped", timeout.as_millis()))
        }
        End::Signaled(signal) => (StepOutcome::Failure, format!("signal {signal} ended it{because}")),
        End::Exited(0) => match &answer.failure {
            Some(failure) => (StepOutcome::Failure, failure.clone()),
            None => (StepOutcome::Success, answer.text.clone()),
        },
        End::Exited(code) => {
            let why = answer.failure.as_ref().map_or(because, |it| format!(": {it}"));
            (StepOutcome::Failure, format!("exit code {code}{why}"))
        }
    }
}
