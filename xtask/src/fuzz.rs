//! Runs the tests that generate their input: property tests with more cases, and fuzz targets.

mod properties;

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use crate::test::runner::{self, Totals};
use crate::{prerequisite, repo};

/// The effort.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    /// Cases of each property test that leaves the number to the environment.
    cases: u32,
    /// Seconds for each fuzz target.
    seconds: u32,
}

/// The effort of `cargo xtask test`.
pub(crate) const SHORT: Effort = Effort { cases: 4_000, seconds: 10 };

/// The effort of `cargo xtask fuzz`.
pub(crate) const LONG: Effort = Effort { cases: 100_000, seconds: 600 };

/// Runs all property tests and fuzz targets.
pub(crate) fn run(mut args: lexopt::Parser) -> Result<()> {
    let mut effort = SHORT;
    while let Some(arg) = args.next()? {
        match arg {
            lexopt::Arg::Long("long") => effort = LONG,
            _ => return Err(arg.unexpected().into()),
        }
    }
    let totals = run_with(effort)?;
    totals.print("made-up input");
    totals.to_result()
}

/// The same as a step of `cargo xtask test`.
pub(crate) fn run_with(effort: Effort) -> Result<Totals> {
    let mut totals = Totals::default();
    let calls = properties::calls(&repo::root())?;
    if calls.is_empty() {
        println!("there are no property tests");
    }
    for call in calls {
        let words: Vec<&str> = call.iter().map(String::as_str).collect();
        let mut command = repo::cargo(&words);
        if std::env::var_os("PROPTEST_CASES").is_none() {
            command.env("PROPTEST_CASES", effort.cases.to_string());
        }
        totals.add(runner::run(&mut command)?);
    }
    fuzz_targets(&repo::root(), effort)?;
    Ok(totals)
}

fn fuzz_targets(root: &Path, effort: Effort) -> Result<()> {
    let folder = root.join("fuzz/fuzz_targets");
    if !folder.is_dir() {
        return Ok(());
    }
    if prerequisite::program("cargo-fuzz").is_none() {
        println!("cargo-fuzz is not installed, the targets below fuzz/ are left out");
        return Ok(());
    }
    let mut targets = Vec::new();
    for entry in fs::read_dir(&folder).context("cannot list the fuzz targets")? {
        let path = entry?.path();
        if path.extension().is_some_and(|it| it == "rs") {
            targets.extend(path.file_stem().map(|it| it.to_string_lossy().into_owned()));
        }
    }
    targets.sort();
    for target in targets {
        // Without a sanitizer the targets build with the stable toolchain.
        let time = format!("-max_total_time={}", effort.seconds);
        repo::run(&mut repo::cargo(&["fuzz", "run", "--sanitizer", "none", &target, "--", &time]))?;
    }
    Ok(())
}
