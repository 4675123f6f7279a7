//! The texts of denials for the model.

use std::path::Path;

use agent::policy::{Denial, Rules};
use agent::registry::config_path;
use config_file::Problem;

use super::candidates::{Candidate, NamedBy};
use crate::Action;

/// The most mistakes of a file that one denial lists.
const MOST_LISTED: usize = 3;

/// Words a denial by a rule.
pub(super) fn denied(denial: &Denial, rules: &Rules) -> String {
    let of = match &rules.agent {
        Some(agent) => format!(" of {}", agent.file),
        None => String::new(),
    };
    format!("{} (rule `{}`{of}). Instead: {}", denial.reason, denial.rule, denial.instead)
}

/// Words the denial for a definition with errors.
pub(super) fn broken(candidate: &Candidate<'_>, problems: &[Problem]) -> String {
    format!(
        "Cannot read the definition of the agent `{}`: {}. Every tool is denied until the file is fixed. Instead: ask \
         the user to run `steersman agent validate`, which shows the place.",
        candidate.name,
        listed(problems)
    )
}

/// Words the denial for an agent without a definition.
pub(super) fn undefined(candidate: &Candidate<'_>) -> String {
    let (source, hint) = match candidate.named_by {
        NamedBy::Config => (
            "`agents.active` in .ai/hooks/config.json names it",
            "to define it, or to remove it from `agents.active`",
        ),
        NamedBy::Run | NamedBy::Host => {
            ("`steersman agent run` started it", "to define it, or to run another one")
        }
    };
    format!(
        "The agent `{}` governs this session ({source}), but no file defines it, so its tools are unknown. \
         Every tool is denied until a file defines it. Instead: ask the user {hint}; `steersman agent list` lists \
         the agents.",
        candidate.name
    )
}

/// Handles an unreadable configuration: denies if it was to block commands, else warns.
pub(super) fn broken_config(workspace: &Path, problems: &[Problem]) -> Action {
    let blocks = std::fs::read(config_path(workspace))
        .map_or(true, |bytes| String::from_utf8_lossy(&bytes).contains("globalBlockedPatterns"));
    let problems = listed(problems);
    if !blocks {
        let warning = format!("cannot read the agents' configuration: {problems}");
        return Action { warnings: vec![warning], ..Action::default() };
    }
    Action::deny(format!(
        "Cannot read which commands `tools.bash.globalBlockedPatterns` blocks: {problems}. Every shell command is \
         denied until the file is fixed. Instead: ask the user to run `steersman agent validate`, which shows the place."
    ))
}

fn listed(problems: &[Problem]) -> String {
    let errors: Vec<&Problem> = problems.iter().filter(|it| it.is_error()).collect();
    let mut lines: Vec<String> = errors.iter().take(MOST_LISTED).map(|it| it.one_line()).collect();
    if errors.len() > MOST_LISTED {
        lines.push(format!("{} more", errors.len() - MOST_LISTED));
    }
    lines.join("; ")
}
