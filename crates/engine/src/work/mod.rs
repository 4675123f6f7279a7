//! What the actions do, one file each.
//!
//! Every action goes through the same steps: it is seen whether what it needs is there
//! (VALIDATING), its templates are filled in (REPLACING), and it is done (EXECUTING).

mod command;
mod custom;
mod git;
mod github;
mod http;
mod mcp;
mod prompt;

use automation::{Action, State};

use crate::bench::Bench;
use crate::ending::Ending;

/// Tells which step begins.
pub(crate) type Enter<'a> = &'a dyn Fn(State);

/// Does what the automation says.
pub(crate) fn perform(bench: &Bench<'_>, enter: Enter<'_>) -> Result<Ending, Ending> {
    enter(State::Validating);
    match &bench.member.automation.action {
        Action::Prompt { prompt } => prompt::perform(bench, prompt, enter),
        Action::Agent { command } => prompt::perform(bench, command, enter),
        Action::Custom(custom) => custom::perform(bench, custom, enter),
        Action::Git(git) => git::perform(bench, git, enter),
        Action::GitHub(github) => github::perform(bench, github, enter),
        Action::Mcp(call) => mcp::perform(bench, call, enter),
        Action::Command { argv, input } => command::perform(bench, argv, input.as_ref(), enter),
    }
}
