//! Runs all checks of a change, the quickest first.

mod report;
pub(crate) mod runner;

use std::time::Instant;

use anyhow::{Context, Result, bail};

use crate::background_build::BackgroundBuild;
use crate::prerequisite::Prerequisite;
use crate::startup::shipped;
use crate::{codegen, editor, fuzz, layering, repo, tidy};
use report::{Outcome, Report};
use runner::Totals;

/// One check.
struct Step {
    name: &'static str,
    run: fn(&mut Ran) -> Result<()>,
}

/// The results that steps pass to later ones and to the end.
#[derive(Default)]
struct Ran {
    /// The result of the test runner.
    tests: Totals,
    made_up_input: Totals,
    shipped: Option<BackgroundBuild>,
}

const STEPS: &[Step] = &[
    Step { name: "tools", run: |_| tools() },
    Step { name: "tidy", run: |_| tidy::check() },
    Step { name: "layering", run: |_| layering::check() },
    Step { name: "format", run: |_| format() },
    Step { name: "ahead", run: ahead },
    Step { name: "clippy", run: |_| clippy() },
    Step { name: "codegen", run: |_| codegen::check() },
    Step { name: "extension", run: |_| editor::check() },
    Step { name: "tests", run: tests },
    // After the tests, which build the binary, and beside no build: it drives a browser.
    Step { name: "editor", run: |_| editor::check_workflows() },
    Step { name: "fuzz", run: made_up_input },
    Step { name: "shipped", run: |_| shipped::check() },
];

/// The tools that the steps need from the start.
const PREREQUISITES: &[Prerequisite] =
    &[Prerequisite::Rustfmt, Prerequisite::Clippy, Prerequisite::Npm, Prerequisite::Chromium];

/// Packages of their own, outside of the workspace, that `cargo fmt --all` does not reach.
const OUTSIDE: &[&str] = &["bench/empty/Cargo.toml", "fuzz/Cargo.toml"];

/// Runs the steps and stops at the first that fails, unless told to `--keep-going`.
pub(crate) fn run(mut args: lexopt::Parser) -> Result<()> {
    let mut keep_going = false;
    while let Some(arg) = args.next()? {
        match arg {
            lexopt::Arg::Long("keep-going") => keep_going = true,
            _ => return Err(arg.unexpected().into()),
        }
    }
    let mut report = Report::default();
    let mut ran = Ran::default();
    for step in STEPS {
        if report.has_failed() && !keep_going {
            report.add(step.name, Outcome::Skipped, None);
            continue;
        }
        println!("\n== {}", step.name);
        let start = Instant::now();
        let result = (step.run)(&mut ran);
        let took = start.elapsed();
        match result {
            Ok(()) => report.add(step.name, Outcome::Passed, Some(took)),
            Err(error) => {
                println!("error: {error:#}");
                report.add(step.name, Outcome::Failed, Some(took));
            }
        }
    }
    println!("\n== steps\n{report}");
    // Last, so that the end of a log shows what ran and how it ended.
    ran.made_up_input.print("made-up input");
    ran.tests.print("tests");
    if report.has_failed() {
        bail!(
            "not every step passed{}",
            if keep_going { "" } else { "; `--keep-going` runs the others too" }
        );
    }
    Ok(())
}

fn tools() -> Result<()> {
    for prerequisite in PREREQUISITES {
        prerequisite.ensure()?;
    }
    println!("all installed");
    Ok(())
}

fn format() -> Result<()> {
    let hint = "run `cargo fmt --all`";
    repo::run(&mut repo::cargo(&["fmt", "--all", "--check"])).context(hint)?;
    for manifest in OUTSIDE {
        if repo::root().join(manifest).is_file() {
            repo::run(&mut repo::cargo(&["fmt", "--check", "--manifest-path", manifest])).context(hint)?;
        }
    }
    println!("formatted");
    Ok(())
}

/// Starts the build of the shipped binary, which keeps one core busy while the next steps run.
fn ahead(ran: &mut Ran) -> Result<()> {
    ran.shipped = BackgroundBuild::start()?;
    let is_started = ran.shipped.is_some();
    println!(
        "{}",
        if is_started { "building the shipped binary in the background" } else { "nothing to build" }
    );
    Ok(())
}

fn clippy() -> Result<()> {
    repo::run(&mut repo::cargo(&["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]))
}

fn tests(ran: &mut Ran) -> Result<()> {
    repo::run(&mut repo::cargo(&["test", "--workspace", "--no-run"]))?;
    // WHY before the first test: tests check that a hook answers within two seconds, and a build beside
    // them takes part of the processor.
    if let Some(build) = ran.shipped.take() {
        build.wait();
    }
    // Doc tests are part of this call; they would not be with `--all-targets`.
    ran.tests = runner::run(&mut repo::cargo(&["test", "--workspace", "--no-fail-fast"]))?;
    ran.tests.to_result()
}

fn made_up_input(ran: &mut Ran) -> Result<()> {
    ran.made_up_input = fuzz::run_with(fuzz::SHORT)?;
    ran.made_up_input.to_result()
}
