//! What templates may say of the project besides what happened: who works on it, on which branch.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use redact::Filter;
use runner::{Cancel, End, Invocation, Limits, Run};

use crate::settings::Settings;

/// How long git may take to say a name.
const PATIENCE: Duration = Duration::from_secs(5);

/// Returns the branch that is checked out in the workspace.
pub(crate) fn branch(root: &Path) -> Option<String> {
    let dot_git = root.ancestors().map(|folder| folder.join(".git")).find(|it| it.exists())?;
    let head = fs::read_to_string(git_folder(&dot_git)?.join("HEAD")).ok()?;
    head.trim().strip_prefix("ref: refs/heads/").map(str::to_owned)
}

/// Returns the folder a `.git` is or points to.
fn git_folder(dot_git: &Path) -> Option<PathBuf> {
    if dot_git.is_dir() {
        return Some(dot_git.to_path_buf());
    }
    let text = fs::read_to_string(dot_git).ok()?;
    Some(dot_git.parent()?.join(text.trim().strip_prefix("gitdir:")?.trim()))
}

/// Returns the user's name from git's configuration.
///
/// WHY git is asked: its configuration lies in several files that include others.
pub(crate) fn user(settings: &Settings, mark: &str, filter: &Filter, cancel: &Cancel) -> Option<String> {
    let folder = settings.workspace.root().as_path();
    let program = runner::find("git".as_ref(), &settings.environment, folder)?;
    let args = ["config", "--get", "user.name"].map(Into::into).to_vec();
    let invocation = Invocation { program, args, stdin: Vec::new() };
    let limits = Limits { timeout: PATIENCE, grace: settings.grace, output: 1024 };
    let environment = &settings.environment;
    let run = Run { invocation: &invocation, folder, environment, mark, limits, filter, cancel };
    let outcome = runner::run(&run, &mut |_, _| {}).ok()?;
    let name = outcome.stdout.text.trim().to_owned();
    (outcome.end == End::Exited(0) && !name.is_empty()).then_some(name)
}
