//! `steersman agent graph`

use std::collections::BTreeMap;

use agent::{Definition, graph};

use super::project::{Project, tell};
use crate::commands::Place;
use crate::exit::Exit;
use crate::output::{self, print};

/// Draw which agent comes after which
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// As an SVG picture
    #[arg(long, conflicts_with = "mermaid")]
    svg: bool,
    /// In the language of Mermaid, which GitHub draws in Markdown
    #[arg(long)]
    mermaid: bool,
    /// Also agents of other programs, which know no transitions
    #[arg(long)]
    all: bool,
}

pub(crate) fn run(args: &Args, place: &Place) -> Exit {
    let project = Project::of(place);
    tell(&project.problems);
    let found = project.discover();
    let n_errors = found.problems.iter().filter(|it| it.is_error()).count();
    let agents: BTreeMap<String, Definition> =
        found.agents.into_iter().filter(|(_, it)| args.all || it.origin.format.is_workflow()).collect();
    if n_errors > 0 {
        output::note("agents with errors are left out; `steersman agent validate` shows them");
    }
    if agents.is_empty() {
        output::complain("there are no agents with transitions");
        output::hint("`steersman init --agents` makes three to start with");
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
