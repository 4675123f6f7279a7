//! Whether the project's agents are defined without errors, and which one governs every session.

use agent::registry::Governing;
use config_file::Problem;
use project_config::{AgentsSettings, Config};

use super::finding::{Finding, Mark, Section};
use crate::commands::{Place, agent as agent_command};
use crate::output::Snippet;

/// Checks the definitions of agents and `agents.active`.
pub(super) fn section(place: &Place) -> Section {
    let (n_files, problems) = agent_command::problems(place);
    let mut findings: Vec<Finding> = problems.into_iter().map(finding).collect();
    if n_files > 0 && findings.is_empty() {
        let files = if n_files == 1 { "1 file".to_owned() } else { format!("{n_files} files") };
        findings.push(Finding::new(Mark::Fine, format!("{files} without errors")));
    }
    findings.extend(active(place));
    Section { name: "agents", title: "Agents", findings }
}

/// Reports the agent that governs every session without an agent of its own.
fn active(place: &Place) -> Option<Finding> {
    // The section about configuration files reports a file or a section that cannot be read.
    let config = Config::load(&place.workspace).ok()?;
    let name = config.typed::<AgentsSettings>("agents").ok()?.active?;
    let setting = "`agents.active` in .ai/hooks/config.json";
    Some(match agent_command::governing(&name, place) {
        Governing::Found(definition) => {
            let text = format!(
                "`{name}` ({}) governs the tools of every session ({setting})",
                definition.origin.file
            );
            Finding::new(Mark::Info, text)
        }
        Governing::Broken(_) => {
            let text = format!("every tool call is denied: {setting} names `{name}`, whose file has errors");
            Finding::new(Mark::Wrong, text).hint("correct the file, or remove `agents.active`")
        }
        Governing::Undefined => {
            let text = format!("every tool call is denied: {setting} names `{name}`, which no file defines");
            let hint = "define it below .rawko/agents/, or remove `agents.active`";
            Finding::new(Mark::Wrong, text).hint(hint)
        }
    })
}

fn finding(problem: Problem) -> Finding {
    let mark = if problem.is_error() { Mark::Wrong } else { Mark::Warning };
    let place = problem.excerpt.map(|excerpt| Snippet { file: problem.file.clone(), excerpt });
    let text =
        if place.is_some() { problem.message } else { format!("{}: {}", problem.file, problem.message) };
    Finding { place, hint: problem.hint, ..Finding::new(mark, text) }
}
