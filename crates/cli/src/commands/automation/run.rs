//! `steersman automation run ID [--file F] [--data KEY=VALUE]… [--json]`

use std::sync::mpsc::channel;
use std::thread;
use std::time::{Duration, Instant};

use automation::queue::{Entry, QueuedRun};
use automation::{
    AutomationId, ExecutionRecord, Occurrence, OccurrenceKind, Status, TrustedAutomations, queue,
};
use engine::{AutomationSet, Engine};
use redact::Filter;
use serve::{Lock, LockError};

use super::followed_run::FollowedRun;
use super::{Applied, report_unknown};
use crate::ancestry;
use crate::commands::{Place, serve as server};
use crate::exit::Exit;
use crate::output::{self, text};

/// Run an automation now and wait until it ends
///
/// A running server executes the run; without a server, this command does. Prints the output of the run while
/// it runs, stderr to stderr.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The id of the automation
    id: String,
    /// The file for the run, relative to the workspace
    #[arg(long, value_name = "F")]
    file: Option<String>,
    /// A value for the templates; may be repeated
    #[arg(long, value_name = "KEY=VALUE", value_parser = key_and_value)]
    data: Vec<(String, String)>,
    /// Print the record of the run as JSON
    #[arg(long)]
    json: bool,
}

/// The interval at which the journal is read.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

pub(super) fn run(args: &Args, place: &Place) -> anyhow::Result<Exit> {
    let applied = Applied::read(place);
    let Applied { configuration, files, .. } = &applied;
    let known = configuration.automations().map(|it| &it.id);
    let Some(id) = AutomationId::new(&args.id).ok().filter(|id| configuration.get(id).is_some()) else {
        applied.print_errors();
        return Ok(report_unknown(&args.id, known));
    };
    applied.note_errors();
    let mut trusted = TrustedAutomations::default();
    match server::verify_trust(place, files) {
        Ok(files) => drop(trusted.take(&files, place.workspace.root())),
        Err(why) => {
            output::error(&why);
            return Ok(Exit::No);
        }
    }
    let now = store::now();
    let what = OccurrenceKind::Custom {
        name: Occurrence::MANUAL.to_owned(),
        path: args.file.clone(),
        data: args.data.iter().map(|(key, value)| (key.clone(), value.as_str().into())).collect(),
    };
    let mut occurrence = Occurrence::new(now, what);
    occurrence.chain = ancestry::automation_chain();
    if let Err(refusal) = occurrence.chain.check(&id) {
        output::error(&refusal.to_string());
        return Ok(Exit::No);
    }
    let patterns = configuration.get(&id).map(|it| it.secret_patterns.clone()).unwrap_or_default();
    // The loader has checked these patterns.
    let filter = Filter::with_patterns(patterns).unwrap_or_default();
    let queued = QueuedRun::new(now, id, occurrence.without_secrets(&filter));
    let mut followed = FollowedRun::new(&place.workspace, queued.id.clone(), !args.json)?;
    queue::append(&place.workspace, now, [Entry::Queued { run: queued }])?;
    let record = match Lock::take(&place.workspace) {
        Ok(lock) => {
            let record = execute(place, &trusted, &mut followed);
            drop(lock);
            record?
        }
        Err(LockError::Held(_) | LockError::HeldByUnknown) => wait_for(place, &mut followed)?,
        Err(error) => return Err(error.into()),
    };
    print_result(args, &record, &followed)
}

fn key_and_value(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((key, value)) if !key.is_empty() => Ok((key.to_owned(), value.to_owned())),
        _ => Err("write `KEY=VALUE`".to_owned()),
    }
}

/// Executes this run here; all others stay in the queue.
fn execute(
    place: &Place,
    trusted: &TrustedAutomations,
    followed: &mut FollowedRun,
) -> anyhow::Result<ExecutionRecord> {
    let settings = server::settings(place);
    let automations = AutomationSet::trusted(trusted, &settings);
    let (sender, reports) = channel();
    let (mut engine, _) = Engine::open(settings, automations, move |report| drop(sender.send(report)))?;
    engine.set_may_begin(true);
    loop {
        engine.set_only(followed.run().clone());
        let turn = engine.turn()?;
        if let Some(record) = followed.poll()? {
            return Ok(record);
        }
        followed.check_queued()?;
        let pause = turn
            .next
            .map_or(POLL_INTERVAL, |next| next.saturating_duration_since(Instant::now()).min(POLL_INTERVAL));
        if let Ok(report) = reports.recv_timeout(pause) {
            engine.receive(report);
        }
    }
}

/// Waits until the server has executed the run.
fn wait_for(place: &Place, followed: &mut FollowedRun) -> anyhow::Result<ExecutionRecord> {
    loop {
        let is_served = Lock::holder(&place.workspace).is_some();
        if let Some(record) = followed.poll()? {
            return Ok(record);
        }
        followed.check_queued()?;
        if !is_served {
            anyhow::bail!(
                "the server stopped before it started the run; the run is still queued\nhint: run `steersman serve` to execute it"
            );
        }
        thread::sleep(POLL_INTERVAL);
    }
}

fn print_result(args: &Args, record: &ExecutionRecord, followed: &FollowedRun) -> anyhow::Result<Exit> {
    if args.json {
        output::json(record)?;
    } else {
        followed.show_rest_of(record.logs.as_deref().unwrap_or_default());
        match &record.error {
            Some(error) => output::error(&format!("{}: {}", error.code, text::one_line(&error.message))),
            None => output::note(&format!("{}: {}", record.hook_id, record.status.as_str())),
        }
    }
    Ok(if record.status == Status::Success { Exit::Fine } else { Exit::No })
}
