//! A workspace with automations, and an engine that turns until all runs have ended.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use automation::queue::{self, Entry, Line};
use automation::{
    Action, Automation, AutomationId, ExecutionRecord, Occurrence, OccurrenceKind, Origin, RunnerChoice,
    SourceFile, Template, Trigger, WorkspaceSettings,
};
use engine::{AutomationSet, Engine, Recovered, Report, Settings};
use event::AbsPath;
use runner::Environment;
use store::{AutomationFiles, Workspace};
use tempfile::TempDir;

pub(crate) struct Stage {
    pub(crate) dir: TempDir,
    pub(crate) settings: Settings,
}

impl Stage {
    pub(crate) fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir_all(dir.path().join("repo")).unwrap();
        fs::create_dir_all(dir.path().join("bin")).unwrap();
        let root = AbsPath::new(dir.path().join("repo")).unwrap();
        let path = format!("{}:{}", dir.path().join("bin").display(), std::env::var("PATH").unwrap());
        let environment = Environment::from_variables([("PATH".into(), path.into())]);
        let mut settings = Settings::new(Workspace::at(root), environment);
        settings.grace = Duration::from_millis(300);
        Self { dir, settings }
    }

    pub(crate) fn path(&self, below: &str) -> PathBuf {
        self.dir.path().join("repo").join(below)
    }

    pub(crate) fn read(&self, below: &str) -> String {
        fs::read_to_string(self.path(below)).unwrap_or_default()
    }

    /// Puts a program on the path.
    pub(crate) fn program(&self, name: &str, script: &str) -> PathBuf {
        let path = self.dir.path().join("bin").join(name);
        fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        path
    }

    pub(crate) fn engine(&self, automations: &[Automation]) -> TestEngine {
        let mut settings = self.settings.clone();
        let files = AutomationFiles::read(&settings.workspace);
        settings.automation.host_servers = WorkspaceSettings::of(&files).host_servers;
        let automations = AutomationSet::declared_in_code(automations.iter().cloned(), &settings);
        let (sender, reports) = channel();
        let (mut engine, recovered) =
            Engine::open(self.settings.clone(), automations, move |report| drop(sender.send(report)))
                .unwrap();
        engine.set_may_begin(true);
        TestEngine { engine, recovered, reports }
    }

    /// Returns the records of ended runs, in journal order.
    pub(crate) fn records(&self) -> Vec<ExecutionRecord> {
        let entries = self.entries().into_iter();
        entries
            .filter_map(|entry| if let Entry::Finished { record } = entry { Some(*record) } else { None })
            .collect()
    }

    /// Returns the records of ended runs, rotated journals included.
    pub(crate) fn records_of_all_journals(&self) -> Vec<ExecutionRecord> {
        let queue = queue::Queue::open(&self.settings.workspace).unwrap();
        let journals =
            queue.archives().unwrap().into_iter().chain([self.settings.workspace.automation_queue()]);
        let text: String = journals.map(|it| fs::read_to_string(it.as_path()).unwrap()).collect();
        let entries = text.lines().map(|line| Line::parse(line).unwrap().entry);
        entries
            .filter_map(|entry| if let Entry::Finished { record } = entry { Some(*record) } else { None })
            .collect()
    }

    pub(crate) fn entries(&self) -> Vec<Entry> {
        let journal = fs::read_to_string(self.settings.workspace.automation_queue().as_path()).unwrap();
        journal.lines().map(|line| Line::parse(line).unwrap().entry).collect()
    }

    /// Emits an occurrence as `steersman emit` does.
    pub(crate) fn emit(&self, kind: OccurrenceKind) {
        let now = store::now();
        let occurrence = Occurrence::new(now, kind);
        queue::append(&self.settings.workspace, now, [Entry::Occurred { occurrence }]).unwrap();
    }
}

pub(crate) struct TestEngine {
    pub(crate) engine: Engine,
    pub(crate) recovered: Recovered,
    pub(crate) reports: Receiver<Report>,
}

impl TestEngine {
    pub(crate) fn offer(&mut self, kinds: impl IntoIterator<Item = OccurrenceKind>) {
        let occurrences = kinds.into_iter().map(|kind| Occurrence::new(store::now(), kind)).collect();
        self.engine.offer(occurrences);
    }

    /// Turns until no run is open.
    pub(crate) fn finish(&mut self) {
        self.turn_until(|engine| {
            engine.queue_state().n_open() == 0
                && engine.queue_state().unmatched().next().is_none()
                && engine.n_active() == 0
        });
    }

    pub(crate) fn turn_until(&mut self, is_done: impl Fn(&Engine) -> bool) {
        let until = Instant::now() + Duration::from_mins(1);
        loop {
            let turn = self.engine.turn().unwrap();
            if is_done(&self.engine) {
                return;
            }
            assert!(Instant::now() < until, "never done: {:?}", self.engine.queue_state());
            let timeout = turn.next.map_or(Duration::from_millis(100), |next| {
                next.saturating_duration_since(Instant::now()).min(Duration::from_millis(100))
            });
            if let Ok(report) = self.reports.recv_timeout(timeout) {
                self.engine.receive(report);
            }
        }
    }
}

/// Makes a custom occurrence about no file.
pub(crate) fn called(name: &str) -> OccurrenceKind {
    OccurrenceKind::Custom { name: name.into(), path: None, data: serde_json::Map::new() }
}

/// Makes an automation that a custom occurrence with its id triggers.
pub(crate) fn automation(id: &str, action: Action) -> Automation {
    let origin = Origin { file: SourceFile::Akira, index: 0, line: 1 };
    let trigger = Trigger::Custom { name: id.into(), pattern: None };
    Automation::new(AutomationId::new(id).unwrap(), trigger, action, origin)
}

/// Makes an automation whose runner is a shell script.
pub(crate) fn scripted(id: &str, script: &str) -> Automation {
    let mut automation = automation(id, Action::Prompt { prompt: Template::new("a prompt") });
    automation.runner = Some(RunnerChoice::Command { argv: vec!["sh".into(), "-c".into(), script.into()] });
    automation
}
