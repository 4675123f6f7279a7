//! `steersman agent list`

use std::path::Path;

use agent::registry::{AgentType, Entry, EntryRecord, EntrySource, Selection, State};
use serde_json::json;

use super::project::{Project, print_problems};
use crate::commands::Place;
use crate::exit::Exit;
use crate::output::paint::{BAD, CAREFUL, GOOD, PLAIN, STRONG, paint};
use crate::output::table::{Cell, Column, Table};
use crate::output::text::one_line;
use crate::output::{self, print};

/// List the agents of this project and of the editors' extensions, grouped by where they run
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Only agents with this text in their name, id or description
    search: Option<String>,
    /// Only agents that run in their host (`local`) or in a separate program (`background`)
    #[arg(long = "type", value_enum, value_name = "TYPE")]
    kind: Option<Kind>,
    /// Only agents in this state
    #[arg(long, value_enum)]
    state: Option<Condition>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum Kind {
    Local,
    Background,
}

#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum Condition {
    Available,
    Unavailable,
    Error,
}

pub(crate) fn run(args: &Args, place: &Place) -> anyhow::Result<Exit> {
    let project = Project::of(place);
    let (registry, discovery) = project.registry(place);
    let selection = Selection {
        kind: args.kind.map(|kind| match kind {
            Kind::Local => AgentType::Local,
            Kind::Background => AgentType::Background,
        }),
        state: args.state.map(|state| match state {
            Condition::Available => State::Available,
            Condition::Unavailable => State::Unavailable,
            Condition::Error => State::Error,
        }),
        search: args.search.clone(),
    };
    let listed = registry.list(&selection);
    let n_problems = discovery.problems.iter().chain(&project.problems).filter(|it| it.is_error()).count();
    if args.json {
        let agents: Vec<EntryRecord> = listed.iter().map(|it| EntryRecord::of(it)).collect();
        let shown = json!({
            "version": agent::registry::REGISTRY_VERSION,
            "lastUpdated": store::now().as_millis(),
            "agents": agents,
            "problems": n_problems,
        });
        output::json(&shown)?;
        return Ok(Exit::Fine);
    }
    print_problems(&project.problems);
    if listed.is_empty() {
        output::note(if registry.iter().next().is_none() { "no agents" } else { "no agent matches" });
        output::hint("run `steersman init --agents` to create three example agents");
        return Ok(Exit::Fine);
    }
    for (kind, title) in [
        (AgentType::Local, "Local: run in the host that reads their file"),
        (AgentType::Background, "Background: run in a separate program or extension"),
    ] {
        let group: Vec<&&Entry> = listed.iter().filter(|it| it.kind == kind).collect();
        if !group.is_empty() {
            draw(title, &group, place);
        }
    }
    // `agent validate` checks files, so it does not show the problems that belong to no file.
    let (of_the_whole, of_files): (Vec<_>, Vec<_>) = discovery
        .problems
        .into_iter()
        .partition(|it| Path::new(&it.file) == place.workspace.root().as_path());
    print_problems(&of_the_whole);
    let n_in_files = of_files.iter().filter(|it| it.is_error()).count();
    if n_in_files > 0 {
        let files = if n_in_files == 1 { "1 problem" } else { &format!("{n_in_files} problems") };
        output::hint(&format!("{files} in definitions; run `steersman agent validate`"));
    }
    Ok(Exit::Fine)
}

fn draw(title: &str, entries: &[&&Entry], place: &Place) {
    print(format_args!("{}", paint(STRONG, title)));
    let mut table = Table::new([
        Column::left("AGENT"),
        Column::whole("ID"),
        Column::left("STATE"),
        Column::left("FOR"),
        Column::left("FROM"),
    ]);
    for entry in entries {
        table.push([
            one_line(&entry.display_name).into(),
            entry.id.as_str().into(),
            state(entry),
            one_line(entry.description.as_deref().unwrap_or_default()).into(),
            from(entry, place).into(),
        ]);
    }
    for line in table.lines(output::columns().map(|columns| columns.saturating_sub(2))) {
        print(format_args!("  {line}"));
    }
}

fn state(entry: &Entry) -> Cell {
    let text = match (entry.state, entry.reason) {
        (State::Unavailable, Some(reason)) => reason.sentence().to_owned(),
        (state, _) => state.as_str().to_lowercase(),
    };
    let style = match entry.state {
        State::Available => GOOD,
        State::Unavailable => CAREFUL,
        State::Error => BAD,
        State::Discovering => PLAIN,
    };
    Cell::styled(text, style)
}

fn from(entry: &Entry, place: &Place) -> String {
    match &entry.source {
        EntrySource::File { path } => {
            path.strip_prefix(place.workspace.root().as_path()).unwrap_or(path).to_string_lossy().into_owned()
        }
        EntrySource::Extension { id } => one_line(id),
    }
}
