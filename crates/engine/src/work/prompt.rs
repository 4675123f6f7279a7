//! A prompt for whoever runs prompts: an agent program, a command or a server.

use std::path::PathBuf;

use automation::{CliRunner, RunnerChoice, State, Template};
use redact::Redacted;
use runner::{Invocation, Provider, Request};

use super::{Enter, http};
use crate::bench::Bench;
use crate::ending::Ending;

/// A runner that was found.
pub(super) enum Found<'a> {
    Cli(Provider, PathBuf),
    Command(PathBuf, &'a [String]),
    Http(&'a RunnerChoice),
}

/// Gives the prompt to the automation's runner.
pub(super) fn perform(bench: &Bench<'_>, prompt: &Template, enter: Enter<'_>) -> Result<Ending, Ending> {
    let found = find(bench, None)?;
    enter(State::Replacing);
    let prompt = bench.fill(prompt);
    enter(State::Executing);
    give(bench, &found, &Request::new(&prompt))
}

/// Finds the runner: the given agent program, else the automation's, else the workspace's.
pub(super) fn find<'a>(bench: &'a Bench<'_>, provider: Option<Provider>) -> Result<Found<'a>, Ending> {
    if let Some(provider) = provider {
        return Ok(Found::Cli(provider, bench.find(provider.name())?));
    }
    let choice = bench.member.automation.runner.as_ref().or(bench.member.workspace.runner.as_ref());
    match choice {
        None => Err(Ending::failure(
            "NO_RUNNER",
            "no runner is chosen; set `runner` in the hook or `automation.runner` in `.ai/hooks/config.json`",
        )),
        Some(RunnerChoice::Cli(cli)) => {
            let provider = provider_of(*cli);
            Ok(Found::Cli(provider, bench.find(provider.name())?))
        }
        Some(RunnerChoice::Command { argv }) => {
            let (program, args) = argv
                .split_first()
                .ok_or_else(|| Ending::failure("NO_RUNNER", "the runner's command has no program"))?;
            Ok(Found::Command(bench.find(program)?, args))
        }
        Some(choice @ RunnerChoice::Http { .. }) => Ok(Found::Http(choice)),
    }
}

/// Gives a request to a runner that was found.
pub(super) fn give(bench: &Bench<'_>, found: &Found<'_>, request: &Request<'_>) -> Result<Ending, Ending> {
    let invocation = match found {
        Found::Cli(provider, program) => provider.invocation(program.clone(), request),
        Found::Command(program, args) => {
            Invocation::command(program.clone(), args.iter(), &joined(bench, request))
        }
        Found::Http(choice) => return http::post(bench, choice, &joined(bench, request)),
    };
    let printed = bench.program(&invocation)?;
    Ok(Ending::Success { exit_code: Some(printed.exit_code), logs: printed.logs })
}

/// Returns what the agent is and the prompt as one text, for those who have one place for both.
fn joined(bench: &Bench<'_>, request: &Request<'_>) -> Redacted {
    match request.system {
        Some(system) => bench.redact(&format!("{system}\n\n{}", request.prompt)),
        None => request.prompt.clone(),
    }
}

const fn provider_of(cli: CliRunner) -> Provider {
    match cli {
        CliRunner::Claude => Provider::Claude,
        CliRunner::Copilot => Provider::Copilot,
        CliRunner::Codex => Provider::Codex,
        CliRunner::Gemini => Provider::Gemini,
    }
}
