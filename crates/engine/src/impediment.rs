//! Reasons why an enabled automation cannot run, known before anything triggers it.
//!
//! Such an automation is off. Every command that displays automations shows the code and the reason.

use std::ffi::OsStr;

use automation::{Action, Automation, RunnerChoice, Trigger};

use crate::action;
use crate::repository;
use crate::settings::Settings;

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
/// The code of an automation whose trigger is a commit that `serve` cannot detect.
pub const NO_COMMITS: &str = "NO_COMMITS";

/// Returns the impediment of an automation. Returns `None` if it can run.
pub fn of(automation: &Automation, settings: &Settings) -> Option<Impediment> {
    no_runner(automation, settings.default_runner.as_ref()).or_else(|| no_commits(automation))
}

/// Returns the impediment that only a look at the machine finds: a missing agent, or a program that is not
/// installed. Returns `None` if the automation can run.
///
/// WHY not part of [`of`]: it reads every agent's file.
pub fn on_this_machine(automation: &Automation, settings: &Settings) -> Option<Impediment> {
    if let Action::Custom(custom) = &automation.action
        && let Err((code, message)) = action::find_agent(settings, &custom.agent, &|| false)
    {
        let hint = "run `steersman agent list` for the agents of this project";
        return Some(Impediment { code, message, hint, is_invalid: false });
    }
    let program = needed_program(automation, settings)?;
    let root = settings.workspace.root().as_path();
    runner::find(OsStr::new(&program), &settings.environment, root).is_none().then(|| Impediment {
        code: "CLI_NOT_INSTALLED",
        message: format!("the program `{program}` is not installed"),
        hint: "install it, or name another runner or program",
        is_invalid: false,
    })
}

/// Returns the program that an automation starts, if its file names one.
fn needed_program(automation: &Automation, settings: &Settings) -> Option<String> {
    let runner = automation.runner.as_ref().or(settings.default_runner.as_ref());
    match &automation.action {
        Action::Git(_) => Some("git".to_owned()),
        Action::GitHub(_) => Some("gh".to_owned()),
        Action::Mcp(_) | Action::Command { .. } => None,
        Action::Prompt { .. } | Action::Agent { .. } | Action::Custom(_) => match runner? {
            RunnerChoice::Cli(runner) => Some(runner.cli.as_str().to_owned()),
            RunnerChoice::Command { argv } => argv.first().cloned(),
            RunnerChoice::Http { .. } => None,
        },
    }
}

/// Returns the impediment of a prompt without a runner.
fn no_runner(automation: &Automation, default: Option<&RunnerChoice>) -> Option<Impediment> {
    // An agent of the registry may bring its own program.
    let needs_one = automation.action.needs_runner() && automation.action.word() != "custom";
    (needs_one && automation.runner.is_none() && default.is_none()).then(|| Impediment {
        code: NO_RUNNER,
        message: "no runner is configured".to_owned(),
        hint: "set `runner` in the hook or `automation.runner` in .ai/hooks/config.json",
        is_invalid: false,
    })
}

/// Returns the impediment of a commit trigger whose repository does not exist or has no reflog.
fn no_commits(automation: &Automation) -> Option<Impediment> {
    let Trigger::Commit { repo_root } = &automation.trigger else { return None };
    let (message, hint, is_invalid) =
        match store::git_dir_around(repo_root.as_path()).filter(|_| repo_root.as_path().is_dir()) {
            None => (
                format!("{repo_root} is not a git repository"),
                "run `git init` there, or correct `repoRoot`",
                true,
            ),
            Some(_) if !repo_root.as_path().join(".git").exists() => (
                format!("{repo_root} is a folder in a git repository, not the repository"),
                "set `repoRoot` to the folder that contains `.git`",
                true,
            ),
            Some(git_dir) if repository::lacks_reflog(&git_dir) => (
                format!("the git repository {repo_root} has no reflog"),
                "run `git config core.logAllRefUpdates true` there",
                false,
            ),
            Some(_) => return None,
        };
    Some(Impediment {
        code: NO_COMMITS,
        message: format!("cannot detect commits: {message}"),
        hint,
        is_invalid,
    })
}
