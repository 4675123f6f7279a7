//! `steersman trace verify [--json]`
//!
//! With `--json`: `{"whole": bool, "unchanged": […], "changed": […], "missing": […], "broken":
//! [{"line", "problem"}]}`.

use std::fs;

use anyhow::Context;
use intent::ContentHash;
use intent::trace::{TraceLog, Verification, verify};
use serde_json::{Value, json};

use super::records;
use crate::commands::Place;
use crate::exit::Exit;
use crate::output::paint::{BAD, CAREFUL, GOOD, paint};
use crate::output::{self, print, text};

/// Verify the trace against the files on disk
///
/// Reports files that are unchanged, changed outside, or missing. Exits with 1 if the trace has a malformed
/// line; files changed by a person are no error.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Print JSON: {"whole", "unchanged", "changed", "missing", "broken": [{line, problem}]}
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
    if args.json {
        let broken: Vec<Value> = found
            .broken
            .iter()
            .map(|(line, problem)| json!({"line": line, "problem": problem.to_string()}))
            .collect();
        output::json(&json!({
            "whole": found.is_whole(),
            "unchanged": found.unchanged,
            "changed": found.changed,
            "missing": found.missing,
            "broken": broken,
        }))?;
    } else {
        draw(&found);
    }
    Ok(if found.is_whole() { Exit::Fine } else { Exit::No })
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
