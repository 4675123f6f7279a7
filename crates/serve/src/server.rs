//! The server's thread: woken by anything, it looks, hands on and lets the engine take its turn.

mod indexing;
mod listening;
mod reloading;
mod showing;

use std::collections::HashSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant, SystemTime};

use automation::{Configuration, Occurrence, Restless, What, WorkspaceSettings};
use engine::{Engine, Report, Roster, Settings};
use store::{Workspace, now};

use crate::agents::{AgentWorld, Agents};
use crate::changes::Changes;
use crate::lock::{Lock, LockError};
use crate::note::Note;
use crate::page::{self, Board};
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
    /// Says why nothing may run here, if that is so.
    pub objection: &'a dyn Fn() -> Option<String>,
    /// Returns what the workspace's settings say of all automations now.
    pub automation: &'a dyn Fn() -> WorkspaceSettings,
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
/// For how long files that come to rest may have been written by git.
const GIT_WROTE: Duration = Duration::from_secs(10);
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
    configuration: Configuration,
    reloading: Reloading,
    objection: Option<String>,
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
    repositories: Repositories,
    /// When it was seen that git has written files, and until when it did.
    git_wrote: Option<(Instant, SystemTime)>,
    /// Why commits that are waited for cannot be seen, as it was last told.
    no_commits: Option<String>,
    specs: Specs,
    sessions: Sessions,
    agents: Agents,
    board: Board,
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

impl<'a> Serving<'a> {
    fn begin(setup: Setup<'a>, mut lock: Lock, wake: Sender<Wake>) -> Option<Self> {
        let workspace = setup.settings.workspace.clone();
        let root = workspace.root().as_path().to_path_buf();
        // Before they are read: what is written in between is read again.
        let reloading = Reloading::new(reloading::stamps(&workspace));
        let (configuration, loaded) = Configuration::load(&workspace);
        for problem in &loaded.problems {
            (setup.tell)(Note::warning("CONFIGURATION", problem.to_string()));
        }
        let mut settings = setup.settings.clone();
        settings.set_automation((setup.automation)());
        let roster = Roster::new(configuration.automations().cloned(), &settings);
        let reports = wake.clone();
        let report_to = move |report| drop(reports.send(Wake::Run(report)));
        let (engine, recovered) = match Engine::open(settings, roster, report_to) {
            Ok(opened) => opened,
            Err(error) => {
                (setup.tell)(Note::error("QUEUE", error.to_string()));
                return None;
            }
        };
        if recovered.tried_again + recovered.given_up > 0 {
            let told = format!(
                "{} runs were interrupted: {} are tried again, {} had no tries left",
                recovered.tried_again + recovered.given_up,
                recovered.tried_again,
                recovered.given_up
            );
            (setup.tell)(Note::warning("INTERRUPTED", told));
        }
        let board = Board::default();
        if let Some(port) = setup.port {
            let opened = page::open(port, board.clone());
            let opened =
                if setup.any_port { opened.or_else(|_| page::open(0, board.clone())) } else { opened };
            match opened {
                Ok(port) => {
                    let _ = lock.tell_port(port);
                    (setup.tell)(Note::info("LISTENING", format!("http://127.0.0.1:{port}/ and /metrics")));
                }
                Err(error) => (setup.tell)(Note::error("PORT", format!("no page on port {port}: {error}"))),
            }
        }
        let changes = Changes::default();
        let world = (setup.agents)();
        let mut agents = Agents::begin(&world, &workspace, Instant::now());
        for note in agents.look(&world, &workspace) {
            (setup.tell)(note);
        }
        (setup.tell)(agents.summary());
        let mut serving = Self {
            workspace: workspace.clone(),
            engine,
            configuration,
            reloading,
            objection: None,
            watcher: None,
            watched: HashSet::new(),
            heard_until: SystemTime::now(),
            polling: None,
            tree: Tree::new(root.clone()),
            saves: Restless::default(),
            repositories: Repositories::default(),
            git_wrote: None,
            no_commits: None,
            specs: Specs::default(),
            sessions: Sessions::default(),
            agents,
            board,
            indexing: Indexing::begin(workspace.clone()),
            last_trouble: None,
            next_sweep: Instant::now(),
            swept_since: None,
            leaving: None,
            was_stopped: false,
            changes,
            wake,
            lock,
            setup,
        };
        serving.specs.learn(workspace.root());
        serving.listen();
        serving.resume();
        serving.judge_trust();
        serving.tell_of_impediments();
        let n = serving.configuration.automations().filter(|it| it.enabled).count();
        serving.tell(Note::info(
            "STARTED",
            format!("{n} automation{s} enabled in {}", workspace.root(), s = if n == 1 { "" } else { "s" }),
        ));
        Some(serving)
    }

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
        match self.engine.turn() {
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

    /// Hands in what sessions and repositories say happened while no server ran.
    fn resume(&mut self) {
        let engine = &self.engine;
        let news = self.sessions.resume(&self.workspace, &|source| engine.followed(source));
        let mut occurrences = news.occurrences;
        let commits = self.repositories.catch_up(&|source| engine.followed(source));
        // They are told with the time at which they were made; a clock that was set back makes none in time to come.
        occurrences.extend(
            commits
                .into_iter()
                .map(|it| Occurrence::new(it.at.map_or_else(now, |at| at.min(now())), it.what)),
        );
        self.engine.follow(news.read.into_iter().chain(self.repositories.read_so_far()));
        if !occurrences.is_empty() {
            let n = occurrences.len();
            self.tell(Note::info("CAUGHT_UP", format!("{n} events happened while no server ran")));
            self.engine.offer(occurrences);
        }
        // Written even if nothing came of it: from here on everything counts.
        self.engine.settle_followed();
    }

    /// Reads off the watched files what has happened, and hands it to the engine.
    fn offer_what_happened(&mut self, moment: Instant) {
        let news = self.sessions.look(&self.workspace);
        let mut occurrences = news.occurrences;
        self.engine.follow(news.read);
        if self.repositories.are_stale() {
            self.find_repositories();
        }
        let moves = self.repositories.look();
        if moves.wrote_files.is_some() || !moves.commits.is_empty() {
            self.engine.follow(self.repositories.read_so_far());
        }
        if let Some(until) = moves.wrote_files {
            self.git_wrote = Some((moment, until));
            // A status that came with a branch is nobody's change.
            self.specs.learn(self.workspace.root());
            self.tree.forget_rules();
            self.listen();
        }
        let mut whats: Vec<What> = moves.commits.into_iter().map(|it| it.what).collect();
        if !self.repositories.are_busy(moment) {
            // Times of files tell nothing once a clock was set.
            self.git_wrote = self.git_wrote.filter(|(seen, _)| moment < *seen + GIT_WROTE);
            for path in self.saves.settled(moment) {
                self.saved(&path, &mut whats);
            }
        }
        occurrences.extend(whats.into_iter().map(|what| Occurrence::new(now(), what)));
        if !occurrences.is_empty() {
            self.engine.offer(occurrences);
        }
    }

    fn saved(&mut self, path: &Path, whats: &mut Vec<What>) {
        let Some(relevant) = self.tree.relevant(path).filter(|_| path.is_file()) else { return };
        // Another branch is not a save, however many files it writes.
        if self.git_wrote.is_some_and(|(_, until)| !is_written_after(path, until)) {
            return;
        }
        whats.extend(self.specs.look(self.workspace.root(), &relevant));
        whats.push(What::FileSaved { path: relevant });
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

/// Returns whether a file was written after this moment.
fn is_written_after(path: &Path, moment: SystemTime) -> bool {
    let written = std::fs::metadata(path).and_then(|meta| meta.modified());
    written.is_ok_and(|at| at > moment)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_git_s_unless_it_was_written_after_git_was_done() {
        let dir = tempfile::tempdir().unwrap();
        let moment = SystemTime::now();
        for (name, written, is_after) in
            [("git", moment, false), ("mine", moment + Duration::from_millis(1), true)]
        {
            let path = dir.path().join(name);
            std::fs::File::create(&path).unwrap().set_modified(written).unwrap();
            assert_eq!(is_written_after(&path, moment), is_after, "{name}");
        }
        assert!(!is_written_after(&dir.path().join("gone"), moment));
    }
}
