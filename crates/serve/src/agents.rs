//! Updates the registry of agents while their files and the editors' extensions change.
//!
//! Changes are recorded at once and applied when they have settled: an editor writes a file in several
//! steps, and an extension is unpacked file by file.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use agent::limits::{AGENT_DISCOVERY_TIMEOUT, EXTENSION_SCAN_INTERVAL, FILE_WATCHER_DEBOUNCE};
use agent::registry::{
    Change, ChangeKind, Discovery, Folders, RefreshContext, Registry, Stamp, State, refresh,
};
use agent::{ProviderName, ToolNames};
use store::{Workspace, now};

use crate::note::Note;
use crate::registry_file::{self, Saved};

/// The sources of agents, by the project's current configuration.
pub struct AgentSources {
    /// The folders with agents.
    pub folders: Folders,
    /// The known tool names.
    pub names: ToolNames,
    /// Returns whether a program that runs agents is installed.
    pub is_installed: Box<dyn Fn(ProviderName) -> bool>,
}

/// Changes that do not stop are applied after this time.
const AT_MOST: Duration = Duration::from_secs(5);

/// The registry, and the changes since its last refresh.
pub(crate) struct Agents {
    folders: Folders,
    registry: Registry,
    /// The limits that the last search reached, as logged.
    limits: Vec<String>,
    changed: BTreeSet<PathBuf>,
    /// When the first and the last change was recorded.
    unsettled: Option<(Instant, Instant)>,
    /// The stamps of the extension folders at the last scan.
    extensions: Vec<Stamp>,
    next_scan: Instant,
}

impl Agents {
    /// Starts with the saved registry; the first refresh checks everything.
    pub(crate) fn start(world: &AgentSources, workspace: &Workspace, moment: Instant) -> Self {
        let mut agents = Self {
            folders: world.folders.clone(),
            registry: registry_file::read(workspace),
            limits: Vec::new(),
            changed: BTreeSet::from([world.folders.workspace.clone()]),
            unsettled: None,
            extensions: Vec::new(),
            next_scan: moment,
        };
        agents.scan(moment);
        agents
    }

    /// Returns the folders to watch.
    pub(crate) fn watched(&self) -> Vec<PathBuf> {
        self.folders.watched()
    }

    /// Returns whether a change of this path can affect agents.
    pub(crate) fn concerns(&self, path: &Path) -> bool {
        self.folders.concerns(path)
    }

    /// Records a change of a path if it can affect agents.
    pub(crate) fn note(&mut self, path: &Path, moment: Instant) {
        if self.concerns(path) {
            self.changed.insert(path.to_path_buf());
            let first = self.unsettled.map_or(moment, |(first, _)| first);
            self.unsettled = Some((first, moment));
        }
    }

    /// Records that any file may have changed.
    pub(crate) fn note_all(&mut self, moment: Instant) {
        let workspace = self.folders.workspace.clone();
        self.note(&workspace, moment);
    }

    /// Returns when the next refresh or scan is due if no further change happens.
    pub(crate) fn next(&self) -> Instant {
        self.unsettled.map_or(self.next_scan, |times| due(times).min(self.next_scan))
    }

    /// Checks the extension folders at intervals: some cannot be watched because they do not exist yet.
    pub(crate) fn scan(&mut self, moment: Instant) {
        if moment < self.next_scan {
            return;
        }
        self.next_scan = moment + EXTENSION_SCAN_INTERVAL;
        let stamps: Vec<Stamp> = self.folders.extensions.iter().map(Stamp::of).collect();
        if self.extensions != stamps {
            self.extensions = stamps;
            for folder in self.folders.extensions.clone() {
                self.note(&folder, moment);
            }
        }
    }

    /// Returns whether changes have settled, so that a [`refresh`](Self::refresh) is due.
    pub(crate) fn is_due(&self, moment: Instant) -> bool {
        self.unsettled.is_some_and(|times| due(times) <= moment)
    }

    /// Refreshes and saves the registry, and returns notes about the changes.
    pub(crate) fn refresh(&mut self, world: &AgentSources, workspace: &Workspace) -> Vec<Note> {
        self.unsettled = None;
        self.folders = world.folders.clone();
        let changed: Vec<PathBuf> = std::mem::take(&mut self.changed).into_iter().collect();
        let began = Instant::now();
        let (names, is_installed) = (&world.names, &*world.is_installed);
        let around = RefreshContext {
            names,
            is_installed,
            now: now(),
            stop: &|| began.elapsed() > AGENT_DISCOVERY_TIMEOUT,
        };
        let Some((refreshed, found)) = refresh(&self.registry, &self.folders, &changed, &around) else {
            return Vec::new();
        };
        self.registry = refreshed.registry;
        let mut notes: Vec<Note> =
            refreshed.changes.iter().filter_map(|it| note_about(it, &self.registry)).collect();
        notes.extend(self.note_limits(&found));
        match registry_file::save(workspace, &self.registry, around.now) {
            Ok(Saved::Written | Saved::Unchanged) => {}
            Ok(Saved::NewerFormat) => notes.push(Note::warning(
                "AGENTS",
                "cannot save the registry of agents: a newer version of steersman wrote the existing file",
            )),
            Err(error) => notes.push(Note::warning("AGENTS", error.to_string())),
        }
        notes
    }

    /// Returns notes about problems of the search as a whole, each once.
    fn note_limits(&mut self, found: &Discovery) -> Vec<Note> {
        let workspace = self.folders.workspace.to_string_lossy();
        let limits = found.problems.iter().filter(|it| it.is_error() && it.file == workspace);
        let limits: Vec<String> = limits.map(|it| it.message.clone()).collect();
        let new = limits.iter().filter(|it| !self.limits.contains(it));
        let notes = new.map(|it| Note::warning("AGENTS", it.clone())).collect();
        self.limits = limits;
        notes
    }

    /// Returns a note with the number of agents and of available agents.
    pub(crate) fn summary(&self) -> Note {
        let n_usable = self.registry.iter().filter(|it| it.state == State::Available).count();
        let n_all = self.registry.iter().count();
        Note::info("AGENTS", format!("{n_usable} of {n_all} agents are available"))
    }
}

fn due((first, last): (Instant, Instant)) -> Instant {
    (last + FILE_WATCHER_DEBOUNCE).min(first + AT_MOST)
}

fn note_about(change: &Change, registry: &Registry) -> Option<Note> {
    let id = &change.id;
    let entry = registry.get(id);
    let state = |state: State| state.as_str().to_lowercase();
    let why = || {
        let entry = entry?;
        let error = entry.problems.iter().find(|it| it.is_error());
        let text = error.map(|it| format!("{}: {}", it.file, it.message));
        text.or_else(|| entry.reason.map(|it| it.sentence().to_owned()))
    };
    let because = why().map_or(String::new(), |why| format!(", {why}"));
    let message = match change.kind {
        ChangeKind::Found => format!("{id} is new: {}{because}", entry.map(|it| state(it.state))?),
        ChangeKind::Became { to, .. } => format!("{id} is {} now{because}", state(to)),
        ChangeKind::Edited => format!("{id} was changed"),
        ChangeKind::Forgotten => format!("{id} was removed"),
    };
    let is_bad = entry.is_some_and(|it| it.state == State::Error);
    Some(if is_bad { Note::warning("AGENT", message) } else { Note::info("AGENT", message) })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use event::AbsPath;

    use super::*;

    const REVIEWER: &str = "---\ndescription: Reviews code\n---\nReview.\n";

    struct Stage {
        dir: tempfile::TempDir,
        workspace: Workspace,
    }

    impl Stage {
        fn new() -> Self {
            let dir = tempfile::tempdir().unwrap();
            let workspace = Workspace::at(AbsPath::new(dir.path()).unwrap());
            workspace.make_tmp_dir().unwrap();
            Self { dir, workspace }
        }

        fn world(&self) -> AgentSources {
            let folders = Folders {
                workspace: self.dir.path().to_path_buf(),
                directory: "agents".to_owned(),
                extensions: vec![self.dir.path().join("extensions")],
            };
            AgentSources { folders, names: ToolNames::default(), is_installed: Box::new(|_| true) }
        }

        fn write(&self, below: &str, text: &str) -> PathBuf {
            let path = self.dir.path().join(below);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, text).unwrap();
            path
        }

        fn refresh(&self, agents: &mut Agents) -> Vec<String> {
            agents
                .refresh(&self.world(), &self.workspace)
                .into_iter()
                .map(|it| it.message.into_string())
                .collect()
        }

        fn on_disk(&self) -> Vec<(String, State)> {
            let registry = registry_file::read(&self.workspace);
            registry.iter().map(|it| (it.id.clone(), it.state)).collect()
        }
    }

    #[test]
    fn what_comes_changes_breaks_and_goes_is_told_and_kept() {
        let (stage, start) = (Stage::new(), Instant::now());
        let mut agents = Agents::start(&stage.world(), &stage.workspace, start);
        assert_eq!(stage.refresh(&mut agents), Vec::<String>::new());
        let path = stage.write(".github/agents/x.agent.md", REVIEWER);
        agents.note(&path, start);
        assert_eq!(stage.refresh(&mut agents), ["local:x is new: available"]);
        assert_eq!(stage.on_disk(), [("local:x".to_owned(), State::Available)]);
        stage.write(".github/agents/x.agent.md", &REVIEWER.replace("code", "text"));
        agents.note(&path, start);
        assert_eq!(stage.refresh(&mut agents), ["local:x was changed"]);
        stage.write(".github/agents/x.agent.md", "---\nid: Bad Id\ndescription: x\n---\n");
        agents.note(&path, start);
        let told = stage.refresh(&mut agents);
        assert!(told[0].starts_with("local:x is error now, .github/agents/x.agent.md: "), "{told:?}");
        assert_eq!(stage.on_disk(), [("local:x".to_owned(), State::Error)]);
        stage.write(".github/agents/x.agent.md", REVIEWER);
        agents.note(&path, start);
        assert_eq!(stage.refresh(&mut agents), ["local:x is available now"]);
        fs::remove_dir_all(stage.dir.path().join(".github")).unwrap();
        agents.note(&stage.dir.path().join(".github"), start);
        assert_eq!(stage.refresh(&mut agents), ["local:x is unavailable now, its file was deleted"]);
        assert_eq!(stage.on_disk(), [("local:x".to_owned(), State::Unavailable)]);
    }

    #[test]
    fn a_limit_is_told_once() {
        let (stage, start) = (Stage::new(), Instant::now());
        for n in 0..101 {
            stage.write(&format!(".github/agents/a{n:03}.agent.md"), REVIEWER);
        }
        let mut agents = Agents::start(&stage.world(), &stage.workspace, start);
        let told = stage.refresh(&mut agents);
        let limit = "101 agents from files, more than the 100 of MAX_AGENTS_PER_SOURCE; the rest is ignored";
        assert_eq!((told.len(), told[100].as_str()), (101, limit));
        agents.note_all(start);
        assert_eq!(stage.refresh(&mut agents), Vec::<String>::new());
    }

    #[test]
    fn changes_are_looked_at_when_they_rest_and_others_never() {
        let (stage, start) = (Stage::new(), Instant::now());
        let at = |millis| start + Duration::from_millis(millis);
        let mut agents = Agents::start(&stage.world(), &stage.workspace, start);
        stage.refresh(&mut agents);
        agents.note(&stage.dir.path().join("src/main.rs"), start);
        assert!(!agents.is_due(at(10_000)));
        let file = stage.dir.path().join(".rawko/agents/a.yaml");
        agents.note(&file, start);
        agents.note(&file, at(400));
        assert!(!agents.is_due(at(899)) && agents.is_due(at(900)));
        assert_eq!(agents.next(), at(900));
        for millis in (0..6_000).step_by(100) {
            agents.note(&file, at(millis));
        }
        assert!(agents.is_due(at(5_000)), "a file that never settles is applied nevertheless");
    }

    #[test]
    fn a_folder_of_extensions_that_appears_later_is_found() {
        let (stage, start) = (Stage::new(), Instant::now());
        let mut agents = Agents::start(&stage.world(), &stage.workspace, start);
        stage.refresh(&mut agents);
        let package = r#"{"publisher":"A","name":"b","version":"1.0.0","contributes":{"chatParticipants":[{"id":"x","name":"helper"}]}}"#;
        stage.write("extensions/a.b-1.0.0/package.json", package);
        agents.scan(start + Duration::from_secs(9));
        assert!(!agents.is_due(start + Duration::from_mins(1)), "no scan is due");
        agents.scan(start + Duration::from_secs(10));
        assert!(agents.is_due(start + Duration::from_secs(11)));
        assert_eq!(stage.refresh(&mut agents), ["extension:a-b-helper is new: available"]);
    }
}
