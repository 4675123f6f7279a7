//! Runs the real agent programs, offline against a scripted model, with steersman registered by `steersman init`.
//!
//! Each scenario on each program is one laboratory: a process in its own namespaces (`namespace.rs`) in which this
//! chore runs again (`--inside`), creates a home and a project (`lab.rs`), plays the scenario and writes its checks.
//! `--record` writes all outcomes to a checked-in file, from which `cargo xtask codegen` fills in `docs/hosts.md`;
//! `cargo xtask tidy` fails if the sources of `host` changed since.

mod client;
pub(crate) mod install;
mod lab;
mod model;
mod namespace;
mod outcome;
#[cfg(test)]
mod page;
pub(crate) mod pins;
pub(crate) mod record;
mod scenario;
mod table;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::tidy::file_tree;
use crate::{metadata, repo};
use client::Client;
use lab::Lab;
use namespace::Folders;
use outcome::{Check, Outcome};
use record::Record;
use scenario::Scenario;

/// Laboratories that run at the same time; the programs mostly wait.
const N_WORKERS: usize = 2;

/// The options of the command line.
#[derive(Default)]
struct Options {
    clients: Vec<&'static Client>,
    scenarios: Vec<&'static Scenario>,
    binary: Option<PathBuf>,
    is_recording: bool,
}

/// Runs the scenarios and prints the table; fails if a check failed.
pub(crate) fn run(mut args: lexopt::Parser) -> Result<()> {
    let mut options = Options::default();
    while let Some(arg) = args.next()? {
        match arg {
            lexopt::Arg::Long("only") => {
                options.clients.push(client_named(&args.value()?.to_string_lossy())?);
            }
            lexopt::Arg::Long("scenario") => {
                options.scenarios.push(scenario_named(&args.value()?.to_string_lossy())?);
            }
            lexopt::Arg::Long("binary") => options.binary = Some(std::path::absolute(args.value()?)?),
            lexopt::Arg::Long("list") => {
                print_choices();
                return Ok(());
            }
            lexopt::Arg::Long("record") => options.is_recording = true,
            // How this chore calls itself in a laboratory.
            lexopt::Arg::Long("inside") => {
                let client = client_named(&args.value()?.to_string_lossy())?;
                let scenario = scenario_named(&args.value()?.to_string_lossy())?;
                return play(client, scenario);
            }
            _ => return Err(arg.unexpected().into()),
        }
    }
    if options.is_recording && !(options.clients.is_empty() && options.scenarios.is_empty()) {
        bail!(
            "cannot record a part of the table\nhint: run `cargo xtask clients --record` without `--only` and `--scenario`"
        );
    }
    if options.clients.is_empty() {
        options.clients = client::ALL.to_vec();
    }
    if options.scenarios.is_empty() {
        options.scenarios = scenario::ALL.iter().collect();
    }
    let record = run_all(&options)?;
    println!("\n{}", table::terminal(&record));
    if options.is_recording {
        record.write(&repo::root())?;
        println!("wrote {}\nhint: run `cargo xtask codegen` and commit both", record::FILE);
    }
    match record.n_failed() {
        0 => Ok(()),
        n_failed => bail!("{n_failed} failed\nhint: each laboratory left its log below target/clients/runs"),
    }
}

/// Returns the section of `docs/hosts.md` that shows the record.
#[cfg(test)]
pub(crate) fn recorded_table() -> String {
    let text = fs::read_to_string(repo::root().join(record::FILE)).expect("a record is checked in");
    let record = Record::parse(&text).expect("the record is valid");
    let title = |id: &str| client::find(id).map_or("", |client| client.title);
    let about = |id: &str| scenario::find(id).map_or("", |scenario| scenario.about);
    page::markdown(&record, title, about)
}

fn print_choices() {
    println!("Programs (`--only`):");
    for client in client::ALL {
        println!("  {:10} {} {}", client.pin.id, client.title, client.pin.version);
    }
    println!("Scenarios (`--scenario`):");
    for scenario in scenario::ALL {
        println!("  {:10} {}", scenario.id, scenario.about);
    }
}

fn client_named(id: &str) -> Result<&'static Client> {
    client::find(id).with_context(|| {
        let known: Vec<&str> = client::ALL.iter().map(|client| client.pin.id).collect();
        format!("unknown program `{id}`\nhint: use one of {}", known.join(", "))
    })
}

fn scenario_named(id: &str) -> Result<&'static Scenario> {
    scenario::find(id).with_context(|| {
        let known: Vec<&str> = scenario::ALL.iter().map(|scenario| scenario.id).collect();
        format!("unknown scenario `{id}`\nhint: use one of {}", known.join(", "))
    })
}

/// Plays one scenario; this process is inside a laboratory.
fn play(client: &'static Client, scenario: &Scenario) -> Result<()> {
    let mut lab = Lab::open(client)?;
    if let Err(error) = (scenario.play)(&mut lab) {
        lab.check("the scenario can be played", false, &format!("{error:#}"));
    }
    lab.close()
}

fn run_all(options: &Options) -> Result<Record> {
    namespace::ensure_supported()?;
    let workspace = metadata::read()?;
    let base = workspace.target.join("clients");
    let (programs, bin) = (base.join("programs"), base.join("bin"));
    for folder in [&programs, &bin] {
        fs::create_dir_all(folder).with_context(|| format!("cannot create `{}`", folder.display()))?;
    }
    let mut pins: Vec<_> = options.clients.iter().map(|client| client.pin).collect();
    if options.clients.iter().any(|client| client.runs_on_node) {
        pins.push(pins::NODE);
    }
    install::ensure(&programs, &pins)?;
    let steersman = if let Some(binary) = &options.binary {
        binary.clone()
    } else {
        repo::run(&mut repo::cargo(&["build", "--package", "steersman"]))
            .context("cannot build the binary")?;
        workspace.target.join("debug/steersman")
    };
    place(&steersman, &bin.join("steersman"))?;
    place(&std::env::current_exe().context("cannot find this program")?, &bin.join("xtask"))?;

    let outcomes = run_cells(options, &base);
    let of_scenario = |scenario: &Scenario| {
        let own = outcomes.iter().filter(|cell| cell.scenario == scenario.id);
        own.map(|cell| (cell.client.to_owned(), cell.outcome.clone())).collect::<Vec<_>>()
    };
    let version = repo::output(Command::new(bin.join("steersman")).arg("--version"))?;
    Ok(Record {
        steersman: version.split_whitespace().nth(1).unwrap_or_default().to_owned(),
        commit: commit()?,
        host_sources: record::hash_sources(&file_tree::read(&repo::root())?),
        programs: options
            .clients
            .iter()
            .map(|it| (it.pin.id.to_owned(), it.pin.version.to_owned()))
            .collect(),
        scenarios: options.scenarios.iter().map(|it| (it.id.to_owned(), of_scenario(it))).collect(),
    })
}

/// The outcome of one scenario on one program.
struct Cell {
    scenario: &'static str,
    client: &'static str,
    outcome: Outcome,
}

/// Runs every scenario on every program, in the order of the table.
fn run_cells(options: &Options, base: &Path) -> Vec<Cell> {
    let pairs =
        options.scenarios.iter().flat_map(|it| options.clients.iter().map(move |client| (*it, *client)));
    let pairs = Mutex::new(pairs.enumerate());
    let cells = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..N_WORKERS {
            scope.spawn(|| {
                loop {
                    let next = pairs.lock().unwrap_or_else(PoisonError::into_inner).next();
                    let Some((index, (scenario, client))) = next else { return };
                    let start = Instant::now();
                    let outcome = run_cell(scenario, client, base).unwrap_or_else(|error| {
                        Outcome::failed("the laboratory runs", &format!("{error:#}"))
                    });
                    let word = match &outcome {
                        Outcome::Passed { n_checks } => format!("passed, {n_checks} checks"),
                        Outcome::Failed(failures) => {
                            let failures: Vec<String> = failures.iter().map(ToString::to_string).collect();
                            format!("FAILED, {}", failures.join("; "))
                        }
                        Outcome::NotApplicable(reason) => format!("not applicable: {reason}"),
                    };
                    println!("{} on {}: {word} ({} s)", scenario.id, client.title, start.elapsed().as_secs());
                    let cell = Cell { scenario: scenario.id, client: client.pin.id, outcome };
                    cells.lock().unwrap_or_else(PoisonError::into_inner).push((index, cell));
                }
            });
        }
    });
    let mut cells = cells.into_inner().unwrap_or_else(PoisonError::into_inner);
    cells.sort_by_key(|(index, _)| *index);
    cells.into_iter().map(|(_, cell)| cell).collect()
}

fn run_cell(scenario: &Scenario, client: &Client, base: &Path) -> Result<Outcome> {
    if let Some(reason) = (scenario.not_applicable)(client) {
        return Ok(Outcome::NotApplicable(reason.to_owned()));
    }
    let scratch = base.join("runs").join(format!("{}-{}", client.pin.id, scenario.id));
    let folders = Folders { programs: &base.join("programs"), bin: &base.join("bin"), scratch: &scratch };
    let output = namespace::run(&folders, &["clients", "--inside", client.pin.id, scenario.id])?;
    if !output.status.success() {
        bail!(
            "the laboratory failed ({}): {}",
            output.status,
            String::from_utf8_lossy(&output.stderr).trim()
        );
    }
    let result = scratch.join(lab::RESULT);
    let text = fs::read_to_string(&result).with_context(|| format!("cannot read `{}`", result.display()))?;
    let checks: Vec<Value> = serde_json::from_str(&text).context("cannot parse the checks")?;
    let checks = checks.iter().map(Check::from_json).collect::<Result<Vec<_>>>()?;
    Ok(Outcome::of(&checks))
}

/// Copies a program, beside the destination first: another run of this chore may use the old one.
fn place(program: &Path, destination: &Path) -> Result<()> {
    let fresh = destination.with_extension(std::process::id().to_string());
    let context = || format!("cannot copy `{}`", program.display());
    fs::copy(program, &fresh).with_context(context)?;
    fs::rename(&fresh, destination).with_context(context)
}

/// Returns the commit of the checkout, marked if sources of the product are changed.
fn commit() -> Result<String> {
    let git = |args: &[&str]| repo::output(Command::new("git").current_dir(repo::root()).args(args));
    let commit = git(&["rev-parse", "--short=12", "HEAD"])?;
    // The record itself may be changed: an earlier attempt wrote it.
    let exception = format!(":!{}", record::FILE);
    let changes = git(&["status", "--porcelain", "--", "crates", "Cargo.toml", "Cargo.lock", &exception])?;
    let mark = if changes.is_empty() { "" } else { "-changed" };
    Ok(format!("{}{mark}", commit.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_program_and_scenario_has_its_own_name() {
        for (index, client) in client::ALL.iter().enumerate() {
            assert_eq!(client::ALL.iter().position(|it| it.pin.id == client.pin.id), Some(index));
            assert_eq!(client_named(client.pin.id).unwrap().title, client.title);
        }
        for (index, scenario) in scenario::ALL.iter().enumerate() {
            assert_eq!(scenario::ALL.iter().position(|it| it.id == scenario.id), Some(index));
            assert_eq!(scenario_named(scenario.id).unwrap().about, scenario.about);
        }
    }

    #[test]
    fn an_unknown_name_is_an_error_that_lists_the_known_ones() {
        let error = client_named("emacs").err().unwrap().to_string();
        assert!(error.starts_with("unknown program `emacs`\nhint: use one of claude, "), "{error}");
        assert!(scenario_named("x").is_err());
    }

    #[test]
    fn a_part_of_the_table_is_not_recorded() {
        let args = lexopt::Parser::from_args(["--record", "--only", "codex"]);
        assert!(run(args).unwrap_err().to_string().starts_with("cannot record a part of the table"));
    }
}
