//! `steersman trace verify [--json]`
//!
//! With `--json`: `{"whole": bool, "unchanged": […], "changed": […], "missing": […], "broken":
//! [{"line", "problem"}], "problems": [{"place", "kind", "problem"}], "unverifiable": n, "anchor": {"time",
//! "problems", "absentJournals": n}}`.

use std::fs;

use anyhow::Context;
use intent::ContentHash;
use intent::trace::{TraceLog, Verification, verify};
use serde_json::{Value, json};

use super::anchor::{self, AnchorCheck};
use super::provenance::{self, Finding, Provenance};
use super::records;
use crate::commands::Place;
use crate::exit::Exit;
use crate::output::paint::{BAD, CAREFUL, GOOD, paint};
use crate::output::{self, print, text};

/// Verify the trace against the files on disk
///
/// Reports files that are unchanged, changed outside, or missing. Exits with 1 if a line is malformed, removed or
/// forged, names an unknown intent or a file out of its scope, or if the newest anchor proves that lines were removed;
/// files that a person changed are not errors, nor are lines that nothing on this machine can prove.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Print JSON: {"whole", "unchanged", "changed", "missing", "broken": [{line, problem}], "problems", "unverifiable", "anchor"}
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, place: &Place) -> anyhow::Result<Exit> {
    let root = place.workspace.root();
    let on_disk = |path: &str| {
        let file = root.join(path);
        // Opening a pipe would block until it has a writer.
        fs::metadata(file.as_path()).is_ok_and(|meta| meta.is_file()).then_some(())?;
        ContentHash::of_file(&file).ok()
    };
    let failed = || format!("cannot read `{}`", records::file(place));
    let found = verify(records::open(place).with_context(failed)?, on_disk).with_context(failed)?;
    let provenance = provenance::check(place)?;
    let anchor = anchor::check(place);
    let is_whole = found.is_whole() && provenance.problems.is_empty() && anchor.problems.is_empty();
    if args.json {
        let broken: Vec<Value> = found
            .broken
            .iter()
            .map(|(line, problem)| json!({"line": line, "problem": problem.to_string()}))
            .collect();
        output::json(&json!({
            "whole": is_whole,
            "problems": provenance.problems.iter().map(|it| {
                json!({"place": it.place, "kind": it.kind, "problem": it.problem})
            }).collect::<Vec<_>>(),
            "unverifiable": provenance.n_unverifiable,
            "anchor": {"time": anchor.time, "problems": anchor.problems, "absentJournals": anchor.n_absent},
            "unchanged": found.unchanged,
            "changed": found.changed,
            "missing": found.missing,
            "broken": broken,
        }))?;
    } else {
        draw(&found);
        draw_provenance(&provenance, &anchor);
    }
    Ok(if is_whole { Exit::Fine } else { Exit::No })
}

fn draw_provenance(provenance: &Provenance, anchor: &AnchorCheck) {
    for Finding { place, kind, problem } in &provenance.problems {
        print(format_args!("{} {place}  {kind}: {}", paint(BAD, "✗"), text::one_line(problem)));
    }
    for problem in &anchor.problems {
        print(format_args!("{} {}", paint(BAD, "✗"), text::one_line(problem)));
    }
    if provenance.n_unverifiable > 0 {
        let lines = text::counted(provenance.n_unverifiable, "line is", "lines are");
        print(format_args!(
            "{} {lines} unverifiable: their journals are not on this machine",
            paint(CAREFUL, "~")
        ));
    }
    if anchor.n_absent > 0 {
        let journals = text::counted(anchor.n_absent, "anchored journal is", "anchored journals are");
        print(format_args!(
            "{} {journals} not on this machine, so `trace verify` cannot check it",
            paint(CAREFUL, "~")
        ));
    }
    if let (Some(time), true) = (&anchor.time, anchor.problems.is_empty()) {
        print(format_args!("{} nothing was removed since the anchor of {time}", paint(GOOD, "✓")));
    }
}

fn draw(found: &Verification) {
    for (style, mark, files, what) in
        [(CAREFUL, "~", &found.changed, "changed outside"), (BAD, "-", &found.missing, "missing")]
    {
        for file in files {
            print(format_args!("{} {}  {what}", paint(style, mark), text::one_line(file)));
        }
    }
    for (line, problem) in &found.broken {
        let problem = text::one_line(&problem.to_string());
        print(format_args!("{} {}:{line}  {problem}", paint(BAD, "✗"), TraceLog::PATH));
    }
    let (unchanged, changed, missing) = (found.unchanged.len(), found.changed.len(), found.missing.len());
    let files = text::counted(unchanged + changed + missing, "file was", "files were");
    print(format_args!(
        "{} {files} written by agents: {unchanged} unchanged, {changed} changed outside, {missing} missing",
        if found.is_whole() { paint(GOOD, "✓") } else { paint(BAD, "✗") },
    ));
    if !found.is_whole() {
        output::error(&records::malformed(found.broken.len()));
        output::hint(
            "compare the trace with its version in git to find the change; steersman only appends to it",
        );
    }
}
