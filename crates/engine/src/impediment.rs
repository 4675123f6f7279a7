//! Reasons why an enabled automation cannot run, known before anything triggers it.
//!
//! Such an automation is off. Every command that displays automations shows the code and the reason.

mod search;

use std::path::Path;

use automation::{Action, Automation, RunnerChoice, Trigger};

use crate::repository;
use crate::settings::Settings;

pub use search::ImpedimentSearch;

/// Why an enabled automation cannot run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Impediment {
    /// A constant for programs.
    pub code: &'static str,
    /// A sentence for people.
    pub message: String,
    /// How to remove the impediment.
    pub hint: &'static str,
    /// Whether a key has a value that it must not have, wherever the file is used.
    pub is_invalid: bool,
}

/// The code of an automation with a prompt but no runner.
pub const NO_RUNNER: &str = "NO_RUNNER";
/// The message about it, before its run and of its run.
pub(crate) const NO_RUNNER_MESSAGE: &str = "no runner is configured";
/// The hint for it.
pub(crate) const NO_RUNNER_HINT: &str =
    "set `runner` in the hook or `automation.runner` in .ai/hooks/config.json";
/// The code of an automation whose agent gets no prompt.
pub(crate) const NO_PROMPT: &str = "NO_PROMPT";
/// The message of a run whose prompt consists of variables without a value.
pub(crate) const EMPTY_PROMPT: &str = "the prompt is empty once its variables are replaced";
/// The code of an automation whose trigger is a commit that `serve` cannot detect.
pub const NO_COMMITS: &str = "NO_COMMITS";

/// Returns the impediment that the declaration shows. [`ImpedimentSearch`] also checks the machine. Returns `None` if
/// the automation can run.
pub fn of(automation: &Automation, settings: &Settings) -> Option<Impediment> {
    no_prompt(automation)
        .or_else(|| no_runner(automation, settings.default_runner.as_ref()))
        .or_else(|| no_commits(automation))
}

/// Returns the impediment of an agent without a task.
fn no_prompt(automation: &Automation) -> Option<Impediment> {
    let Action::Custom(custom) = &automation.action else { return None };
    (custom.prompt.is_none() && custom.arguments.is_none()).then(|| Impediment {
        code: NO_PROMPT,
        message: "its action has no prompt".to_owned(),
        hint: "add `prompt`, or `arguments`, with the task of the agent",
        is_invalid: true,
    })
}

/// Returns the impediment of a prompt without a runner.
fn no_runner(automation: &Automation, default: Option<&RunnerChoice>) -> Option<Impediment> {
    // An agent of the registry may bring its own program.
    let needs_one = automation.action.needs_runner() && !matches!(automation.action, Action::Custom(_));
    (needs_one && automation.runner.is_none() && default.is_none()).then(without_runner)
}

fn without_runner() -> Impediment {
    Impediment {
        code: NO_RUNNER,
        message: NO_RUNNER_MESSAGE.to_owned(),
        hint: NO_RUNNER_HINT,
        is_invalid: false,
    }
}

/// Why commits in a folder cannot be detected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CommitObstacle {
    /// The folder is in no repository, or does not exist.
    NoRepository,
    /// The folder is inside of a repository.
    InsideRepository,
    /// The repository keeps no reflog.
    NoReflog,
}

impl CommitObstacle {
    /// Returns the message about a folder.
    pub fn message(self, folder: &Path) -> String {
        let folder = folder.display();
        let why = match self {
            Self::NoRepository => format!("{folder} is not a git repository"),
            Self::InsideRepository => format!("{folder} is a folder in a git repository, not the repository"),
            Self::NoReflog => format!("the git repository {folder} has no reflog"),
        };
        format!("cannot detect commits: {why}")
    }

    /// Returns the way out.
    pub const fn hint(self) -> &'static str {
        match self {
            Self::NoRepository => "run `git init` there, or correct `repoRoot`",
            Self::InsideRepository => "set `repoRoot` to the folder that contains `.git`",
            Self::NoReflog => "run `git config core.logAllRefUpdates true` there",
        }
    }
}

/// Returns the impediment of a commit trigger whose repository does not exist or has no reflog.
fn no_commits(automation: &Automation) -> Option<Impediment> {
    let Trigger::Commit { repo_root } = &automation.trigger else { return None };
    let folder = repo_root.as_path();
    let obstacle = match store::git_dir_around(folder).filter(|_| folder.is_dir()) {
        None => CommitObstacle::NoRepository,
        Some(_) if !folder.join(".git").exists() => CommitObstacle::InsideRepository,
        Some(git_dir) if repository::lacks_reflog(&git_dir) => CommitObstacle::NoReflog,
        Some(_) => return None,
    };
    Some(Impediment {
        code: NO_COMMITS,
        message: obstacle.message(folder),
        hint: obstacle.hint(),
        is_invalid: obstacle != CommitObstacle::NoReflog,
    })
}
