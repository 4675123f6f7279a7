//! `steersman doctor`

mod agents;
mod config;
mod config_schema;
mod confinement;
mod coverage;
mod entries;
mod finding;
mod hosts;
mod last_event;
mod mcp;
mod modules;
mod overruns;
mod print;
mod program;
mod prompts;
mod records;
mod rule_files;
mod runners;
mod schema_check;
mod timing;
mod trust;

use super::Place;
use crate::exit::Exit;
use finding::{Finding, Mark, Section};
use page::view::Check;

/// Check programs, configuration, modules, records, response time
///
/// Exits with 1 if anything is wrong (`✗`). Warnings (`!`) do not affect the exit code.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Keys of --json: version (1), ok, workspace, steersman {version, path},
hosts [{host, title, inUse, traces, registered, times, entries [{file, line, event, program,
command, onlyWith}], lastEvent {event, ts, session}, obstacle {why, hint}}], programs [{program, path, thisOne,
version}], mcp [{host, file, line, program, answers}], timings [{program, runs, medianMs, comparedTo, comparedMedianMs}],
runners [{runner, path, version, neededBy [automation]}],
findings [{section, level (fine, aside, warning, wrong), message, file, line, column, hint}].
Keys may be added; these stay.")]
pub(crate) struct Args {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// All results of the doctor.
struct Report {
    hosts: Vec<hosts::HostReport>,
    programs: Vec<program::ProgramReport>,
    mcp: Vec<mcp::McpReport>,
    timings: Vec<timing::TimingReport>,
    runners: Vec<runners::RunnerReport>,
    sections: Vec<Section>,
}

impl Report {
    fn count(&self, mark: Mark) -> usize {
        self.sections.iter().flat_map(|section| &section.findings).filter(|found| found.mark == mark).count()
    }
}

pub(crate) fn run(args: &Args, place: &Place) -> Exit {
    let report = examine(place);
    if args.json {
        print::as_json(&report, place);
    } else {
        print::as_text(&report, place);
    }
    if report.count(Mark::Wrong) == 0 { Exit::Fine } else { Exit::No }
}

/// Examines the workspace for the page.
pub(crate) fn checks(place: &Place) -> Vec<Check> {
    let section = |it: Section| it.findings.into_iter().map(move |found| check(it.title, found));
    examine(place).sections.into_iter().flat_map(section).collect()
}

fn check(section: &str, found: Finding) -> Check {
    let at = found.place.map(|place| format!("{}:{}", place.file, place.excerpt.line));
    Check {
        section: section.to_owned(),
        level: found.mark.word().to_owned(),
        message: found.text,
        place: at,
        hint: found.hint,
    }
}

fn examine(place: &Place) -> Report {
    let hosts = hosts::examine(place);
    let (programs, program_section) = program::examine(place, &hosts.reports);
    let (mcp, mcp_section) = mcp::examine(place, &hosts.reports);
    let (timings, time_section) = timing::examine(&programs);
    let (runners, runner_section) = runners::examine(place);
    let prompts = prompts::section(place, &hosts.reports);
    Report {
        hosts: hosts.reports,
        programs,
        mcp,
        timings,
        runners,
        sections: vec![
            hosts.section,
            program_section,
            mcp_section,
            prompts,
            time_section,
            config::section(&place.workspace),
            modules::section(place),
            agents::section(place),
            runner_section,
            confinement::examine(place),
            records::section(place),
        ],
    }
}
