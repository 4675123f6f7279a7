//! `steersman agent`: the agents of this project, what they may do, and workflows of them.

mod check;
mod graph;
mod list;
mod project;
mod run;
mod show;
mod validate;

use super::Place;
use crate::exit::Exit;

/// The agents of this project: what they are, what they may do, and workflows of them
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

/// Returns a fingerprint of what running the agents of a workspace would start and approve.
pub(crate) fn fingerprint(place: &Place) -> store::Fingerprint {
    let project = project::Project::of(place);
    let found = project.discover();
    ::agent::run_fingerprint(place.workspace.root().as_path(), &project.config, &found.agents)
}

/// Returns where agents of a workspace are looked for, and what they may name.
pub(crate) fn world(place: &Place) -> serve::AgentWorld {
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
