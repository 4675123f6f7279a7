//! Template variables of the project: the git user and the current branch.

use std::fs;
use std::time::Duration;

use event::AbsPath;
use redact::Filter;
use runner::{Cancel, End, Invocation, Limits, Run};

use crate::settings::Settings;

/// The time limit of `git config`.
const GIT_TIMEOUT: Duration = Duration::from_secs(5);

/// Returns the current branch of the workspace.
pub fn branch_of(root: &AbsPath) -> Option<String> {
    let head = fs::read_to_string(store::git_dir_around(root.as_path())?.join("HEAD")).ok()?;
    head.trim().strip_prefix("ref: refs/heads/").map(str::to_owned)
}

/// Returns the user's name from git's configuration.
///
/// WHY through the program `git`: its configuration lies in several files that include others.
pub(crate) fn user(settings: &Settings, mark: &str, filter: &Filter, cancel: &Cancel) -> Option<String> {
    let folder = settings.workspace.root().as_path();
    let program = runner::find("git".as_ref(), &settings.environment, folder)?;
    let args = ["config", "--get", "user.name"].map(Into::into).to_vec();
    let invocation = Invocation { program, args, stdin: Vec::new() };
    let limits = Limits { timeout: GIT_TIMEOUT, grace: settings.grace, output: 1024 };
    let environment = &settings.environment;
    let run = Run { invocation: &invocation, folder, environment, mark, limits, filter, cancel, pipe: None };
    let outcome = runner::run(&run, &mut |_, _| {}).ok()?;
    let name = outcome.stdout.text.trim().to_owned();
    (outcome.end == End::Exited(0) && !name.is_empty()).then_some(name)
}
