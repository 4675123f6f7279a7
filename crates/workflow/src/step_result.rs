//! Runs an agent program for one request and determines how it ended.

use std::time::{Duration, Instant};

use agent::{Definition, ProviderName};
use host::AgentCli;
use redact::Redacted;
use runner::{End, Environment, Limits, Run, Source, StartError};

use crate::agent_program::AgentProgram;
use crate::answer::{Answer, Tokens};
use crate::output_parser::OutputParser;
use crate::program_request::{ProgramRequest, invocation};
use crate::record::StepOutcome;
use crate::run_event::RunEvent;
use crate::transcript::shortened;
use crate::workflow_runner::WorkflowRunner;

/// The result of one step.
pub(crate) struct StepResult {
    pub(crate) outcome: StepOutcome,
    pub(crate) text: String,
    pub(crate) tokens: Option<Tokens>,
    pub(crate) left_out: u64,
    pub(crate) took: Duration,
}

impl WorkflowRunner<'_> {
    /// Runs a program with one request and waits for its end.
    #[expect(clippy::too_many_arguments, reason = "one request, spelled out once")]
    pub(crate) fn ask(
        &self,
        program: &AgentProgram,
        definition: Option<&Definition>,
        role: &str,
        prompt: &Redacted,
        timeout: Duration,
        mark: &str,
        on_event: &mut dyn FnMut(RunEvent<'_>),
    ) -> Result<StepResult, StartError> {
        let filter = self.filter();
        let request = ProgramRequest {
            role: &filter.redact(role),
            prompt,
            model: program.model.as_deref(),
            agent: definition,
            permission: self.permission,
        };
        let invocation = invocation(program.provider, program.path.clone(), &program.args, &request);
        let environment = self.environment_of(program, definition);
        let mut parser = OutputParser::new(program.provider);
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
                pipe: None,
            },
            &mut |source, bytes| {
                if source == Source::Stdout {
                    let shown = parser.push(bytes);
                    if !shown.is_empty() {
                        on_event(RunEvent::Output(&shown));
                    }
                }
            },
        )?;
        let took = began.elapsed();
        let answer = parser.finish(&outcome.stdout.text);
        if let Some(tokens) = answer.tokens {
            on_event(RunEvent::TokensUsed(tokens));
        }
        let left_out = outcome.stdout.n_left_out + outcome.stderr.n_left_out;
        let (step, text) = judge(outcome.end, &answer, &outcome.stderr.text, timeout);
        Ok(StepResult { outcome: step, text, tokens: answer.tokens, left_out, took })
    }

    fn environment_of(&self, program: &AgentProgram, definition: Option<&Definition>) -> Environment {
        let mut environment = self.environment.clone();
        if let Some(definition) = definition {
            environment.set(self.agent_variable, definition.name.as_str());
        }
        if let (ProviderName::Cli(AgentCli::Claude), Some(tokens)) = (program.provider, program.max_tokens) {
            environment.set("CLAUDE_CODE_MAX_OUTPUT_TOKENS", tokens.to_string());
        }
        environment
    }
}

/// Returns the outcome of a step and its text: the answer or the failure.
fn judge(end: End, answer: &Answer, stderr: &str, timeout: Duration) -> (StepOutcome, String) {
    let last = stderr.lines().rev().map(str::trim).find(|it| !it.is_empty());
    let because = last.map(|it| format!(": {}", shortened(it, 1000))).unwrap_or_default();
    match end {
        End::Cancelled => (StepOutcome::Interrupted, String::new()),
        End::TimedOut => (
            StepOutcome::Failure,
            format!("no answer within {} ms; the program was stopped", timeout.as_millis()),
        ),
        End::Signaled(signal) => (StepOutcome::Failure, format!("ended by signal {signal}{because}")),
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
