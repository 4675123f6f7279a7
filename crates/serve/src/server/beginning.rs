//! How a server begins: with everything open, and with what happened while none ran.

use std::collections::HashSet;
use std::sync::mpsc::Sender;
use std::time::{Instant, SystemTime};

use automation::{Configuration, Occurrence, Restless, TrustedAutomations, WorkspaceSettings};
use engine::{Engine, Roster};
use store::{AutomationFiles, now};

use super::indexing::Indexing;
use super::reloading::{self, Reloading};
use super::{Serving, Setup, Wake, showing};
use crate::agents::Agents;
use crate::authorship::Authorship;
use crate::changes::Changes;
use crate::lock::Lock;
use crate::note::Note;
use crate::page::{self, Board};
use crate::repositories::Repositories;
use crate::sessions::Sessions;
use crate::specs::Specs;
use crate::tree::Tree;

impl<'a> Serving<'a> {
    /// Opens everything, tells how it stands and hands in what happened while no server ran.
    pub(super) fn begin(setup: Setup<'a>, mut lock: Lock, wake: Sender<Wake>) -> Option<Self> {
        let workspace = setup.settings.workspace.clone();
        let root = workspace.root().as_path().to_path_buf();
        // Before they are read: what is written in between is read again.
        let reloading = Reloading::new(reloading::stamps(&workspace));
        let files = AutomationFiles::read(&workspace);
        let mut configuration = Configuration::default();
        let loaded = configuration.take_files(&files, workspace.root());
        for problem in &loaded.problems {
            (setup.tell)(Note::warning("CONFIGURATION", problem.log_line()));
        }
        let mut settings = setup.settings.clone();
        settings.set_automation(WorkspaceSettings::of(&files));
        let roster = Roster::shown(configuration.automations().cloned(), &settings);
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
        let rows = showing::rows(&configuration);
        let mut serving = Self {
            workspace: workspace.clone(),
            engine,
            files,
            configuration,
            trusted: TrustedAutomations::default(),
            reloading,
            objection: None,
            is_permitted: false,
            judged: Instant::now(),
            watcher: None,
            watched: HashSet::new(),
            heard_until: SystemTime::now(),
            polling: None,
            tree: Tree::new(root.clone()),
            saves: Restless::default(),
            authorship: Authorship::default(),
            repositories: Repositories::default(),
            git_wrote: None,
            no_commits: None,
            specs: Specs::default(),
            sessions: Sessions::default(),
            agents,
            board,
            rows,
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
        serving.engine.set_may_begin(true);
        serving.judge_trust();
        serving.tell_of_impediments();
        let n = serving.configuration.automations().filter(|it| it.enabled).count();
        serving.tell(Note::info(
            "STARTED",
            format!("{n} automation{s} enabled in {}", workspace.root(), s = if n == 1 { "" } else { "s" }),
        ));
        Some(serving)
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
}
