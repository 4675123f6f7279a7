//! Starts a server: opens the queue, the watcher and the page, and catches up on missed occurrences.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::time::Instant;

use automation::config::EffectiveFiles;
use automation::{
    Configuration, Debouncer, Occurrence, ServedWorkspace, TrustedAutomations, WorkspaceSettings,
};
use engine::{AutomationSet, Engine, Recovered};
use store::{AutomationFiles, now};

use super::indexer::Indexer;
use super::reload::{self, ReloadDebounce};
use super::run_log::FailureCommands;
use super::{Server, Setup, Wake, deletion};
use crate::agents::Agents;
use crate::authorship::Authorship;
use crate::changes::SharedChanges;
use crate::lock::Lock;
use crate::note::Note;
use crate::presence::Presence;
use crate::repositories::Repositories;
use crate::schedules::Schedules;
use crate::sessions::SessionReader;
use crate::specs::SpecStatuses;
use crate::tree::Tree;
use crate::web::{self, Snapshots};

impl<'a> Server<'a> {
    /// Opens everything, logs the state and offers the occurrences since the last server. Returns
    /// `None` if the queue cannot be opened.
    pub(super) fn start(mut setup: Setup<'a>, mut lock: Lock, wake: Sender<Wake>) -> Option<Self> {
        let workspace = setup.settings.workspace.clone();
        let root = workspace.root().as_path().to_path_buf();
        // First of all: the folder may be deleted before the server has started.
        let root_id = deletion::file_id(&root);
        // Before the files are read: a write in between makes the server read them again.
        let reload_debounce = ReloadDebounce::new(reload::stamps(&workspace));
        let read = AutomationFiles::read(&workspace);
        let effective = EffectiveFiles::of(read, workspace.root(), setup.trusted_version);
        let mut configuration = Configuration::default();
        let loaded = effective.load_into(&mut configuration, workspace.root());
        for note in reload::notes_about(&loaded) {
            (setup.log)(note);
        }
        let file_problems = reload::problems_of(&loaded);
        let files = effective.files().clone();
        let mut settings = setup.settings.clone();
        settings.set_automation(WorkspaceSettings::of(&files));
        let automations = AutomationSet::display_only(configuration.automations().cloned(), &settings);
        let reports = wake.clone();
        let report_to = move |report| drop(reports.send(Wake::Run(report)));
        let (mut engine, recovered) = match Engine::open(settings, automations, report_to) {
            Ok(opened) => opened,
            Err(error) => {
                (setup.log)(Note::error("QUEUE", error.to_string()));
                return None;
            }
        };
        if let Some(note) = note_about_interrupted(&recovered) {
            (setup.log)(note);
        }
        engine.leave_queue_deleted();
        let snapshots = Snapshots::default();
        if let Some(port) = setup.port {
            open_page(port, &mut setup, &mut lock, &snapshots);
        }
        let changes = SharedChanges::default();
        let world = (setup.agents)();
        let mut agents = Agents::start(&world, &workspace, Instant::now());
        for note in agents.refresh(&world, &workspace) {
            (setup.log)(note);
        }
        (setup.log)(agents.summary());
        let mut server = Self {
            workspace: workspace.clone(),
            engine,
            files,
            configuration,
            trusted: TrustedAutomations::default(),
            reload_debounce,
            file_problems,
            objection: None,
            is_permitted: false,
            trust_checked: Instant::now(),
            watcher: None,
            watched: HashSet::new(),
            seen_until: store::system_time(),
            poller: None,
            tree: Tree::new(root.clone()),
            saves: Debouncer::default(),
            presence: Presence::default(),
            schedules: Schedules::default(),
            authorship: Authorship::default(),
            repositories: Repositories::default(),
            git_wrote: None,
            no_commits: None,
            specs: SpecStatuses::default(),
            sessions: SessionReader::default(),
            agents,
            snapshots,
            rows: Arc::default(),
            rows_updated: Instant::now(),
            indexer: Indexer::start(workspace.clone()),
            failures: FailureCommands::default(),
            last_problem: None,
            next_cleanup: Instant::now(),
            root_id,
            deletion: None,
            stopping: None,
            has_stopped_runs: false,
            changes,
            wake,
            lock,
            setup,
        };
        server.specs.read_all(workspace.root());
        server.watch_all();
        server.resume();
        server.set_schedules();
        server.engine.set_may_begin(true);
        server.check_trust();
        server.log_impediments();
        let n = server.configuration.automations().filter(|it| it.enabled).count();
        server.log(Note::info(
            "STARTED",
            format!("{n} automation{s} enabled in {}", workspace.root(), s = if n == 1 { "" } else { "s" }),
        ));
        server.update_rows();
        Some(server)
    }

    /// Offers the occurrences that sessions and repositories recorded while no server ran.
    fn resume(&mut self) {
        let engine = &self.engine;
        let new = self.sessions.resume(&self.workspace, &|source| engine.read_offset(source));
        let mut occurrences = new.occurrences;
        for occurrence in &mut occurrences {
            self.specs.describe(self.workspace.root(), occurrence);
        }
        let commits = self.repositories.catch_up(&|source| engine.read_offset(source));
        // With the time of the commit, but not later than now: the clock may have been set back.
        occurrences.extend(
            commits
                .into_iter()
                .map(|it| Occurrence::new(it.at.map_or_else(now, |at| at.min(now())), it.kind)),
        );
        self.engine.set_read_offsets(new.read.into_iter().chain(self.repositories.read_so_far()));
        if !occurrences.is_empty() {
            let n = occurrences.len();
            self.log(Note::info("CAUGHT_UP", format!("read {n} events from the time when no server ran")));
            self.engine.offer(occurrences);
        }
        // Written even without occurrences: the next server continues from here.
        self.engine.flush_read_offsets();
    }
}

/// Serves the page on this port, or on any free one if the setup allows that, and logs its address.
fn open_page(port: u16, setup: &mut Setup<'_>, lock: &mut Lock, snapshots: &Snapshots) {
    let open = |port: u16| {
        let workspace = setup.settings.workspace.clone();
        let inspection = Arc::clone(&setup.inspection);
        web::open(
            port,
            workspace,
            setup.user_state.clone(),
            snapshots.clone(),
            inspection,
            setup.is_person,
            setup.editor.clone(),
        )
    };
    let opened = open(port);
    let opened = if setup.any_port { opened.or_else(|_| open(0)) } else { opened };
    let address = match opened {
        Ok(address) => address,
        Err(error) => {
            (setup.log)(Note::error("PORT", format!("cannot serve the page on port {port}: {error}")));
            return;
        }
    };
    let _ = lock.set_page(address.port, &address.url);
    if let Some(state) = &setup.user_state
        && let Err(error) = ServedWorkspace::register(state, &setup.settings.workspace)
    {
        (setup.log)(Note::warning("SERVED", format!("cannot list this workspace on other pages: {error}")));
    }
    (setup.log)(Note::info(
        "LISTENING",
        format!("{} and http://127.0.0.1:{}/metrics", address.url, address.port),
    ));
    if let Some(announce) = setup.announce {
        announce(&address.url, address.port);
    }
    let link = address.link.as_deref().unwrap_or(&address.url);
    if address.link.is_some() {
        (setup.log)(Note::info("PAGE", format!("open {link} once to change things in your browser")));
    }
    if let Some(open_browser) = setup.open_browser
        && let Err(why) = open_browser(link)
    {
        (setup.log)(Note::warning("BROWSER", format!("cannot open the browser: {why}")));
    }
}

/// Returns a note about the runs that the end of the last server interrupted. Returns `None` if all had ended.
fn note_about_interrupted(recovered: &Recovered) -> Option<Note> {
    let n = recovered.retried + recovered.given_up;
    let s = if n == 1 { "run was" } else { "runs were" };
    let (retried, given_up) = (recovered.retried, recovered.given_up);
    let message = format!("{n} {s} interrupted: {retried} will be retried, {given_up} had no retries left");
    (n > 0).then(|| Note::warning("INTERRUPTED", message))
}
