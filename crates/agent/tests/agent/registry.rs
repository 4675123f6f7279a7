//! Tests of discovery and availability.

use std::fs;
use std::path::{Path, PathBuf};

use agent::ToolNames;
use agent::registry::{
    AgentType, AvailabilityContext, ChangeKind, Discovery, Folders, Governing, RefreshContext, Refreshed,
    Registry, Selection, Snapshot, SnapshotError, State, Unavailable, availability, discover, governing,
    refresh,
};
use store::Timestamp;
use tempfile::TempDir;

const NOW: Timestamp = Timestamp::from_millis(1_706_267_400_000);

struct Project {
    root: TempDir,
}

impl Project {
    fn new(files: &[(&str, &str)]) -> Self {
        let project = Self { root: TempDir::new().unwrap() };
        for (path, text) in files {
            project.write(path, text);
        }
        project
    }

    fn path(&self) -> &Path {
        self.root.path()
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn folders(&self) -> Folders {
        Folders {
            workspace: self.path().to_path_buf(),
            directory: "agents".to_owned(),
            extensions: vec![self.path().join("extensions")],
        }
    }

    fn discover(&self) -> Discovery {
        discover(&self.folders(), &ToolNames::default(), NOW, &|| false)
    }

    /// Updates the registry after a change of this path, with or without the agents' programs.
    fn refresh(
        &self,
        before: &Registry,
        changed: &str,
        at: Timestamp,
        has_programs: bool,
    ) -> Option<Refreshed> {
        let world = RefreshContext {
            names: &ToolNames::default(),
            is_installed: &|_| has_programs,
            now: at,
            stop: &|| false,
        };
        let changed: [PathBuf; 1] = [self.path().join(changed)];
        refresh(before, &self.folders(), &changed, &world).map(|(refreshed, _)| refreshed)
    }
}

const REVIEWER: &str = "---\ndescription: Reviews code\ntools: [search]\n---\nReview.\n";
const COPILOT: &str = r#"{"publisher":"GitHub","name":"copilot","version":"1.10.0","contributes":{"chatParticipants":[
    {"id":"github.copilot.workspace","name":"workspace","fullName":"Code Reviewer","description":"Asks"},{"bad":1}],
    "chatAgents":[{"path":"./agents/helper.agent.md"}]}}"#;

#[test]
fn agents_are_found_in_every_place() {
    let project = Project::new(&[
        (
            ".rawko/agents/planner.yaml",
            "name: planner\nsystemPrompt: x\ntransitions: {onSuccess: complete}\n",
        ),
        (".rawko/agents/notes.txt", "x"),
        (".github/agents/deep/er/code-reviewer.agent.md", REVIEWER),
        (".github/agents/readme.md", "no agent"),
        (".claude/agents/README.md", "# Our agents\n\nHow we use them.\n"),
        (".rawko/agents/readme.md", "# Our agents\n"),
        (".claude/agents/tester.md", "---\nname: tester\ndescription: Tests\n---\nTest.\n"),
        ("extensions/github.copilot-1.10.0/package.json", COPILOT),
        (
            "extensions/github.copilot-1.9.0/package.json",
            &COPILOT.replace("1.10.0", "1.9.0").replace("workspace", "old"),
        ),
        ("extensions/x.gone-1.0.0/package.json", &COPILOT.replace("GitHub", "x")),
        ("extensions/.obsolete", r#"{"x.gone-1.0.0":true}"#),
        ("extensions/y.other-1.0.0/package.json", "{ no agents and not even JSON"),
    ]);
    let found = project.discover();
    assert_eq!(found.problems, []);
    let listed: Vec<_> = found
        .registry
        .list(&Selection::default())
        .into_iter()
        .map(|it| (it.id.as_str(), it.display_name.as_str(), it.kind, it.state))
        .collect();
    assert_eq!(
        listed,
        [
            ("local:code-reviewer", "Code Reviewer (Local)", AgentType::Local, State::Available),
            ("local:planner", "Planner", AgentType::Local, State::Available),
            ("local:tester", "Tester", AgentType::Local, State::Available),
            (
                "extension:github-copilot-workspace",
                "Code Reviewer (Extension)",
                AgentType::Background,
                State::Available
            ),
            ("extension:github-copilot-helper", "helper", AgentType::Background, State::Available),
        ]
    );
    let search = Selection { search: Some("REVIEWS".to_owned()), ..Selection::default() };
    assert_eq!(found.registry.list(&search).len(), 1);
    assert_eq!(found.agents.len(), 3);
}

#[test]
fn a_bad_file_is_listed_with_its_error_and_hides_no_other() {
    let project = Project::new(&[
        (".rawko/agents/bad.yaml", "name: [\n"),
        (".rawko/agents/lost.yaml", "name: lost\nsystemPrompt: x\ntransitions: {onSuccess: nowhere}\n"),
        (".rawko/agents/good.yaml", "name: good\nsystemPrompt: x\ntransitions: {onSuccess: complete}\n"),
    ]);
    let found = project.discover();
    let states: Vec<_> =
        found.registry.iter().map(|it| (it.id.as_str(), it.state, it.problems.len())).collect();
    assert_eq!(
        states,
        [
            ("local:bad", State::Error, 1),
            ("local:good", State::Available, 0),
            ("local:lost", State::Error, 1)
        ]
    );
    assert_eq!(found.agents.keys().collect::<Vec<_>>(), ["good"]);
    assert_eq!(found.problems.len(), 2);
}

#[test]
fn limits_are_kept_and_named() {
    let project = Project::new(&[]);
    for index in 0..120 {
        project.write(&format!(".github/agents/a{index:03}.agent.md"), REVIEWER);
    }
    let found = project.discover();
    assert_eq!(found.registry.iter().count(), 100);
    assert_eq!(
        found.problems[0].message,
        "120 agents from files, more than the 100 of MAX_AGENTS_PER_SOURCE; the rest is ignored"
    );
}

#[test]
fn an_id_that_is_taken_is_an_error() {
    let project =
        Project::new(&[(".github/agents/a/x.agent.md", REVIEWER), (".github/agents/b/x.agent.md", REVIEWER)]);
    let found = project.discover();
    let states: Vec<State> = found.registry.iter().map(|it| it.state).collect();
    assert_eq!(states, [State::Available, State::Error]);
    assert!(found.problems.iter().any(|it| it.code.as_str() == "DUPLICATE_ID"), "{:?}", found.problems);
}

#[test]
fn availability_has_the_documents_reasons_and_states() {
    let project = Project::new(&[
        (".github/agents/x.agent.md", REVIEWER),
        (".claude/agents/y.md", "---\nname: y\ndescription: x\nmodel: opus\n---\nx"),
        ("extensions/github.copilot-1.10.0/package.json", COPILOT),
    ]);
    let mut registry = project.discover().registry;
    let folders = [project.path().join("extensions")];
    let mut look = |id: &str, has_programs: bool| {
        let around = AvailabilityContext {
            names: &ToolNames::default(),
            extension_folders: &folders,
            is_installed: &|_| has_programs,
            now: NOW,
        };
        let entry = registry.get_mut(id).unwrap();
        let found = availability(entry, &around);
        assert_eq!(found.is_available(), found.reason.is_none());
        (found.reason, entry.state)
    };
    let (x, y, copilot) = ("local:x", "local:y", "extension:github-copilot-workspace");
    assert_eq!(look(x, true), (None, State::Available));
    fs::remove_file(project.path().join(".github/agents/x.agent.md")).unwrap();
    assert_eq!(look(x, true), (Some(Unavailable::FileDeleted), State::Unavailable));
    project.write(".github/agents/x.agent.md", REVIEWER);
    assert_eq!(look(x, true), (None, State::Available));
    project.write(".github/agents/x.agent.md", "---\nid: Bad Id\ndescription: x\n---\n");
    assert_eq!(look(x, true), (Some(Unavailable::InvalidSchema), State::Error));
    project.write(".github/agents/x.agent.md", REVIEWER);
    assert_eq!(look(x, true), (None, State::Available));
    assert_eq!(look(y, false), (Some(Unavailable::CliNotInstalled), State::Unavailable));
    assert_eq!(look(copilot, true), (None, State::Available));
    fs::remove_dir_all(&folders[0]).unwrap();
    assert_eq!(look(copilot, true), (Some(Unavailable::ExtensionUninstalled), State::Unavailable));
}

#[test]
fn a_snapshot_is_read_back_and_a_newer_one_is_refused() {
    let project = Project::new(&[
        (".github/agents/x.agent.md", REVIEWER),
        ("extensions/github.copilot-1.10.0/package.json", COPILOT),
    ]);
    let snapshot = Snapshot::of(&project.discover().registry, NOW);
    let text = snapshot.to_json().unwrap();
    let again = Snapshot::parse(&text).unwrap();
    assert_eq!(again, snapshot);
    assert_eq!(again.restore().iter().count(), 3);
    assert_eq!(snapshot.agents[2].schema.as_ref().unwrap()["commands"][0]["name"], "help");
    let newer = text.replacen("\"version\": 1", "\"version\": 2", 1);
    assert!(matches!(Snapshot::parse(&newer), Err(SnapshotError::Format(_))));
    assert!(matches!(Snapshot::parse("nothing"), Err(SnapshotError::Broken(_))));
}

#[test]
fn a_search_that_is_stopped_says_so() {
    let project = Project::new(&[(".github/agents/x.agent.md", REVIEWER)]);
    let folders = Folders {
        workspace: project.path().to_path_buf(),
        directory: "agents".to_owned(),
        extensions: vec![],
    };
    let found = discover(&folders, &ToolNames::default(), NOW, &|| true);
    assert!(found.problems[0].message.contains("AGENT_DISCOVERY_TIMEOUT_MS"));
}

#[test]
fn the_governing_agent_is_found_by_its_name_in_any_format() {
    let project = Project::new(&[
        (".rawko/agents/one.yaml", "name: planner\nsystemPrompt: x\ntransitions: {onSuccess: gone}\n"),
        (".rawko/agents/two.yaml", "name: coder\nsystemPrompt: [\n"),
        (".rawko/agents/tester.yaml", "name: [\n"),
        (".github/agents/code-reviewer.agent.md", REVIEWER),
    ]);
    let check = |name: &str| match governing(project.path(), "agents", name, &ToolNames::default()) {
        Governing::Found(definition) => definition.origin.file,
        Governing::Broken(problems) => format!("{} problems", problems.len()),
        Governing::Undefined => "undefined".to_owned(),
    };
    assert_eq!(check("planner"), ".rawko/agents/one.yaml");
    assert_eq!(check("code-reviewer"), ".github/agents/code-reviewer.agent.md");
    assert_eq!(check("Code Reviewer"), ".github/agents/code-reviewer.agent.md");
    assert_eq!(check("local:planner"), ".rawko/agents/one.yaml");
    assert_eq!(check("coder"), "1 problems");
    assert_eq!(check("tester"), "1 problems");
    assert_eq!(check("general-purpose"), "undefined");
}

#[cfg(unix)]
#[test]
fn links_in_a_circle_end() {
    let project = Project::new(&[(".github/agents/x.agent.md", REVIEWER)]);
    std::os::unix::fs::symlink(project.path(), project.path().join(".github/agents/again")).unwrap();
    assert_eq!(project.discover().registry.iter().count(), 1);
}

fn changes(refreshed: &Refreshed) -> Vec<(&str, ChangeKind)> {
    refreshed.changes.iter().map(|it| (it.id.as_str(), it.kind)).collect()
}

const fn became(from: State, to: State) -> ChangeKind {
    ChangeKind::Became { from, to }
}

#[test]
fn only_paths_that_can_matter_to_agents_concern_them() {
    let project = Project::new(&[]);
    let folders = project.folders();
    for (path, does) in [
        (".rawko", true),
        (".rawko/config.yaml", true),
        (".rawko/agents/a.yaml", true),
        (".github", true),
        (".github/agents/deep/x.agent.md", true),
        (".github/workflows/ci.yml", false),
        (".claude/agents/x.md", true),
        (".claude/settings.json", false),
        ("src/main.rs", false),
        ("", true),
        ("extensions", true),
        ("extensions/a.b-1.0.0", true),
        ("extensions/.obsolete", true),
        ("extensions/a.b-1.0.0/package.json", true),
        ("extensions/a.b-1.0.0/dist/main.js", false),
        ("extensions/a.b-1.0.0/node_modules/package.json", false),
    ] {
        assert_eq!(folders.concerns(&project.path().join(path)), does, "{path}");
    }
}

#[test]
fn every_folder_in_which_agents_can_come_and_go_is_watched() {
    let project = Project::new(&[
        (".rawko/agents/a.yaml", "x"),
        (".github/agents/deep/x.agent.md", "x"),
        ("extensions/a.b-1.0.0/dist/main.js", "x"),
        ("src/main.rs", "x"),
    ]);
    let mut watched: Vec<String> = project
        .folders()
        .watched()
        .iter()
        .map(|it| it.strip_prefix(project.path()).unwrap().to_string_lossy().replace('\\', "/"))
        .collect();
    watched.sort();
    watched.dedup();
    let expected = [
        "",
        ".github",
        ".github/agents",
        ".github/agents/deep",
        ".rawko",
        ".rawko/agents",
        "extensions",
        "extensions/a.b-1.0.0",
    ];
    assert_eq!(watched, expected);
}

#[test]
fn a_refresh_tells_what_came_changed_broke_was_mended_and_went() {
    let file = ".github/agents/x.agent.md";
    let project = Project::new(&[(file, REVIEWER)]);
    let look = |before: &Registry| project.refresh(before, file, NOW, true).unwrap();
    let found = look(&Registry::default());
    assert_eq!(changes(&found), [("local:x", ChangeKind::Found)]);
    assert_eq!(project.refresh(&found.registry, "src/main.rs", NOW, true), None);
    let same = look(&found.registry);
    assert_eq!(changes(&same), []);
    project.write(file, &REVIEWER.replace("Reviews", "Praises"));
    let edited = look(&same.registry);
    assert_eq!(changes(&edited), [("local:x", ChangeKind::Edited)]);
    project.write(file, "---\nid: Bad Id\ndescription: x\n---\n");
    let broken = look(&edited.registry);
    assert_eq!(changes(&broken), [("local:x", became(State::Available, State::Error))]);
    assert_eq!(broken.registry.get("local:x").unwrap().problems.len(), 1);
    project.write(file, REVIEWER);
    let mended = look(&broken.registry);
    assert_eq!(changes(&mended), [("local:x", became(State::Error, State::Available))]);
    fs::remove_file(project.path().join(file)).unwrap();
    let gone = look(&mended.registry);
    assert_eq!(changes(&gone), [("local:x", became(State::Available, State::Unavailable))]);
    assert_eq!(gone.registry.get("local:x").unwrap().reason, Some(Unavailable::FileDeleted));
    project.write(file, REVIEWER);
    assert_eq!(changes(&look(&gone.registry)), [("local:x", became(State::Unavailable, State::Available))]);
}

#[test]
fn an_agent_that_is_gone_is_listed_for_a_week_and_then_forgotten() {
    let package = "extensions/github.copilot-1.10.0/package.json";
    let project = Project::new(&[(package, COPILOT)]);
    let found = project.refresh(&Registry::default(), package, NOW, true).unwrap();
    assert_eq!(found.registry.iter().count(), 2);
    fs::remove_dir_all(project.path().join("extensions")).unwrap();
    let days = |n: u64| Timestamp::from_millis(NOW.as_millis() + n * 24 * 60 * 60 * 1000);
    let gone = project.refresh(&found.registry, "extensions", days(6), true).unwrap();
    let reasons: Vec<_> = gone.registry.iter().map(|it| it.reason).collect();
    assert_eq!(reasons, [Some(Unavailable::ExtensionUninstalled); 2]);
    let later = project.refresh(&gone.registry, "extensions", days(8), true).unwrap();
    assert_eq!(later.registry.iter().count(), 0);
    assert!(later.changes.iter().all(|it| it.kind == ChangeKind::Forgotten), "{:?}", later.changes);
}

#[test]
fn one_file_can_make_another_right_or_wrong_and_dates_are_kept() {
    let target = "name: b\nsystemPrompt: x\ntransitions: {onSuccess: complete}\n";
    let project = Project::new(&[
        (".rawko/agents/a.yaml", "name: a\nsystemPrompt: x\ntransitions: {onSuccess: b}\n"),
        (".rawko/agents/b.yaml", target),
    ]);
    let found = project.refresh(&Registry::default(), ".rawko", NOW, true).unwrap();
    fs::remove_file(project.path().join(".rawko/agents/b.yaml")).unwrap();
    let later = Timestamp::from_millis(NOW.as_millis() + 1_000);
    let alone = project.refresh(&found.registry, ".rawko/agents/b.yaml", later, true).unwrap();
    assert_eq!(
        changes(&alone),
        [
            ("local:a", became(State::Available, State::Error)),
            ("local:b", became(State::Available, State::Unavailable))
        ]
    );
    let entry = alone.registry.get("local:a").unwrap();
    assert_eq!((entry.discovered_at, entry.last_validated), (NOW, Some(later)));
}

#[test]
fn an_agent_whose_program_goes_away_cannot_be_used_until_it_is_back() {
    let file = ".claude/agents/y.md";
    let project = Project::new(&[(file, "---\nname: y\ndescription: x\nmodel: opus\n---\nx")]);
    let there = project.refresh(&Registry::default(), file, NOW, true).unwrap();
    let without = project.refresh(&there.registry, file, NOW, false).unwrap();
    assert_eq!(changes(&without), [("local:y", became(State::Available, State::Unavailable))]);
    assert_eq!(without.registry.get("local:y").unwrap().reason, Some(Unavailable::CliNotInstalled));
    let back = project.refresh(&without.registry, file, NOW, true).unwrap();
    assert_eq!(changes(&back), [("local:y", became(State::Unavailable, State::Available))]);
}
