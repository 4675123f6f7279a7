//! Shell commands that search, print or fetch without bounds.

use shell::Reading;
use shell::breadth::{Extent, Sweep, Zone, downloads, sweeps, whole_files};

use super::finding::Finding;
use super::{Rule, Settings, tools};
use crate::recorded_input::short;

/// Returns what is without bounds in a command line.
pub(super) fn findings(reading: &Reading, settings: &Settings) -> Vec<Finding> {
    let mut findings: Vec<Finding> = sweeps(reading, settings.max_lines).iter().map(sweep).collect();
    let files = whole_files(reading, settings.max_lines).into_iter();
    findings.extend(files.filter_map(|used| tools::large_file(&used.path, settings)));
    for (_, address) in downloads(reading, settings.max_lines) {
        let text = format!("`{}` is fetched and printed as a whole, however large it is", short(address));
        findings.push(Finding { rule: Rule::UnlimitedFetch, about: short(address).into_owned(), text });
    }
    findings
}

fn sweep(sweep: &Sweep<'_>) -> Finding {
    let line = sweep.command.line();
    let line = short(&line);
    let (rule, text) = match (sweep.zone, sweep.extent) {
        (Zone::Everywhere, _) => {
            (Rule::SearchEverywhere, format!("`{line}` goes through all of `{}`", sweep.root))
        }
        (Zone::Workspace, Extent::Everything) => (
            Rule::SearchWorkspace,
            format!("`{line}` goes through the whole workspace and nothing bounds what it prints"),
        ),
        (Zone::Workspace, Extent::Project) => (
            Rule::SearchProject,
            format!("`{line}` searches the whole project and nothing bounds what it prints"),
        ),
    };
    Finding { rule, about: line.into_owned(), text }
}
