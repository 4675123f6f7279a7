//! One question to one program: what is asked, what it says, and how it ended.

use std::time::{Duration, Instant};

use agent::{Definition, ProviderName};
use redact::Redacted;
use runner::{End, Environment, Limits, Run, Source, StartError};

use crate::answer::{Answer, Tokens};
use crate::asking::{Question, ask};
use crate::conduct::Conduct;
use crate::listener::Listener;
use crate::memory::shortened;
use crate::news::News;
use crate::record::StepOutcome;
use crate::seat::Seat;

/// How one step went.
pub(crate) struct Asked {
    pub(crate) outcome: StepOutcome,
    pub(crate) text: String,
    pub(crate) tokens: Option<Tokens>,
    pub(crate) left_out: u64,
    pub(crate) took: Duration,
}

impl Conduct<'_> {
    /// Asks a program one question and waits for its end.
    #[expect(clippy::too_many_arguments, reason = "one question, spelled out once")]
    pub(crate) fn ask(
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
