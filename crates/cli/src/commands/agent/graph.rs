//! `steersman agent graph`

use std::collections::BTreeMap;

use agent::{Definition, graph};

use super::project::{Project, print_problems};
use crate::commands::Place;
use crate::exit::Exit;
use crate::output::{self, print};

/// Draw the transitions between agents
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Print an SVG picture
    #[arg(long, conflicts_with = "mermaid")]
    svg: bool,
    /// Print Mermaid source, which GitHub draws in Markdown
    #[arg(long)]
    mermaid: bool,
    /// Include agents of other programs, which have no transitions
    #[arg(long)]
    all: bool,
}

pub(crate) fn run(args: &Args, place: &Place) -> Exit {
    let project = Project::of(place);
    print_problems(&project.problems);
    let found = project.discover();
    let n_errors = found.problems.iter().filter(|it| it.is_error()).count();
    let agents: BTreeMap<String, Definition> =
        found.agents.into_iter().filter(|(_, it)| args.all || it.origin.format.is_workflow()).collect();
    if n_errors > 0 {
        output::note("the graph omits agents with errors; run `steersman agent validate`");
    }
    if agents.is_empty() {
        output::error("no agent has transitions");
        output::hint("run `steersman init --agents` to create three example agents");
        return Exit::No;
    }
    let first = project.config.default_agent.as_deref();
    let picture = match (args.svg, args.mermaid) {
        (true, _) => graph::svg(&agents, first),
        (_, true) => graph::mermaid(&agents, first),
        _ => graph::text(&agents, first),
    };
    print(format_args!("{}", picture.trim_end()));
    Exit::Fine
}
