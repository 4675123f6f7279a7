//! `steersman trace export --format agent-trace|csv`

use clap::ValueEnum;
use intent::trace::{CSV_HEADER, agent_trace, csv};

use super::{filter, records};
use crate::commands::Place;
use crate::exit::Exit;
use crate::output::print;

/// Print the trace in a format for other programs
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// `agent-trace`: one Agent Trace 0.1.0 record per line; `csv`: a table with a header
    #[arg(long, value_name = "FORMAT")]
    format: Format,
    #[command(flatten)]
    filter: filter::FilterArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    AgentTrace,
    Csv,
}

pub(super) fn run(args: &Args, place: &Place) -> anyhow::Result<Exit> {
    if args.format == Format::Csv {
        print(format_args!("{CSV_HEADER}"));
    }
    records::each(place, &args.filter.filter(place), |record| match args.format {
        Format::AgentTrace => print(format_args!("{}", agent_trace(&record, env!("CARGO_PKG_VERSION")))),
        Format::Csv => print(format_args!("{}", csv(&record))),
    })?;
    Ok(Exit::Fine)
}
