//! Prints the report, as text and as JSON.

use anstyle::Style;
use serde_json::{Value, json};

use super::Report;
use super::finding::{Finding, Mark};
use crate::commands::Place;
use crate::environment;
use crate::output::paint::{BAD, CAREFUL, FAINT, GOOD, STRONG, paint};
use crate::output::{field, print, prose};

/// Prints the report as text.
pub(super) fn as_text(report: &Report, place: &Place) {
    print(format_args!("steersman {} in {}", env!("CARGO_PKG_VERSION"), place.workspace.root()));
    for section in report.sections.iter().filter(|section| !section.findings.is_empty()) {
        print(format_args!("\n{}", paint(STRONG, section.title)));
        for found in &section.findings {
            let sign = paint(style(found.mark), found.mark.sign());
            field(&format!("  {sign} "), &found.text);
            if let Some(place) = &found.place {
                print(format_args!("{}", indented(&place.to_string())));
            }
            if let Some(hint) = &found.hint {
                prose(format_args!("    hint: {hint}"));
            }
        }
    }
    print(format_args!("\n{}", summary(report)));
}

/// Prints the report as JSON.
pub(super) fn as_json(report: &Report, place: &Place) {
    let findings: Vec<Value> = report
        .sections
        .iter()
        .flat_map(|section| section.findings.iter().map(|found| finding_json(section.name, found)))
        .collect();
    let whole = json!({
        "version": 1,
        "ok": report.count(Mark::Wrong) == 0,
        "workspace": place.workspace.root().to_string(),
        "steersman": {"version": env!("CARGO_PKG_VERSION"), "path": environment::running_program()},
        "hosts": report.hosts,
        "programs": report.programs,
        "mcp": report.mcp,
        "timings": report.timings,
        "runners": report.runners,
        "findings": findings,
    });
    print(format_args!("{whole:#}"));
}

fn finding_json(section: &str, found: &Finding) -> Value {
    let place = found.place.as_ref();
    json!({
        "section": section,
        "level": found.mark.word(),
        "message": found.text,
        "file": place.map(|place| &place.file),
        "line": place.map(|place| place.excerpt.line),
        "column": place.map(|place| place.excerpt.column),
        "hint": found.hint,
    })
}

fn summary(report: &Report) -> String {
    let counted = |n: usize, one: &str, many: &str| match n {
        1 => format!("1 {one}"),
        n => format!("{n} {many}"),
    };
    let (wrong, warnings) = (report.count(Mark::Wrong), report.count(Mark::Warning));
    match (wrong, warnings) {
        (0, 0) => "No problems found.".to_owned(),
        (0, warnings) => {
            format!("No errors, {} (!).", counted(warnings, "warning", "warnings"))
        }
        (wrong, 0) => format!("{} (✗).", counted(wrong, "error", "errors")),
        (wrong, warnings) => format!(
            "{} (✗), {} (!).",
            counted(wrong, "error", "errors"),
            counted(warnings, "warning", "warnings")
        ),
    }
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("  {line}")).collect::<Vec<_>>().join("\n")
}

const fn style(mark: Mark) -> Style {
    match mark {
        Mark::Fine => GOOD,
        Mark::Info => FAINT,
        Mark::Warning => CAREFUL,
        Mark::Wrong => BAD,
    }
}
