//! Sends a prompt to the runner: an agent program, a command or an HTTP server.

use std::path::PathBuf;

use automation::{CliRunner, RunnerChoice, State, Template};
use host::AgentCli;
use redact::Redacted;
use runner::{Environment, Invocation, Request};

use super::{Enter, http};
use crate::attempt::Attempt;
use crate::confinement::Confined;
use crate::ending::Ending;
use crate::impediment::{EMPTY_PROMPT, NO_PROMPT, NO_RUNNER, NO_RUNNER_HINT, NO_RUNNER_MESSAGE};

/// A runner, with the path of its program.
pub(super) enum Found<'a> {
    Cli(CliRunner, PathBuf),
    Command(PathBuf, &'a [String]),
    Http(&'a RunnerChoice),
}

/// Sends the prompt to the automation's runner.
pub(super) fn perform(attempt: &Attempt<'_>, prompt: &Template, enter: Enter<'_>) -> Result<Ending, Ending> {
    let found = find(attempt, None)?;
    enter(State::Replacing);
    let prompt = attempt.fill(prompt);
    // A command may need no input; an agent program without a task does anything or nothing.
    if matches!(found, Found::Cli(..)) && prompt.as_str().trim().is_empty() {
        return Err(Ending::failure(NO_PROMPT, EMPTY_PROMPT));
    }
    enter(State::Executing);
    send(attempt, &found, &Request::new(&prompt), false)
}

/// Finds the runner: the given agent program, else the automation's, else the workspace's.
pub(super) fn find<'a>(attempt: &'a Attempt<'_>, cli: Option<AgentCli>) -> Result<Found<'a>, Ending> {
    if let Some(cli) = cli {
        return Ok(Found::Cli(cli.into(), attempt.find(cli.as_str())?));
    }
    let choice = attempt.loaded.automation.runner.as_ref().or(attempt.loaded.workspace.runner.as_ref());
    match choice {
        None => Err(Ending::failure(NO_RUNNER, format!("{NO_RUNNER_MESSAGE}; {NO_RUNNER_HINT}"))),
        Some(RunnerChoice::Cli(runner)) => Ok(Found::Cli(runner.clone(), attempt.find(runner.cli.as_str())?)),
        Some(RunnerChoice::Command { argv }) => {
            let (program, args) = argv
                .split_first()
                .ok_or_else(|| Ending::failure(NO_RUNNER, "the runner's command has no program"))?;
            Ok(Found::Command(attempt.find(program)?, args))
        }
        Some(choice @ RunnerChoice::Http { .. }) => Ok(Found::Http(choice)),
    }
}

/// Sends a request to a runner.
pub(super) fn send(
    attempt: &Attempt<'_>,
    found: &Found<'_>,
    request: &Request<'_>,
    reads_only: bool,
) -> Result<Ending, Ending> {
    send_in(attempt, found, request, &attempt.environment(), reads_only)
}

/// Sends a request to a runner that runs as an agent, so that hooks check its calls against the agent's tools.
pub(super) fn send_as(
    attempt: &Attempt<'_>,
    found: &Found<'_>,
    request: &Request<'_>,
    agent: &str,
    reads_only: bool,
) -> Result<Ending, Ending> {
    let mut environment = attempt.environment();
    if let Some(variable) = attempt.settings.agent_variable {
        environment.set(variable, agent);
    }
    send_in(attempt, found, request, &environment, reads_only)
}

fn send_in(
    attempt: &Attempt<'_>,
    found: &Found<'_>,
    request: &Request<'_>,
    environment: &Environment,
    reads_only: bool,
) -> Result<Ending, Ending> {
    let (invocation, confined) = match found {
        Found::Cli(runner, program) => {
            let request = Request {
                model: request.model.or(runner.model.as_deref()),
                permission_mode: runner.permission_mode.as_deref(),
                args: &runner.args,
                ..*request
            };
            let confined = Confined::Agent { cli: runner.cli, reads_only };
            (Invocation::of_agent(runner.cli, program.clone(), &request), confined)
        }
        Found::Command(program, args) => {
            let args: Result<Vec<String>, Ending> =
                args.iter().map(|it| attempt.with_variables(it)).collect();
            (Invocation::command(program.clone(), args?, &joined(attempt, request)), Confined::Command)
        }
        Found::Http(choice) => return http::post(attempt, choice, &joined(attempt, request)),
    };
    let printed = attempt.program_confined(invocation, environment, confined)?;
    Ok(Ending::Success { exit_code: Some(printed.exit_code), logs: printed.logs })
}

/// Returns the system prompt and the prompt as one text, for runners with a single input.
fn joined(attempt: &Attempt<'_>, request: &Request<'_>) -> Redacted {
    match request.system {
        Some(system) => attempt.redact(&format!("{system}\n\n{}", request.prompt)),
        None => request.prompt.clone(),
    }
}
