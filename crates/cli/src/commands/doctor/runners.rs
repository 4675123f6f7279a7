//! Whether the programs that run automations are installed, their versions, and what prevents automations
//! from running.

use std::path::PathBuf;
use std::thread;

use automation::{Action, Automation, McpServer, RunnerChoice, WorkspaceSettings};
use config_file::Problem;
use engine::{ImpedimentSearch, Settings, impediment};
use host::AgentCli;
use project_config::Config;
use runner::{Environment, InstalledProgram};
use serde::Serialize;
use store::AutomationFiles;

use super::finding::{Finding, Mark, Section};
use crate::commands::automation::Applied;
use crate::commands::{Place, serve as serve_command};
use crate::environment;
use crate::output::Snippet;

/// A program that runs automations; the keys of `doctor --json`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct RunnerReport {
    /// Its name.
    pub(super) runner: &'static str,
    /// Its path, if it is installed.
    path: Option<PathBuf>,
    /// Its answer to `--version`, on one line; a program of the project itself is not started.
    version: Option<String>,
    /// The enabled automations that need this program.
    needed_by: Vec<String>,
}

/// Checks all programs in parallel, because each may take seconds to answer.
pub(super) fn examine(place: &Place) -> (Vec<RunnerReport>, Section) {
    let Applied { configuration, loaded, .. } = Applied::read(place);
    let settings = serve_command::settings(place);
    let automations: Vec<&Automation> = configuration.automations().filter(|it| it.enabled).collect();
    let agents = AgentCli::ALL.map(AgentCli::as_str);
    let names: Vec<&'static str> = agents.into_iter().chain(["git", "gh"]).collect();
    let reports: Vec<RunnerReport> = thread::scope(|scope| {
        let looks: Vec<_> = names
            .iter()
            .map(|name| {
                let needed_by = automations.iter().filter(|it| needs(it, &settings, name));
                let needed_by = needed_by.map(|it| it.id.to_string()).collect();
                scope.spawn(move || examine_program(name, needed_by, place))
            })
            .collect();
        looks.into_iter().filter_map(|look| look.join().ok()).collect()
    });
    let mut findings: Vec<Finding> = reports.iter().filter_map(RunnerReport::finding).collect();
    let absent: Vec<&str> = reports
        .iter()
        .filter(|it| it.path.is_none() && it.needed_by.is_empty())
        .map(|it| it.runner)
        .collect();
    if !absent.is_empty() {
        let text = format!("not installed, and no automation needs it: {}", absent.join(", "));
        findings.push(Finding::new(Mark::Info, text));
    }
    findings.extend(
        loaded.consequences().into_iter().map(|it| {
            Finding::new(Mark::Wrong, it).hint("run `steersman automation validate` for its errors")
        }),
    );
    findings.extend(settings_findings(place));
    findings.extend(automations.iter().filter_map(|it| impeded(it, &settings)));
    let search = ImpedimentSearch::new(&settings);
    findings.extend(automations.iter().filter_map(|it| no_agent_or_program(it, &search, &settings)));
    findings.extend(automations.iter().filter_map(|it| no_server(it, &settings)));
    let queue = automation::queue::read(&place.workspace).unwrap_or_default();
    findings.extend(automations.iter().filter_map(|it| {
        let text = format!("`{}` is paused: {}", it.id, queue.paused(&it.id)?);
        Some(
            Finding::new(Mark::Warning, text)
                .hint(format!("run `steersman automation enable {}` to resume it", it.id)),
        )
    }));
    if let Some(why) = serve::Lock::holder(&place.workspace).and_then(|server| server.unwatched) {
        let text = format!("{} ({})", crate::output::text::one_line(&why.message), why.code);
        findings.push(Finding::new(Mark::Warning, text));
    }
    (reports, Section { name: "runners", title: "Runners of automations", findings })
}

fn examine_program(name: &'static str, needed_by: Vec<String>, place: &Place) -> RunnerReport {
    let root = place.workspace.root().as_path();
    let variables = Environment::from_variables(environment::variables());
    let path = runner::find(name.as_ref(), &variables, root);
    // Examining a repository must not start a program of that repository.
    let real = path.as_ref().and_then(|path| path.canonicalize().ok());
    let real_root = root.canonicalize().unwrap_or_else(|_| root.to_path_buf());
    let is_inside = real.is_some_and(|real| real.starts_with(real_root));
    let presence = path.as_ref().filter(|_| !is_inside).and_then(|_| {
        // Not in the workspace: its files must not change the answer.
        runner::find_with_version(name, &variables, &environment::temporary_folder())
    });
    let version = presence.and_then(|InstalledProgram { version, .. }| version);
    RunnerReport { runner: name, path, version, needed_by }
}

/// Returns whether an automation needs this program.
fn needs(automation: &Automation, settings: &Settings, name: &str) -> bool {
    match &automation.action {
        Action::Git(_) => name == "git",
        Action::GitHub(_) => name == "gh",
        Action::Mcp(_) | Action::Command { .. } | Action::Custom(_) => false,
        Action::Prompt { .. } | Action::Agent { .. } => {
            let runner = automation.runner.as_ref().or(settings.default_runner.as_ref());
            matches!(runner, Some(RunnerChoice::Cli(runner)) if runner.cli.as_str() == name)
        }
    }
}

impl RunnerReport {
    fn finding(&self) -> Option<Finding> {
        let name = self.runner;
        let users = || self.needed_by.iter().map(|id| format!("`{id}`")).collect::<Vec<_>>().join(", ");
        let Some(path) = &self.path else {
            let text = format!("`{name}` is not installed, but {} needs it", users());
            return (!self.needed_by.is_empty())
                .then(|| Finding::new(Mark::Warning, text).hint("install it, or choose another `runner`"));
        };
        let path = path.display();
        Some(match &self.version {
            Some(version) => {
                let version = crate::output::text::one_line(version);
                Finding::new(Mark::Fine, format!("`{name}` is {path}: {version}"))
            }
            None => Finding::new(Mark::Fine, format!("`{name}` is {path}; its version is unknown")),
        })
    }
}

fn settings_findings(place: &Place) -> Vec<Finding> {
    // The section about configuration files reports one that cannot be read.
    if Config::load(&place.workspace).is_err() {
        return Vec::new();
    }
    let (_, problems) = WorkspaceSettings::read(&AutomationFiles::read(&place.workspace));
    let finding = |problem: Problem| {
        let place = problem.excerpt.map(|excerpt| Snippet { file: problem.file, excerpt });
        let hint = problem.hint.or(Some("correct it; until then steersman ignores it".to_owned()));
        Finding { place, hint, ..Finding::new(Mark::Warning, problem.message) }
    };
    problems.into_iter().map(finding).collect()
}

fn impeded(automation: &Automation, settings: &Settings) -> Option<Finding> {
    let why = impediment::of(automation, settings)?;
    let text = format!("`{}` is off: {} ({})", automation.id, why.message, why.code);
    Some(Finding::new(Mark::Warning, text).hint(why.hint))
}

/// Reports an automation whose agent or program does not exist here. [`RunnerReport`] reports the agent programs.
fn no_agent_or_program(
    automation: &Automation,
    search: &ImpedimentSearch<'_>,
    settings: &Settings,
) -> Option<Finding> {
    let runner = automation.runner.as_ref().or(settings.default_runner.as_ref());
    let is_reported = match &automation.action {
        Action::Custom(_) => false,
        Action::Git(_) | Action::GitHub(_) => true,
        _ => matches!(runner, Some(RunnerChoice::Cli(_))),
    };
    let found = if is_reported || impediment::of(automation, settings).is_some() {
        None
    } else {
        search.on_this_machine(automation)
    }?;
    let text = format!("`{}` cannot run: {} ({})", automation.id, found.message, found.code);
    let text = redact::Redacted::from_text(&text).into_string();
    Some(Finding::new(Mark::Warning, text).hint(found.hint))
}

fn no_server(automation: &Automation, settings: &Settings) -> Option<Finding> {
    let Action::Mcp(mcp) = &automation.action else { return None };
    let variable = |name: &str| settings.environment.get(name)?.to_str().map(str::to_owned);
    let found = McpServer::find(settings.workspace.root(), &settings.automation, &mcp.tool.server, &variable);
    let text = match found {
        Err(why) => format!("`{}` cannot run: {why}", automation.id),
        Ok(server) => {
            let root = settings.workspace.root().as_path();
            let is_there = runner::find(server.command.as_ref(), &settings.environment, root).is_some();
            if is_there {
                return None;
            }
            format!("`{}` cannot run: the program `{}` is not installed", automation.id, server.command)
        }
    };
    Some(Finding::new(Mark::Warning, redact::Redacted::from_text(&text).into_string()))
}
