//! `steersman automation cancel RUN…`

use automation::queue::{self, Entry, Folded};
use automation::{Configuration, ExecutionId};
use engine::{Engine, Roster};
use serve::{Lock, LockError};

use crate::commands::{Place, serve as server};
use crate::exit::Exit;
use crate::output::{self, text};

/// Stop a run that waits or is at work
///
/// A server that is at work stops it; without one it is taken out of the queue. `automation logs` shows the ids
/// of runs.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The run, or the beginning of its id
    #[arg(required_unless_present_any = ["hook", "all"])]
    runs: Vec<String>,
    /// Every run of this automation
    #[arg(long, value_name = "ID", conflicts_with = "runs")]
    hook: Option<String>,
    /// Every run
    #[arg(long, conflicts_with_all = ["runs", "hook"])]
    all: bool,
    /// Print JSON: {"canceled": [id]}
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, place: &Place) -> anyhow::Result<Exit> {
    let folded = if place.workspace.automation_queue().as_path().exists() {
        queue::read(&place.workspace)?
    } else {
        Folded::default()
    };
    let meant = match meant(args, &folded) {
        Ok(meant) => meant,
        Err(exit) => return Ok(exit),
    };
    if !meant.is_empty() {
        let asked = meant.iter().map(|run| Entry::CancelAsked { run: run.clone() });
        queue::append(&place.workspace, store::now(), asked)?;
        take_out(place)?;
    }
    if args.json {
        let ids: Vec<&str> = meant.iter().map(ExecutionId::as_str).collect();
        output::json(&serde_json::json!({ "canceled": ids }))?;
    } else if meant.is_empty() {
        output::note("no run waits or is at work");
    } else {
        for run in &meant {
            output::note(&format!("✓ {run} is stopped"));
        }
    }
    Ok(Exit::Fine)
}

/// Finds the runs that are meant.
fn meant(args: &Args, folded: &Folded) -> Result<Vec<ExecutionId>, Exit> {
    let open = || folded.open().map(|run| &run.queued);
    if args.runs.is_empty() {
        let is_meant = |hook: &str| args.hook.as_deref().is_none_or(|wanted| wanted == hook);
        return Ok(open().filter(|it| is_meant(it.hook.as_str())).map(|it| it.id.clone()).collect());
    }
    let mut meant = Vec::new();
    for wanted in &args.runs {
        let alike: Vec<&ExecutionId> =
            open().map(|it| &it.id).filter(|id| id.as_str().starts_with(wanted.as_str())).collect();
        match alike.as_slice() {
            [one] => meant.push((*one).clone()),
            [] => {
                output::complain(&format!("no run `{}` waits or is at work", text::one_line(wanted)));
                output::hint("`steersman automation logs` shows runs, `automation history` those that ended");
                return Err(Exit::No);
            }
            several => {
                let ids: Vec<&str> = several.iter().map(|id| id.as_str()).collect();
                output::complain(&format!("`{wanted}` may be {}", ids.join(" or ")));
                return Err(Exit::No);
            }
        }
    }
    Ok(meant)
}

/// Without a server, takes out of the queue what shall not run any more; nothing is begun.
fn take_out(place: &Place) -> anyhow::Result<()> {
    let _lock = match Lock::take(&place.workspace) {
        Ok(lock) => lock,
        // The server reads the queue by itself.
        Err(LockError::Held(_) | LockError::HeldByUnknown) => return Ok(()),
        Err(error) => return Err(error.into()),
    };
    let settings = server::settings(place);
    let (configuration, _) = Configuration::load(&place.workspace);
    let roster = Roster::shown(configuration.automations().cloned(), &settings);
    let (mut engine, _) = Engine::open(settings, roster, |_| {})?;
    engine.turn()?;
    Ok(())
}
