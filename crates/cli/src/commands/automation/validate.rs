//! `steersman automation validate [--json]`

use automation::{Automation, Configuration, SourceFile, WorkspaceSettings};
use config_file::{Code, Excerpt, Problem};
use engine::{ImpedimentSearch, Settings};
use serde_json::{Value, json};

use super::secret_filter::SecretFilter;
use super::{Applied, problems};
use crate::commands::{Place, serve};
use crate::exit::Exit;
use crate::output;

/// Check the automation files and report every mistake with its place
///
/// Exits with 1 if a file is invalid. Warnings concern unknown keys, braces in templates, and variables that
/// the trigger does not set.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Print JSON: {"valid", "files", "automations", "problems": [{severity, code, file, line, column, message, hint}]}
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, place: &Place) -> anyhow::Result<Exit> {
    let (configuration, mut loaded) = Configuration::load(&place.workspace);
    let settings = serve::settings(place);
    let enabled = configuration.automations().filter(|it| it.enabled);
    let impediments = ImpedimentSearch::new(&settings);
    loaded.problems.extend(enabled.filter_map(|it| impediment_problem(it, &impediments, &settings)));
    let exit = if loaded.is_valid() { Exit::Fine } else { Exit::No };
    let files: Vec<&str> = loaded.files.iter().map(|file| file.name()).collect();
    let n_automations = configuration.automations().count();
    let applied = Applied::read(place);
    if args.json {
        applied.note_errors();
        let problems: Vec<Value> = loaded.problems.iter().map(problems::json).collect();
        output::json(&json!({
            "valid": loaded.is_valid(),
            "files": files,
            "automations": n_automations,
            "problems": problems,
        }))?;
        return Ok(exit);
    }
    problems::print_problems(&loaded.problems);
    if files.is_empty() {
        output::note(&format!(
            "neither {} nor {} exists",
            SourceFile::Akira.name(),
            SourceFile::Gatomia.name()
        ));
        output::hint("run `steersman init --automations` to create an example file");
    } else {
        let settings = Some(WorkspaceSettings::FILE)
            .filter(|name| loaded.problems.iter().any(|problem| problem.file == **name));
        let named: Vec<&str> = files.into_iter().chain(settings).collect();
        let counted = problems::count(&loaded.problems);
        let sign = if loaded.is_valid() { "✓" } else { "✗" };
        let s = if n_automations == 1 { "" } else { "s" };
        output::note(&format!("{sign} {}: {n_automations} automation{s}, {counted}", named.join(", ")));
    }
    for sentence in applied.loaded.consequences() {
        output::note(&sentence);
    }
    Ok(exit)
}

/// Returns a problem if an automation of a valid file cannot run here: an error if its declaration is the reason.
pub(super) fn impediment_problem(
    automation: &Automation,
    impediments: &ImpedimentSearch<'_>,
    settings: &Settings,
) -> Option<Problem> {
    let found = impediments.of(automation)?;
    let hide = SecretFilter::new(settings);
    let message = hide.of(automation)(&format!("`{}` cannot run: {}", automation.id, found.message));
    let severity = if found.is_invalid { Problem::error } else { Problem::warning };
    let origin = &automation.origin;
    let mut problem = severity(origin.file.name(), Code::new(found.code), message).hint(found.hint);
    // Without the line's text, which may contain secrets that only the automation's own patterns find.
    problem.excerpt = Some(Excerpt { line: origin.line, column: 1, width: 1, text: String::new() });
    Some(problem)
}
