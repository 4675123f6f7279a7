//! `steersman agent validate [FILES…]`

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::PathBuf;

use agent::registry::{AgentFile, CONFIG_FILE, agent_files, load_files};
use agent::{AgentSet, Format, ProviderName};
use config_file::{Code, Problem};
use serde_json::{Value, json};

use super::project::Project;
use crate::commands::Place;
use crate::exit::Exit;
use crate::output::paint::{BAD, CAREFUL, paint};
use crate::output::{self, print};

/// Check the definitions of agents
///
/// Without FILES: the configuration and all agents of the project. With FILES: only those, each together with
/// the rest of the project. Exits with 1 if there are errors.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The files to check
    files: Vec<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, place: &Place) -> anyhow::Result<Exit> {
    let (n_files, problems) = check(&args.files, place);
    report(args, n_files, &problems)
}

/// Checks the project's agents, or only the named files. Returns the number of files and the problems in their order.
pub(super) fn check(only: &[PathBuf], place: &Place) -> (usize, Vec<Problem>) {
    let project = Project::of(place);
    let root = place.workspace.root().as_path();
    let mut files = agent_files(root, &project.config.directory, &|| false);
    let named = named(only, place, &mut files);
    let loaded = load_files(&files, &project.names);
    let mut problems = project.problems.clone();
    let mut documents = Vec::with_capacity(loaded.len());
    for loaded in &loaded {
        problems.extend(loaded.problems.iter().cloned());
        documents.extend(loaded.document.clone());
    }
    let all: BTreeSet<String> = loaded.iter().filter_map(|loaded| loaded.name.clone()).collect();
    let mut set = AgentSet::beside_invalid(documents, &all);
    set.add_targets_of_invalid(&loaded, &all);
    problems.extend(set.problems.iter().cloned());
    problems.extend(around(&project, &set));
    // Ids are given by the registry, so only it knows those that two files share.
    for problem in project.discover().problems {
        if problem.code == agent::code::DUPLICATE_ID && !problems.contains(&problem) {
            problems.push(problem);
        }
    }
    let n_files = if named.is_empty() { files.len() } else { named.len() };
    if !named.is_empty() {
        problems.retain(|it| named.contains(&it.file));
    }
    problems.sort_by(|one, other| place_of(one).cmp(&place_of(other)));
    (n_files, problems)
}

/// Returns the display names of the given files, and adds those outside the project to `files`.
fn named(only: &[PathBuf], place: &Place, files: &mut Vec<AgentFile>) -> BTreeSet<String> {
    let mut named = BTreeSet::new();
    for file in only {
        let path = place.folder.join(file);
        let shown = path.below(place.workspace.root()).map_or_else(|_| path.to_string(), |it| it.to_string());
        if shown != CONFIG_FILE && !files.iter().any(|it| it.shown == shown) {
            // The reader of the first format reports a file that has no format of an agent.
            let format = Format::of(&shown).unwrap_or(Format::WorkflowYaml);
            files.push(AgentFile { path: path.as_path().to_path_buf(), shown: shown.clone(), format });
        }
        named.insert(shown);
    }
    named
}

/// Checks the agents that the configuration names against the existing agents.
fn around(project: &Project, set: &AgentSet) -> Vec<Problem> {
    let mut problems = Vec::new();
    if let Some(first) = project.config.default_agent.as_ref().filter(|it| !set.agents.contains_key(*it)) {
        let message =
            format!("`agents.default` names the agent `{first}`, which does not exist or has errors");
        problems.push(Problem::error(CONFIG_FILE, Code::INVALID_SCHEMA, message));
    }
    let is_command = |it: ProviderName| it == ProviderName::Command;
    let by_default = project.config.provider.default.is_some_and(is_command);
    let by_agent = set.agents.values().find(|it| it.provider.as_ref().is_some_and(|it| is_command(it.name)));
    if project.config.provider.command.is_empty() && (by_default || by_agent.is_some()) {
        let file = by_agent.filter(|_| !by_default).map_or(CONFIG_FILE, |it| it.origin.file.as_str());
        let problem = Problem::error(file, Code::INVALID_SCHEMA, "the provider `command` needs a command")
            .hint("add to `.rawko/config.yaml`: `provider: { command: { argv: [\"./agent.sh\"] } }`");
        problems.push(problem);
    }
    problems
}

fn place_of(problem: &Problem) -> (&str, usize, usize) {
    let excerpt = problem.excerpt.as_ref();
    (&problem.file, excerpt.map_or(0, |it| it.line), excerpt.map_or(0, |it| it.column))
}

fn report(args: &Args, n_files: usize, problems: &[Problem]) -> anyhow::Result<Exit> {
    let n_errors = problems.iter().filter(|it| it.is_error()).count();
    let n_warnings = problems.len() - n_errors;
    let exit = if n_errors == 0 { Exit::Fine } else { Exit::No };
    if args.json {
        let problems: Vec<Value> = problems.iter().map(as_json).collect();
        output::json(&json!({ "valid": n_errors == 0, "files": n_files, "problems": problems }))?;
        return Ok(exit);
    }
    let mut text = String::new();
    for problem in problems {
        let shown = problem.to_string();
        let (word, rest) = shown.split_once(':').unwrap_or((&shown, ""));
        let style = if problem.is_error() { BAD } else { CAREFUL };
        let _ = writeln!(text, "{}:{rest}", paint(style, word));
    }
    if !text.is_empty() {
        print(format_args!("{}", text.trim_end()));
    }
    if n_files == 0 && problems.is_empty() {
        output::note("no agents to check");
        output::hint("run `steersman init --agents` to create three example agents");
        return Ok(exit);
    }
    let count = |n: usize, what: &str| if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") };
    output::note(&format!(
        "{} checked: {}, {}",
        count(n_files, "file"),
        count(n_errors, "error"),
        count(n_warnings, "warning")
    ));
    Ok(exit)
}

pub(super) fn as_json(problem: &Problem) -> Value {
    let mut value = json!({
        "severity": problem.severity.as_str(),
        "code": problem.code.as_str(),
        "file": problem.file,
        "message": problem.message,
    });
    if let Some(excerpt) = &problem.excerpt {
        value["line"] = json!(excerpt.line);
        value["column"] = json!(excerpt.column);
    }
    if let Some(expected) = &problem.expected {
        value["expected"] = json!(expected);
    }
    if let Some(hint) = &problem.hint {
        value["hint"] = json!(hint);
    }
    value
}
