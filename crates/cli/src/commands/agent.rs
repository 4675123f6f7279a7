//! `steersman agent`: the agents of this project, their permissions, and their workflows.

mod check;
mod graph;
mod list;
mod project;
mod run;
mod show;
mod validate;

use super::Place;
use crate::exit::Exit;

/// List, check and run the agents of this project
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    List(list::Args),
    Show(show::Args),
    Validate(validate::Args),
    Check(check::Args),
    Graph(graph::Args),
    Run(run::Args),
}

/// Returns a fingerprint of the programs that running the agents starts and the tools it approves.
pub(crate) fn fingerprint(place: &Place) -> store::Fingerprint {
    let project = project::Project::of(place);
    let found = project.discover();
    ::agent::run_fingerprint(place.workspace.root().as_path(), &project.config, &found.agents)
}

/// Checks the definitions of all agents. Returns the number of files and the problems.
pub(crate) fn problems(place: &Place) -> (usize, Vec<config_file::Problem>) {
    validate::check(&[], place)
}

/// Lists the files that define agents of this project.
pub(crate) fn files(place: &Place) -> Vec<String> {
    let project = project::Project::of(place);
    let root = place.workspace.root().as_path();
    let found = ::agent::registry::agent_files(root, &project.config.directory, &|| false);
    found.into_iter().map(|file| file.shown).collect()
}

/// Returns the definition of the agent with this name, as the module `agent-tools` finds it.
pub(crate) fn governing(name: &str, place: &Place) -> ::agent::registry::Governing {
    let project = project::Project::of(place);
    let root = place.workspace.root().as_path();
    ::agent::registry::governing(root, &project.config.directory, name, &project.names)
}

/// Returns the folders of a workspace's agents and the names they may use.
pub(crate) fn world(place: &Place) -> serve::AgentSources {
    project::Project::of(place).into_world()
}

pub(crate) fn run(args: &Args, place: &Place) -> anyhow::Result<Exit> {
    match &args.command {
        Command::List(args) => list::run(args, place),
        Command::Show(args) => show::run(args, place),
        Command::Validate(args) => validate::run(args, place),
        Command::Check(args) => check::run(args, place),
        Command::Graph(args) => Ok(graph::run(args, place)),
        Command::Run(args) => run::run(args, place),
    }
}
