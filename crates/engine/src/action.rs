//! Executes the actions of automations, one file each.
//!
//! Every action has the same states: it finds the programs and settings it needs (VALIDATING),
//! fills in its templates (REPLACING), and does its work (EXECUTING).

mod command;
mod custom;
mod git;
mod github;
mod http;
mod mcp;
mod prompt;

use automation::{Action, State};

use crate::attempt::Attempt;
use crate::ending::Ending;
pub(crate) use custom::{KnownAgents, own_program};
pub use http::post_json;

/// Reports the state that the attempt enters.
pub(crate) type Enter<'a> = &'a dyn Fn(State);

/// Executes the automation's action.
pub(crate) fn perform(attempt: &Attempt<'_>, enter: Enter<'_>) -> Result<Ending, Ending> {
    enter(State::Validating);
    match &attempt.loaded.automation.action {
        Action::Prompt { prompt } => prompt::perform(attempt, prompt, enter),
        Action::Agent { command } => prompt::perform(attempt, command, enter),
        Action::Custom(custom) => custom::perform(attempt, custom, enter),
        Action::Git(git) => git::perform(attempt, git, enter),
        Action::GitHub(github) => github::perform(attempt, github, enter),
        Action::Mcp(call) => mcp::perform(attempt, call, enter),
        Action::Command { argv, input } => command::perform(attempt, argv, input.as_ref(), enter),
    }
}
