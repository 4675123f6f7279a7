//! `steersman automation run ID [--file F] [--json]`

use std::sync::mpsc::channel;
use std::thread;
use std::time::{Duration, Instant};

use automation::queue::{Entry, QueuedRun};
use automation::{
    AutomationId, Configuration, ExecutionRecord, Occurrence, Status, TrustedAutomations, What, queue,
};
use engine::{Engine, Roster};
use serve::{Lock, LockError};
use store::AutomationFiles;

use super::awaited::Awaited;
use super::{problems, say_absent};
use crate::commands::{Place, serve as server};
use crate::environment;
use crate::exit::Exit;
use crate::output::{self, text};

/// Run an automation now and wait for its end
///
/// With a server at work it does the run; without one this command does. Prints what the run prints while it
/// works, its errors as errors.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The automation
    id: String,
    /// The file it is about, relative to the workspace
    #[arg(long, value_name = "F")]
    file: Option<String>,
    /// Print the record of the run as JSON
    #[arg(long)]
    json: bool,
}

/// How often the journal is looked at.
const LOOK: Duration = Duration::from_millis(100);

pub(super) fn run(args: &Args, place: &Place) -> anyhow::Result<Exit> {
    let files = AutomationFiles::read(&place.workspace);
    let mut configuration = Configuration::default();
    let loaded = configuration.take_files(&files, place.workspace.root());
    let known = configuration.automations().map(|it| &it.id);
    let Some(id) = AutomationId::new(&args.id).ok().filter(|id| configuration.get(id).is_some()) else {
        if !loaded.is_valid() {
            problems::tell(&loaded.problems);
        }
        return Ok(say_absent(&args.id, known));
    };
    let mut trusted = TrustedAutomations::default();
    match server::vouch(place, &files) {
        Ok(files) => drop(trusted.take(&files, place.workspace.root())),
        Err(why) => {
            output::complain(&why);
            return Ok(Exit::No);
        }
    }
    let now = store::now();
    let what = What::Custom {
        name: Occurrence::BY_HAND.to_owned(),
        path: args.file.clone(),
        data: serde_json::Map::new(),
    };
    let mut occurrence = Occurrence::new(now, what);
    occurrence.chain = environment::automation_chain();
    if let Err(refusal) = occurrence.chain.check(&id) {
        output::complain(&refusal.to_string());
        return Ok(Exit::No);
    }
    let queued = QueuedRun::new(now, id, occurrence);
    let mut awaited = Awaited::new(&place.workspace, queued.id.clone(), !args.json)?;
    queue::append(&place.workspace, now, [Entry::Queued { run: queued }])?;
    let record = match Lock::take(&place.workspace) {
        Ok(lock) => {
            let record = do_it(place, &trusted, &mut awaited);
            drop(lock);
            record?
        }
        Err(LockError::Held(_) | LockError::HeldByUnknown) => wait_for(place, &mut awaited)?,
        Err(error) => return Err(error.into()),
    };
    tell(args, &record, &awaited)
}

/// Does the one run here; all others stay in the queue.
fn do_it(
    place: &Place,
    trusted: &TrustedAutomations,
    awaited: &mut Awaited,
) -> anyhow::Result<ExecutionRecord> {
    let settings = server::settings(place);
    let roster = Roster::trusted(trusted, &settings);
    let (sender, reports) = channel();
    let (mut engine, _) = Engine::open(settings, roster, move |report| drop(sender.send(report)))?;
    engine.set_may_begin(true);
    loop {
        engine.set_only(awaited.run().clone());
        let turn = engine.turn()?;
        if let Some(record) = awaited.look()? {
            return Ok(record);
        }
        awaited.check()?;
        let pause = turn.next.map_or(LOOK, |next| next.saturating_duration_since(Instant::now()).min(LOOK));
        if let Ok(report) = reports.recv_timeout(pause) {
            engine.hear(report);
        }
    }
}

/// Waits for the server to do it.
fn wait_for(place: &Place, awaited: &mut Awaited) -> anyhow::Result<ExecutionRecord> {
    loop {
        let is_served = Lock::holder(&place.workspace).is_some();
        if let Some(record) = awaited.look()? {
            return Ok(record);
        }
        awaited.check()?;
        if !is_served {
            anyhow::bail!(
                "the server has stopped; the run waits in the queue\nhint: `steersman serve` goes on with it"
            );
        }
        thread::sleep(LOOK);
    }
}

fn tell(args: &Args, record: &ExecutionRecord, awaited: &Awaited) -> anyhow::Result<Exit> {
    if args.json {
        output::json(record)?;
    } else {
        awaited.show_rest_of(record.logs.as_deref().unwrap_or_default());
        match &record.error {
            Some(error) => output::complain(&format!("{}: {}", error.code, text::one_line(&error.message))),
            None => output::note(&format!("{}: {}", record.hook_id, record.status.as_str())),
        }
    }
    Ok(if record.status == Status::Success { Exit::Fine } else { Exit::No })
}
