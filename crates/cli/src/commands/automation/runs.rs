//! `steersman automation runs [--hook ID] [--json]`

use automation::queue::{self, QueueState, Run, Stage};
use serde_json::{Value, json};

use super::Applied;
use crate::commands::Place;
use crate::exit::Exit;
use crate::output::paint::{FAINT, GOOD, STRONG};
use crate::output::table::{Cell, Column, Table};
use crate::output::{self, moment, print, text};

/// List running and queued runs
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Only runs of this automation
    #[arg(long, value_name = "ID")]
    hook: Option<String>,
    /// Print JSON: {"runs": [{id, hookId, status, durationMs, attempts, trigger, file, waitsFor}]}
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, place: &Place) -> anyhow::Result<Exit> {
    let applied = Applied::read(place);
    applied.note_errors();
    let queue = if place.workspace.automation_queue().as_path().exists() {
        queue::read(&place.workspace)?
    } else {
        QueueState::default()
    };
    let is_meant = |run: &&Run| args.hook.as_deref().is_none_or(|wanted| wanted == run.queued.hook.as_str());
    // Running runs first.
    let mut runs: Vec<&Run> = queue.open().filter(is_meant).collect();
    runs.sort_by_key(|run| run.is_pending());
    if args.json {
        let runs: Vec<Value> = runs.iter().map(|run| wire(run, &queue)).collect();
        output::json(&json!({ "runs": runs }))?;
        return Ok(Exit::Fine);
    }
    if runs.is_empty() {
        match applied.n_waiting(&queue) {
            0 => {
                output::note("no run is running or queued");
                output::hint("run `steersman automation history` for ended runs");
            }
            n => {
                let events = text::counted(n, "emitted event waits", "emitted events wait");
                output::note(&format!("no run is running or queued; {events} for `steersman serve`"));
            }
        }
        return Ok(Exit::Fine);
    }
    for line in table(&runs, &queue).lines(output::columns()) {
        print(format_args!("{line}"));
    }
    let is_served = serve::Lock::holder(&place.workspace).is_some();
    if !is_served {
        output::hint("no server runs; `steersman serve` executes the queued runs");
    }
    Ok(Exit::Fine)
}

fn table(runs: &[&Run], queue: &QueueState) -> Table {
    let columns = ["STATE", "FOR", "AUTOMATION"].map(Column::left);
    let mut table = Table::new([Column::whole("RUN")].into_iter().chain(columns));
    for run in runs {
        let style = if run.is_pending() { FAINT } else { GOOD };
        let cells = [
            run.queued.id.to_string().into(),
            Cell::styled(state(run), style),
            moment::duration(age(run)).into(),
            Cell::styled(text::one_line(run.queued.hook.as_str()), STRONG),
        ];
        table.push_with(cells, detail(run, queue));
    }
    table
}

/// Returns the trigger of a run, the number of its try, and the automations it waits for.
fn detail(run: &Run, queue: &QueueState) -> String {
    let occurrence = &run.queued.occurrence;
    let file = occurrence.shown_file().map(|file| format!(" {}", text::one_line(&file)));
    let attempt = (run.attempts > 1).then(|| format!(", try {}", run.attempts));
    let before = waits_for(run, queue);
    let waits = (!before.is_empty()).then(|| format!(", waits for {}", text::one_line(&before.join(", "))));
    format!(
        "by {}{}{}{}",
        text::one_line(&occurrence.kind.to_string()),
        file.unwrap_or_default(),
        attempt.unwrap_or_default(),
        waits.unwrap_or_default()
    )
}

fn wire(run: &Run, queue: &QueueState) -> Value {
    json!({
        "id": run.queued.id.as_str(),
        "hookId": run.queued.hook.as_str(),
        "status": state(run),
        "durationMs": age(run),
        "attempts": run.attempts,
        "trigger": run.queued.occurrence.kind.to_string(),
        "file": run.queued.occurrence.shown_file(),
        "waitsFor": waits_for(run, queue),
    })
}

/// Returns the status of an open run in one word.
fn state(run: &Run) -> &'static str {
    match run.stage {
        _ if run.cancel_asked => "canceling",
        Stage::Running { .. } => "running",
        Stage::Pending { not_before } if not_before > store::now() => "retrying",
        Stage::Pending { .. } => "queued",
    }
}

/// Returns for how long it is running or queued, in milliseconds.
fn age(run: &Run) -> u64 {
    let since = match run.stage {
        Stage::Running { since, .. } => since,
        Stage::Pending { .. } => run.queued_at,
    };
    store::now().millis_since(since)
}

/// Returns the automations whose open runs must end first.
fn waits_for(run: &Run, queue: &QueueState) -> Vec<String> {
    let open = run.queued.waits_for().filter_map(|id| queue.run(id));
    open.map(|before| before.queued.hook.to_string()).collect()
}
