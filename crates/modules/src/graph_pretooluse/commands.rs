//! Shell commands that search, print or fetch without bounds.

use project_config::bounds::{Rule, Settings};
use session::recorded_input::short;
use shell::Reading;
use shell::breadth::{Extent, Sweep, Zone, downloads, sweeps, whole_files};

use super::{Finding, tools};

/// Returns the unbounded parts of a command line.
pub(super) fn findings(reading: &Reading, settings: &Settings) -> Vec<Finding> {
    let mut findings: Vec<Finding> = sweeps(reading, settings.max_lines).iter().map(sweep).collect();
    let files = whole_files(reading, settings.max_lines).into_iter();
    findings.extend(files.filter_map(|used| tools::large_file(&used.path, settings)));
    for (_, address) in downloads(reading, settings.max_lines) {
        let text = format!("`{}` is fetched and printed completely, regardless of its size", short(address));
        findings.push(Finding { rule: Rule::UnlimitedFetch, about: short(address).into_owned(), text });
    }
    findings
}

fn sweep(sweep: &Sweep<'_>) -> Finding {
    let line = sweep.command.line();
    let line = short(&line);
    let (rule, text) = match (sweep.zone, sweep.extent) {
        (Zone::Everywhere, _) => {
            (Rule::SearchEverywhere, format!("`{line}` traverses all of `{}`", sweep.root))
        }
        (Zone::Workspace, Extent::Everything) => {
            (Rule::SearchWorkspace, format!("`{line}` traverses the whole workspace with unbounded output"))
        }
        (Zone::Workspace, Extent::Project) => {
            (Rule::SearchProject, format!("`{line}` searches the whole project with unbounded output"))
        }
    };
    Finding { rule, about: line.into_owned(), text }
}
