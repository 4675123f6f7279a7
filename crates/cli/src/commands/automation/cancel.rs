//! `steersman automation cancel RUN…`

use automation::ExecutionId;
use automation::queue::{self, Entry, QueueState};
use engine::{AutomationSet, Engine};
use serve::{Lock, LockError};

use super::Applied;
use crate::commands::{Place, serve as server};
use crate::exit::Exit;
use crate::output::{self, text};

/// Cancel queued or running runs
///
/// A running server stops them; without a server, this command removes them from the queue. `automation logs`
/// shows the ids of runs.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The ids of the runs, or their first characters
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
    Applied::read(place).note_errors();
    let folded = if place.workspace.automation_queue().as_path().exists() {
        queue::read(&place.workspace)?
    } else {
        QueueState::default()
    };
    let selected = match selected(args, &folded) {
        Ok(selected) => selected,
        Err(exit) => return Ok(exit),
    };
    if !selected.is_empty() {
        let asked = selected.iter().map(|run| Entry::CancelAsked { run: run.clone(), by: None });
        queue::append(&place.workspace, store::now(), asked)?;
    }
    let is_served = !selected.is_empty() && !remove_canceled(place)?;
    if args.json {
        let ids: Vec<&str> = selected.iter().map(ExecutionId::as_str).collect();
        output::json(&serde_json::json!({ "canceled": ids }))?;
    } else if selected.is_empty() {
        output::note("no run is queued or running");
    } else {
        for run in &selected {
            // A run may end before the server reads the queue.
            let done = if is_served { "asked the server to cancel" } else { "canceled" };
            output::note(&format!("✓ {done} {run}"));
        }
    }
    Ok(Exit::Fine)
}

/// Finds the runs to cancel.
fn selected(args: &Args, folded: &QueueState) -> Result<Vec<ExecutionId>, Exit> {
    let open = || folded.open().map(|run| &run.queued);
    if args.runs.is_empty() {
        let is_meant = |hook: &str| args.hook.as_deref().is_none_or(|wanted| wanted == hook);
        return Ok(open().filter(|it| is_meant(it.hook.as_str())).map(|it| it.id.clone()).collect());
    }
    let mut selected = Vec::new();
    for wanted in &args.runs {
        let alike: Vec<&ExecutionId> =
            open().map(|it| &it.id).filter(|id| id.as_str().starts_with(wanted.as_str())).collect();
        match alike.as_slice() {
            [one] => selected.push((*one).clone()),
            [] => {
                output::error(&format!("no queued or running run has the id `{}`", text::one_line(wanted)));
                output::hint(
                    "run `steersman automation logs` for current runs, `automation history` for finished ones",
                );
                return Err(Exit::No);
            }
            several => {
                let ids: Vec<&str> = several.iter().map(|id| id.as_str()).collect();
                output::error(&format!("`{wanted}` is ambiguous: {}", ids.join(" or ")));
                return Err(Exit::No);
            }
        }
    }
    Ok(selected)
}

/// Without a server, removes canceled runs from the queue and starts none. Returns `false` if a server does that.
fn remove_canceled(place: &Place) -> anyhow::Result<bool> {
    let _lock = match Lock::take(&place.workspace) {
        Ok(lock) => lock,
        // The server reads the queue itself.
        Err(LockError::Held(_) | LockError::HeldByUnknown) => return Ok(false),
        Err(error) => return Err(error.into()),
    };
    let settings = server::settings(place);
    let configuration = Applied::read(place).configuration;
    let automations = AutomationSet::display_only(configuration.automations().cloned(), &settings);
    let (mut engine, _) = Engine::open(settings, automations, |_| {})?;
    engine.turn()?;
    Ok(true)
}
