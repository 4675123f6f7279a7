//! The server's thread: at every wake-up it detects changes, offers occurrences and turns the engine.

mod attribution;
mod dashboard;
mod deletion;
mod detection;
mod file_watches;
mod indexer;
mod reload;
mod run_log;
mod startup;

use std::collections::HashSet;
use std::fmt::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant, SystemTime};

use automation::queue::QueueError;
use automation::{AutomationId, Configuration, Debouncer, TrustedAutomations};
use engine::{Engine, Report, Settings};
use event::AbsPath;
use page::view::AutomationRow;
use store::{AutomationFiles, TrustedFiles, Workspace};

use crate::agents::{AgentSources, Agents};
use crate::authorship::Authorship;
use crate::changes::SharedChanges;
use crate::inspection::Inspection;
use crate::lock::{Lock, LockError};
use crate::note::Note;
use crate::poller::Poller;
use crate::presence::Presence;
use crate::repositories::Repositories;
use crate::schedules::Schedules;
use crate::sessions::SessionReader;
use crate::specs::SpecStatuses;
use crate::tree::Tree;
use crate::watcher::Watcher;
use crate::web::{Editor, Snapshots};
use deletion::{Deletion, FileId};
use indexer::Indexer;
use reload::ReloadDebounce;
use run_log::FailureCommands;

/// A wake-up of the server's thread.
#[derive(Debug)]
pub(crate) enum Wake {
    /// Files changed; [`SharedChanges`] has their paths.
    Changed,
    /// A run sent a report.
    Run(Report),
    /// A signal asks the server to stop.
    Stop,
}

/// Opens a link in the browser, or returns why it cannot.
pub type OpenBrowser = dyn Fn(&str) -> Result<(), String>;

/// Announces the address and the port of the page.
pub type Announce<'a> = dyn Fn(&str, u16) + 'a;

/// The settings and callbacks of a server.
pub struct Setup<'a> {
    /// The settings of the runs.
    pub settings: Settings,
    /// The port of the page: `None` for no page, zero for any free port.
    pub port: Option<u16>,
    /// Whether to use another port if this one is taken.
    pub any_port: bool,
    /// The user's state folder, where the agent programs are recorded.
    pub user_state: Option<AbsPath>,
    /// Whether a person started the server: only a person gets a link with which the page can change things.
    pub is_person: bool,
    /// Answers the pages.
    pub inspection: Arc<dyn Inspection>,
    /// The editor extension that started the server.
    pub editor: Option<Editor>,
    /// Announces the address and the port of the page.
    pub announce: Option<&'a Announce<'a>>,
    /// Opens a link in the browser.
    pub open_browser: Option<&'a OpenBrowser>,
    /// The maximum number of watched folders, if lower than the system's limit.
    pub max_watches: Option<usize>,
    /// How long a stopping server waits for active runs.
    pub shutdown_timeout: Duration,
    /// Returns files of automations as trusted, or the reason why they must not run.
    pub check_trust: &'a dyn Fn(&AutomationFiles) -> Result<TrustedFiles, String>,
    /// Returns a file, by its name, as the user trusted it. Returns `None` if steersman has no faithful copy.
    pub trusted_version: &'a dyn Fn(&str) -> Option<String>,
    /// Returns the sources of agents, by the workspace's current settings.
    pub agents: &'a dyn Fn() -> AgentSources,
    /// Removes old sessions.
    pub remove_old_sessions: &'a dyn Fn(),
    /// Signs the present state of the trace at the end of a turn. Returns whether it did.
    pub anchor_trace: &'a dyn Fn() -> Result<bool, String>,
    /// Logs a note.
    pub log: &'a mut dyn FnMut(Note),
    /// Shows the running automations on a terminal.
    pub status: Option<&'a mut dyn FnMut(&ServerStatus)>,
}

/// The present activity of a server.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ServerStatus {
    /// The automations with active runs, the longest active run first, with its age.
    pub running: Vec<(AutomationId, Duration)>,
    /// How many runs wait.
    pub queued: usize,
}

/// The longest time between two steps.
const TICK: Duration = Duration::from_secs(2);
/// How long after it stopped the runs a server waits for their ends: the system may not end a process that
/// waits for a device.
const KILL_TIMEOUT: Duration = Duration::from_secs(5);
/// How long the end of stopped runs may take: SIGTERM, two seconds later SIGKILL. With a short grace period of the
/// server it takes half of that.
const STOP_TIME: Duration = Duration::from_millis(2200);
/// The code of a queue that cannot be used now, such as on a full disk.
const QUEUE: &str = "QUEUE";
/// How often the shown ages of runs change.
const STATUS_EVERY: Duration = Duration::from_secs(1);
/// How often the server removes old sessions.
const SESSION_CLEANUP_EVERY: Duration = Duration::from_hours(1);

/// Serves a workspace until a signal stops it or the workspace is deleted.
pub fn serve(setup: Setup<'_>) -> Result<(), LockError> {
    let lock = Lock::take(&setup.settings.workspace)?;
    let (sender, wakes) = channel();
    stop_on_signals(sender.clone());
    let Some(mut server) = Server::start(setup, lock, sender) else { return Ok(()) };
    server.run(&wakes);
    Ok(())
}

#[cfg(unix)]
fn stop_on_signals(wake: Sender<Wake>) {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    // Without handlers a signal ends the process at once; the next server recovers from the journal.
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

struct Server<'a> {
    setup: Setup<'a>,
    lock: Lock,
    workspace: Workspace,
    engine: Engine,
    /// The files of automations as last read, one with errors replaced by its trusted version: display,
    /// trust check and runs use the same bytes.
    files: AutomationFiles,
    /// Their automations, trusted or not.
    configuration: Configuration,
    /// The automations that may run.
    trusted: TrustedAutomations,
    reload_debounce: ReloadDebounce,
    /// The problems of the files.
    file_problems: Vec<String>,
    /// Why the files are not trusted.
    objection: Option<String>,
    /// Whether the engine has the trusted automations.
    is_permitted: bool,
    /// When the trust was last checked.
    trust_checked: Instant,
    changes: SharedChanges,
    wake: Sender<Wake>,
    watcher: Option<Watcher>,
    watched: HashSet<PathBuf>,
    /// The file changes up to this time are known.
    seen_until: SystemTime,
    poller: Option<Poller>,
    tree: Tree,
    /// Written files that have not settled.
    saves: Debouncer<PathBuf>,
    presence: Presence,
    schedules: Schedules,
    authorship: Authorship,
    repositories: Repositories,
    /// When the server detected that git wrote files, and the time of git's last write.
    git_wrote: Option<(Instant, SystemTime)>,
    /// The last logged reason why commits cannot be detected.
    no_commits: Option<String>,
    specs: SpecStatuses,
    sessions: SessionReader,
    agents: Agents,
    snapshots: Snapshots,
    /// The automations as the page shows them.
    rows: Arc<Vec<AutomationRow>>,
    rows_updated: Instant,
    indexer: Indexer,
    failures: FailureCommands,
    /// The code and the message of the last logged problem.
    last_problem: Option<(&'static str, String)>,
    next_cleanup: Instant,
    /// The identity of the workspace's folder when the server started.
    root_id: Option<FileId>,
    /// Set while a process deletes the server's records.
    deletion: Option<Deletion>,
    /// When a stopping server stops the active runs.
    stopping: Option<Instant>,
    has_stopped_runs: bool,
}

impl Server<'_> {
    fn run(&mut self, wakes: &Receiver<Wake>) {
        loop {
            let next = self.step();
            if self.is_done() {
                return;
            }
            match wakes.recv_timeout(next.saturating_duration_since(Instant::now())) {
                Ok(wake) => {
                    self.handle(wake);
                    for wake in wakes.try_iter().take(10_000) {
                        self.handle(wake);
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    }

    fn handle(&mut self, wake: Wake) {
        match wake {
            Wake::Changed => {}
            Wake::Run(report) => self.engine.receive(report),
            Wake::Stop if self.stopping.is_none() => {
                let waiting = match self.engine.n_active() {
                    0 => "stopping".to_owned(),
                    1 => "waiting for 1 active run".to_owned(),
                    n => format!("waiting for {n} active runs"),
                };
                self.log(Note::info("STOPPING", format!("{waiting}; queued runs stay in the queue")));
                // The server ends within this time, so the runs must be stopped before.
                let limit = self.setup.shutdown_timeout;
                self.stopping = Some(Instant::now() + limit.saturating_sub(self.stop_time()));
                self.engine.set_may_begin(false);
                self.release_held();
                self.engine.flush_read_offsets();
            }
            // The second signal stops the runs at once.
            Wake::Stop => self.stopping = Some(Instant::now()),
        }
    }

    /// Checks everything once and returns when the next step is due at the latest.
    fn step(&mut self) -> Instant {
        let now_moment = Instant::now();
        let mut next = now_moment + TICK;
        if self.is_workspace_gone() {
            self.log_problem("WORKSPACE_GONE", "the workspace was deleted or moved; stopping".into());
            self.stopping = Some(self.stopping.map_or(now_moment, |until| until.min(now_moment)));
        }
        self.stop_runs_if_due(now_moment);
        if self.is_workspace_gone() {
            return now_moment + Duration::from_millis(50);
        }
        if self.waits_for_deletion(now_moment) {
            return now_moment + Duration::from_millis(250);
        }
        if self.stopping.is_none() {
            if let Err(error) = self.lock.keep(&self.workspace) {
                self.log_problem("LOCK", error.to_string());
                if matches!(error, LockError::Held(_) | LockError::HeldByUnknown) {
                    self.stopping = Some(now_moment);
                }
            }
            next = self.reload_if_changed(now_moment).map_or(next, |moment| next.min(moment));
            let changes = self.changes.take();
            self.apply_file_changes(changes, now_moment);
            if let Some(poller) = &mut self.poller {
                if let Some(changed) = poller.poll(&self.tree) {
                    for path in changed {
                        self.presence.touch(&path, now_moment);
                        self.saves.touch(path, now_moment);
                    }
                    self.agents.note_all(now_moment);
                }
                next = next.min(poller.next());
            }
            self.offer_new_occurrences(now_moment);
            next = self.offer_scheduled(now_moment).map_or(next, |moment| next.min(moment));
            let soon = now_moment + Duration::from_millis(5);
            next = self.presence.next().map_or(next, |moment| next.min(moment.max(soon)));
            next = next.min(self.refresh_agents(now_moment));
            self.update_rows_if_due(now_moment);
            next = self.authorship.next().map_or(next, |moment| next.min(moment.max(now_moment)));
            next = self
                .saves
                .next()
                .map_or(next, |moment| next.min(moment.max(now_moment + Duration::from_millis(5))));
            if self.next_cleanup <= now_moment {
                (self.setup.remove_old_sessions)();
                self.next_cleanup = now_moment + SESSION_CLEANUP_EVERY;
            }
        }
        let turn = self.engine.turn();
        // Records also a run that starts and ends before the next step.
        self.note_runs();
        match turn {
            Ok(turn) => {
                if self.last_problem.take().is_some_and(|(code, _)| code == QUEUE) {
                    self.log(Note::info("QUEUE_AGAIN", "the queue works again; no run was lost"));
                }
                let limits = self.trusted.settings().history;
                let n_ended = self.engine.queue_state().n_finished();
                let index_next = self.indexer.runs_ended(n_ended, now_moment, limits);
                next = [turn.next, index_next].into_iter().flatten().fold(next, Instant::min);
            }
            // The next step notices the deletion and waits for its end.
            Err(QueueError::Deleted) => next = now_moment,
            Err(error) => {
                self.log_problem(QUEUE, with_causes(&error));
                next = next.min(now_moment + Duration::from_secs(1));
            }
        }
        if let Some(until) = self.stopping
            && !self.has_stopped_runs
        {
            next = next.min(until.max(now_moment));
        }
        self.log_runs();
        self.update_snapshot();
        if self.show_status() { next.min(now_moment + STATUS_EVERY) } else { next }
    }

    /// Shows what runs now. Returns whether the times shown change.
    fn show_status(&mut self) -> bool {
        let Some(show) = &mut self.setup.status else { return false };
        let mut running: Vec<(AutomationId, Duration)> = self
            .engine
            .active_runs()
            .filter_map(|run| Some((run.chain.ids().last()?.clone(), run.since.elapsed())))
            .collect();
        running.sort_by_key(|(_, age)| std::cmp::Reverse(*age));
        let is_changing = !running.is_empty();
        show(&ServerStatus { running, queued: self.engine.metrics().queued });
        is_changing
    }

    /// Stops the active runs of a stopping server when their time is over.
    fn stop_runs_if_due(&mut self, moment: Instant) {
        if self.stopping.is_some_and(|until| until <= moment) && !self.has_stopped_runs {
            self.has_stopped_runs = true;
            // The rest of the time is for the end of killed processes and the records about it.
            self.engine.stop_all(self.stop_time() * 10 / 11);
        }
    }

    /// Returns how long the end of stopped runs may take.
    fn stop_time(&self) -> Duration {
        STOP_TIME.min(self.setup.shutdown_timeout / 2)
    }

    fn is_done(&self) -> bool {
        let is_overdue = |until: Instant| until + KILL_TIMEOUT <= Instant::now();
        self.stopping.is_some_and(|until| self.engine.n_active() == 0 || is_overdue(until))
    }

    /// Logs a problem once, not at every step.
    fn log_problem(&mut self, code: &'static str, message: String) {
        let problem = (code, message);
        if self.last_problem.as_ref() != Some(&problem) {
            self.log(Note::error(code, problem.1.clone()));
            self.last_problem = Some(problem);
        }
    }

    fn log(&mut self, note: Note) {
        (self.setup.log)(note);
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
