//! Measures one hook event from spawn to exit, compared with programs that do nothing and one in Node.
//!
//! Wall clocks of shared machines differ by a factor of two between minutes, so
//! nothing here is a number on its own: all contestants run in turn within one
//! run, and what counts are the ratios between them.

mod contestant;
mod history;
pub(crate) mod layout;
mod machine;
mod payload;
mod scenario;
pub(crate) mod shipped;
mod spawn;
mod statistics;
mod table;
mod targets;
mod workspace;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::release::{self, Linkage};
use crate::scratch::Scratch;
use crate::{prerequisite, repo};
use contestant::{Answer, Contestant};
use scenario::SCENARIOS;
use workspace::Workspace;

#[cfg(test)]
pub(crate) use targets::table as targets_table;

/// Rounds that are run before anything counts: files get into the cache.
const WARM_UP: usize = 5;

/// Node runs in one of so many rounds: it takes as long as a hundred of the others.
const NODE_ONE_IN: usize = 10;

struct Options {
    runs: usize,
    json: bool,
    binary: Option<PathBuf>,
}

/// Builds, prepares, measures, and prints the tables.
pub(crate) fn run(mut args: lexopt::Parser) -> Result<()> {
    let mut options = Options { runs: 300, json: false, binary: None };
    while let Some(arg) = args.next()? {
        match arg {
            lexopt::Arg::Long("runs") => {
                options.runs = args.value()?.to_string_lossy().parse().context("`--runs` wants a number")?;
            }
            lexopt::Arg::Long("json") => options.json = true,
            lexopt::Arg::Long("binary") => options.binary = Some(std::path::absolute(args.value()?)?),
            _ => return Err(arg.unexpected().into()),
        }
    }
    if options.runs == 0 {
        bail!("`--runs` wants at least one");
    }
    let linkage = if cfg!(target_os = "linux") { Linkage::Static } else { Linkage::Native };
    let empty = release::empty_program(linkage)?;
    let steersman = match options.binary {
        Some(binary) => binary,
        None => release::steersman(linkage)?,
    };
    let scratch = Scratch::new("steersman-startup")?;
    let mut contestants = idle_contestants(&scratch, &empty)?;
    for scenario in SCENARIOS {
        eprintln!("preparing: {}", scenario.title);
        let workspace = Workspace::new(&scratch.path().join(scenario.id), &steersman)?;
        let context = || format!("cannot prepare {}", scenario.title);
        (scenario.write)(&workspace).with_context(context)?;
        workspace.begin_session().with_context(context)?;
        (scenario.begin)(&workspace).with_context(context)?;
        contestants.push(Contestant::steersman(scenario, &steersman, workspace)?);
    }
    contestants.extend(wrappers(&scratch, &steersman)?);
    contestants.extend(node_contestant(&scratch, &steersman)?);

    measure(&mut contestants, options.runs)?;
    for contestant in &contestants {
        contestant.check_journal()?;
    }
    let machine = machine::describe();
    if options.json {
        println!("{:#}", table::json(&contestants, &machine));
    } else {
        println!("{}", table::markdown(&contestants, &machine));
    }
    Ok(())
}

/// The programs that do nothing: one that is on every machine, one built like ours.
fn idle_contestants(scratch: &Scratch, empty: &Path) -> Result<Vec<Contestant>> {
    let os_true = PathBuf::from("/bin/true");
    let workspace = |id: &str| Workspace::new(&scratch.path().join(id), empty);
    Ok(vec![
        Contestant::idle("true", "`/bin/true`", &os_true, workspace("true")?),
        Contestant::idle("empty", "an empty Rust program, linked the same way", empty, workspace("empty")?),
    ])
}

/// The sockets of programs outside that the confined run must cover.
const N_COVERS: usize = 6;

/// A plain wrapper and a confined run of the same program, with ten folders in scope and six sockets to cover.
fn wrappers(scratch: &Scratch, steersman: &Path) -> Result<Vec<Contestant>> {
    let workspace = |id: &str| Workspace::new(&scratch.path().join(id), steersman);
    let mut confined = vec!["run", "--write"];
    confined.extend(targets::FOLDERS);
    confined.extend(["--", "/bin/true"]);
    let place = workspace("confined")?;
    for folder in targets::FOLDERS {
        place.write(&format!("{folder}/file"), "")?;
    }
    #[cfg(unix)]
    for number in 0..N_COVERS {
        let listener = std::os::unix::net::UnixListener::bind(scratch.path().join(format!("{number}.sock")))?;
        // It listens until the measurement has ended, which is the end of this process.
        std::mem::forget(listener);
    }
    let title = "`steersman run` of it, with ten folders in scope and six sockets covered";
    Ok(vec![
        Contestant::wrapper(
            "wrapper",
            "`env /bin/true`, a plain wrapper",
            Path::new("/usr/bin/env"),
            &["/bin/true"],
            workspace("wrapper")?,
        ),
        Contestant::wrapper("confined", title, steersman, &confined, place),
    ])
}

fn node_contestant(scratch: &Scratch, steersman: &Path) -> Result<Option<Contestant>> {
    let Some(node) = prerequisite::program("node") else {
        eprintln!("node is not installed: nothing to compare with there");
        return Ok(None);
    };
    let workspace = Workspace::new(&scratch.path().join("node"), steersman)?;
    workspace.write(".ai/hooks/dispatch.manifest.json", scenario::PLAIN_MANIFEST)?;
    workspace.write(".ai/hooks/config.json", "{\"version\": 1}\n")?;
    let script = repo::root().join("bench/node-dispatcher/dispatch.mjs");
    Contestant::node(&node, &script, workspace, NODE_ONE_IN).map(Some)
}

/// Lets everyone run once per round, in an order that is shuffled each time,
/// so that no contestant always runs after the same one.
fn measure(contestants: &mut [Contestant], runs: usize) -> Result<()> {
    let mut order: Vec<usize> = (0..contestants.len()).collect();
    let mut random = 0x9e37_79b9_7f4a_7c15_u64;
    for round in 0..WARM_UP + runs {
        for last in (1..order.len()).rev() {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            let below = u64::try_from(last + 1)?;
            order.swap(last, usize::try_from(random % below)?);
        }
        let counted = round.checked_sub(WARM_UP);
        for &index in &order {
            let contestant = &mut contestants[index];
            if counted.unwrap_or(0).is_multiple_of(contestant.one_in) {
                contestant.run(counted.is_some())?;
            }
        }
        if let Some(done) = counted.filter(|done| (done + 1).is_multiple_of(100)) {
            eprintln!("{} of {runs} rounds", done + 1);
        }
    }
    Ok(())
}

/// Returns how many lines a journal has.
fn count_lines(path: &Path) -> Result<usize> {
    let bytes = std::fs::read(path).with_context(|| format!("cannot read `{}`", path.display()))?;
    Ok(bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).count())
}

/// Runs one contestant's call and returns its answer; used while preparing too.
fn answer(run: &spawn::Run, expected: Answer, who: &str) -> Result<serde_json::Value> {
    run.check(expected).with_context(|| format!("{who} does not work, so measuring it is worthless"))
}
