//! What the model is told when a call may not be made.

use std::path::Path;

use agent::policy::{Denial, Rules};
use agent::registry::config_path;
use config_file::Problem;

use super::candidates::{Candidate, SaidBy};
use crate::Action;

/// How many mistakes of a file are told; the rest comes up when these are mended.
const MOST_TOLD: usize = 3;

/// A rule is against the call.
pub(super) fn denied(denial: &Denial, rules: &Rules) -> String {
    let of = match &rules.agent {
        Some(agent) => format!(" of {}", agent.file),
        None => String::new(),
    };
    format!("{} (rule `{}`{of}). Instead: {}", denial.reason, denial.rule, denial.instead)
}

/// The file that says what the agent may do has errors.
pub(super) fn broken(candidate: &Candidate<'_>, problems: &[Problem]) -> String {
    format!(
        "What the agent `{}` may do is not known: {}. No tool can be used until that is mended. Instead: tell the \
         person to look at it; `steersman agent validate` shows the place.",
        candidate.name,
        told(problems)
    )
}

/// No file says what the agent may do.
pub(super) fn undefined(candidate: &Candidate<'_>) -> String {
    let (said, hint) = match candidate.said_by {
        SaidBy::Config => (
            "`agents.active` in .ai/hooks/config.json names it",
            "to define it, or to take it out of `agents.active`",
        ),
        SaidBy::Run | SaidBy::Host => {
            ("`steersman agent run` works as it", "to define it, or to run another one")
        }
    };
    format!(
        "The agent `{}` governs this session ({said}), but no file defines it, so what it may do is not known. \
         No tool can be used until that is mended. Instead: tell the person {hint}; `steersman agent list` shows \
         which there are.",
        candidate.name
    )
}

/// The project's configuration cannot be read. Whether that matters depends on whether it was
/// to block commands at all.
pub(super) fn broken_config(workspace: &Path, problems: &[Problem]) -> Action {
    let blocks = std::fs::read(config_path(workspace))
        .map_or(true, |bytes| String::from_utf8_lossy(&bytes).contains("globalBlockedPatterns"));
    let told = told(problems);
    if !blocks {
        let warning = format!("the agents' configuration cannot be used: {told}");
        return Action { warnings: vec![warning], ..Action::default() };
    }
    Action::deny(format!(
        "Which commands `tools.bash.globalBlockedPatterns` blocks is not known: {told}. No shell command can be run \
         until that is mended. Instead: tell the person to look at it; `steersman agent validate` shows the place."
    ))
}

fn told(problems: &[Problem]) -> String {
    let errors: Vec<&Problem> = problems.iter().filter(|it| it.is_error()).collect();
    let mut lines: Vec<String> = errors.iter().take(MOST_TOLD).map(|it| it.one_line()).collect();
    if errors.len() > MOST_TOLD {
        lines.push(format!("{} more", errors.len() - MOST_TOLD));
    }
    lines.join("; ")
}
