//! What keeps an automation from running at all, known before anything sets it off.
//!
//! It is off then, with a code, and everybody who shows automations says so.

use automation::{Automation, RunnerChoice, Trigger};

use crate::repository;
use crate::settings::Settings;

/// Why an automation that is enabled is off all the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Impediment {
    /// A constant for programs.
    pub code: &'static str,
    /// A sentence for people.
    pub message: String,
    /// What to do about it.
    pub hint: &'static str,
}

/// Nobody is named for its prompt.
pub const NO_RUNNER: &str = "NO_RUNNER";
/// The commits it waits for cannot be heard of.
pub const NO_COMMITS: &str = "NO_COMMITS";

/// Returns what keeps an automation from running here.
pub fn of(automation: &Automation, settings: &Settings) -> Option<Impediment> {
    no_runner(automation, settings.default_runner.as_ref()).or_else(|| no_commits(automation))
}

/// A prompt that nobody is named for.
fn no_runner(automation: &Automation, default: Option<&RunnerChoice>) -> Option<Impediment> {
    // An agent of the registry may bring its own program.
    let needs_one = automation.action.needs_runner() && automation.action.word() != "custom";
    (needs_one && automation.runner.is_none() && default.is_none()).then(|| Impediment {
        code: NO_RUNNER,
        message: "no runner is chosen".to_owned(),
        hint: "set `runner` in the hook or `automation.runner` in .ai/hooks/config.json",
    })
}

/// Commits of a repository that is not there, or that git keeps no journal of, cannot be heard of.
fn no_commits(automation: &Automation) -> Option<Impediment> {
    let Trigger::Commit { repo_root } = &automation.trigger else { return None };
    match repository::git_dir_around(repo_root.as_path()) {
        None => Some(Impediment {
            code: NO_COMMITS,
            message: format!("there is no git repository in {repo_root}, so no commit can be heard of"),
            hint: "make one with `git init`, or mend `repoRoot`",
        }),
        Some(git_dir) if repository::is_untold(&git_dir) => Some(Impediment {
            code: NO_COMMITS,
            message: format!("git keeps no journal of HEAD in {repo_root}, so no commit can be heard of"),
            hint: "`git config core.logAllRefUpdates true` makes it keep one",
        }),
        Some(_) => None,
    }
}
