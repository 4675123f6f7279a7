//! The server's thread: woken by anything, it looks, hands on and lets the engine take its turn.

mod beginning;
mod causing;
mod indexing;
mod listening;
mod offering;
mod reloading;
mod showing;

use std::collections::HashSet;
use std::fmt::Write;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant, SystemTime};

use automation::{Configuration, Restless, TrustedAutomations};
use engine::{Engine, Report, Settings};
use store::{AutomationFiles, TrustedFiles, Workspace};

use crate::agents::{AgentWorld, Agents};
use crate::authorship::Authorship;
use crate::changes::Changes;
use crate::lock::{Lock, LockError};
use crate::note::Note;
use crate::page::Board;
use crate::polling::Polling;
use crate::repositories::Repositories;
use crate::sessions::Sessions;
use crate::specs::Specs;
use crate::tree::Tree;
use crate::watcher::Watcher;
use indexing::Indexing;
use reloading::Reloading;

/// Everything that can wake the server.
#[derive(Debug)]
pub(crate) enum Wake {
    /// Files changed; which, is noted elsewhere.
    Changed,
    /// A run has something to tell.
    Run(Report),
    /// Somebody wants us to leave.
    Stop,
}

/// What a server needs to know.
pub struct Setup<'a> {
    /// The surroundings of the runs.
    pub settings: Settings,
    /// The port of the page: none for no page, zero for any that is free.
    pub port: Option<u16>,
    /// Whether another port will do if this one is taken.
    pub any_port: bool,
    /// How many folders may be watched at most, if not as many as the system allows.
    pub max_watches: Option<usize>,
    /// How long runs may still take when the server is asked to leave.
    pub patience: Duration,
    /// Returns files of automations as trusted, or says why nothing of them may run.
    pub vouch: &'a dyn Fn(&AutomationFiles) -> Result<TrustedFiles, String>,
    /// Returns where agents are looked for, as the workspace's settings say now.
    pub agents: &'a dyn Fn() -> AgentWorld,
    /// Removes sessions that are old, now and then.
    pub sweep: &'a dyn Fn(),
    /// Takes what there is to tell.
    pub tell: &'a mut dyn FnMut(Note),
}

/// How often is looked even if nothing woke us.
const TICK: Duration = Duration::from_secs(2);
/// How long our own folder stays away before it is made again.
const SWEPT: Duration = Duration::from_secs(2);
/// The code of a queue that cannot be used now, such as on a full disk.
const QUEUE: &str = "QUEUE";
/// How often old sessions are removed.
const SWEEP: Duration = Duration::from_hours(1);

/// Serves a workspace until somebody asks it to leave or the workspace is gone.
pub fn serve(setup: Setup<'_>) -> Result<(), LockError> {
    let lock = Lock::take(&setup.settings.workspace)?;
    let (sender, wakes) = channel();
    stop_on_signals(sender.clone());
    let Some(mut serving) = Serving::begin(setup, lock, sender) else { return Ok(()) };
    serving.run(&wakes);
    Ok(())
}

#[cfg(unix)]
fn stop_on_signals(wake: Sender<Wake>) {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    // Without handlers a signal ends us at once; the journal copes with that, too.
    if let Ok(mut signals) = signal_hook::iterator::Signals::new([SIGTERM, SIGINT, SIGHUP]) {
        std::thread::spawn(move || {
            for _ in signals.forever() {
                let _ = wake.send(Wake::Stop);
            }
        });
    }
}

#[cfg(not(unix))]
fn stop_on_signals(_wake: Sender<Wake>) {}

struct Serving<'a> {
    setup: Setup<'a>,
    lock: Lock,
    workspace: Workspace,
    engine: Engine,
    /// The files of automations as last read: what is shown, judged and run is this reading of them.
    files: AutomationFiles,
    /// What they declare, trusted or not.
    configuration: Configuration,
    /// What runs.
    trusted: TrustedAutomations,
    reloading: Reloading,
    objection: Option<String>,
    /// Whether the engine's roster is the one that was trusted.
    is_permitted: bool,
    /// When the files were last judged.
    judged: Instant,
    changes: Changes,
    wake: Sender<Wake>,
    watcher: Option<Watcher>,
    watched: HashSet<PathBuf>,
    /// Until when all that happened to files was heard of.
    heard_until: SystemTime,
    polling: Option<Polling>,
    tree: Tree,
    /// Files that were written and have not come to rest.
    saves: Restless<PathBuf>,
    authorship: Authorship,
    repositories: Repositories,
    /// When it was seen that git has written files, and until when it did.
    git_wrote: Option<(Instant, SystemTime)>,
    /// Why commits that are waited for cannot be seen, as it was last told.
    no_commits: Option<String>,
    specs: Specs,
    sessions: Sessions,
    agents: Agents,
    board: Board,
    /// The automations as the page shows them.
    rows: String,
    indexing: Indexing,
    /// The code and the message of what was last told to be wrong.
    last_trouble: Option<(&'static str, String)>,
    next_sweep: Instant,
    /// Since when our own folder is missing.
    swept_since: Option<Instant>,
    /// When runs that are still at work are stopped, once somebody asked us to leave.
    leaving: Option<Instant>,
    was_stopped: bool,
}

impl Serving<'_> {
    fn run(&mut self, wakes: &Receiver<Wake>) {
        loop {
            let next = self.step();
            if self.is_done() {
                return;
            }
            let patience = next.saturating_duration_since(Instant::now());
            match wakes.recv_timeout(patience) {
                Ok(wake) => {
                    self.take(wake);
                    for wake in wakes.try_iter().take(10_000) {
                        self.take(wake);
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    }

    fn take(&mut self, wake: Wake) {
        match wake {
            Wake::Changed => {}
            Wake::Run(report) => self.engine.hear(report),
            Wake::Stop if self.leaving.is_none() => {
                let n = self.engine.n_active();
                self.tell(Note::info(
                    "STOPPING",
                    format!("{n} runs at work; those that wait stay in the queue"),
                ));
                self.leaving = Some(Instant::now() + self.setup.patience);
                self.engine.set_may_begin(false);
                self.engine.settle_followed();
            }
            // Asked twice: now.
            Wake::Stop => self.leaving = Some(Instant::now()),
        }
    }

    /// Looks at everything once and returns when to look again at the latest.
    fn step(&mut self) -> Instant {
        let now_moment = Instant::now();
        let mut next = now_moment + TICK;
        if !self.workspace.root().as_path().is_dir() {
            self.trouble("WORKSPACE_GONE", "the workspace is gone; waiting for nothing more".into());
            self.leaving.get_or_insert(now_moment);
            return now_moment + Duration::from_millis(50);
        }
        if self.is_being_swept(now_moment) {
            return now_moment + Duration::from_millis(250);
        }
        if self.leaving.is_none() {
            if let Err(error) = self.lock.keep(&self.workspace) {
                self.trouble("LOCK", error.to_string());
                if matches!(error, LockError::Held(_) | LockError::HeldByUnknown) {
                    self.leaving = Some(now_moment);
                }
            }
            next = self.reload_if_changed(now_moment).map_or(next, |moment| next.min(moment));
            let seen = self.changes.take();
            self.hear_of(seen, now_moment);
            if let Some(polling) = &mut self.polling {
                if let Some(changed) = polling.look(&self.tree) {
                    for path in changed {
                        self.saves.touch(path, now_moment);
                    }
                    self.agents.note_all(now_moment);
                }
                next = next.min(polling.next());
            }
            self.offer_what_happened(now_moment);
            next = next.min(self.look_at_agents(now_moment));
            next = self
                .saves
                .next()
                .map_or(next, |moment| next.min(moment.max(now_moment + Duration::from_millis(5))));
            if self.next_sweep <= now_moment {
                (self.setup.sweep)();
                self.next_sweep = now_moment + SWEEP;
            }
        } else if self.leaving.is_some_and(|until| until <= now_moment) && !self.was_stopped {
            self.was_stopped = true;
            self.engine.stop_all();
        }
        let turn = self.engine.turn();
        // A run that begins and ends before the next look was at work all the same.
        self.note_runs();
        match turn {
            Ok(turn) => {
                if self.last_trouble.take().is_some_and(|(code, _)| code == QUEUE) {
                    self.tell(Note::info("QUEUE_AGAIN", "the queue can be used again; nothing was lost"));
                }
                let index_next = self.indexing.hear(self.engine.folded().n_finished(), now_moment);
                next = [turn.next, index_next].into_iter().flatten().fold(next, Instant::min);
            }
            Err(error) => {
                self.trouble(QUEUE, with_causes(&error));
                next = next.min(now_moment + Duration::from_secs(1));
            }
        }
        if let Some(until) = self.leaving
            && !self.was_stopped
        {
            next = next.min(until.max(now_moment));
        }
        self.show();
        next
    }

    /// Returns whether our own folder has gone just now. Whoever removes it may be about to remove
    /// the whole workspace, and must not find new files in the way.
    fn is_being_swept(&mut self, moment: Instant) -> bool {
        if self.workspace.automation_dir().as_path().is_dir() {
            self.swept_since = None;
            return false;
        }
        let since = *self.swept_since.get_or_insert(moment);
        moment < since + SWEPT
    }

    fn is_done(&self) -> bool {
        self.leaving.is_some() && self.engine.n_active() == 0
    }

    /// Tells of a trouble once, not at every look.
    fn trouble(&mut self, code: &'static str, message: String) {
        let trouble = (code, message);
        if self.last_trouble.as_ref() != Some(&trouble) {
            self.tell(Note::error(code, trouble.1.clone()));
            self.last_trouble = Some(trouble);
        }
    }

    fn tell(&mut self, note: Note) {
        (self.setup.tell)(note);
    }
}

fn with_causes(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(deeper) = cause {
        let _ = write!(text, ": {deeper}");
        cause = deeper.source();
    }
    text
}
