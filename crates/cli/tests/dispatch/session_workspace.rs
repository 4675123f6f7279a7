//! A session stays bound to the workspace it began in, wherever its calls run.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use testkit::Sandbox;

use crate::sandbox;

/// A project, and a home with other files in it.
struct Scene(Sandbox);

/// How a host names its workspace, and in which folder it runs hooks.
#[derive(Clone, Copy)]
struct HostSetup {
    host: &'static str,
    start: &'static str,
    call: &'static str,
    tool: &'static str,
    /// The variable that names the project.
    variable: Option<&'static str>,
    /// Hooks run in the folder of the call.
    follows: bool,
}

const HOST_SETUPS: [HostSetup; 7] = [
    way("codex", "SessionStart", "PreToolUse", "Bash", None, true),
    way("claude-code", "SessionStart", "PreToolUse", "Bash", Some("CLAUDE_PROJECT_DIR"), true),
    way("gemini", "SessionStart", "BeforeTool", "run_shell_command", Some("GEMINI_PROJECT_DIR"), true),
    way("qwen", "SessionStart", "PreToolUse", "run_shell_command", Some("QWEN_PROJECT_DIR"), true),
    way("cursor", "sessionStart", "preToolUse", "Shell", Some("CURSOR_PROJECT_DIR"), true),
    way("copilot-cli", "SessionStart", "PreToolUse", "Bash", Some("COPILOT_PROJECT_DIR"), true),
    way("vscode", "SessionStart", "PreToolUse", "run_in_terminal", None, false),
];

const fn way(
    host: &'static str,
    start: &'static str,
    call: &'static str,
    tool: &'static str,
    variable: Option<&'static str>,
    follows: bool,
) -> HostSetup {
    HostSetup { host, start, call, tool, variable, follows }
}

impl Scene {
    fn new() -> Self {
        let scene = Self(sandbox());
        for folder in ["home/victim", "home/other/.git", "home/other/src", "home/ruled/.ai/hooks"] {
            fs::create_dir_all(scene.at(folder)).unwrap();
        }
        scene.0.write("src/a.ts", "");
        scene
    }

    fn at(&self, path: &str) -> PathBuf {
        self.0.root().parent().unwrap().join(path)
    }

    /// Sends an event of a host in `cwd`; returns the answer as a string.
    fn send(&self, way: HostSetup, event: &str, cwd: &Path, more: &Value) -> String {
        let mut payload = json!({"session_id": "s", "conversation_id": "s", "hook_event_name": event, "cwd": cwd,
            "timestamp": "2026-11-01T10:00:00Z", "tool_use_id": "t"});
        payload.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let folder = if way.follows && cwd.is_dir() { cwd.to_owned() } else { self.0.root() };
        let mut call = self.0.dispatch(way.host, event).payload(&payload).folder(&folder);
        if let Some(variable) = way.variable {
            call = call.env(variable, self.0.root());
        }
        call.run().object().to_string()
    }

    fn start(&self, way: HostSetup, cwd: &Path) {
        self.send(way, way.start, cwd, &json!({"source": "startup"}));
    }

    fn run(&self, way: HostSetup, cwd: &Path, command: &str) -> String {
        self.send(way, way.call, cwd, &json!({"tool_name": way.tool, "tool_input": {"command": command}}))
    }

    /// Checks that no workspace but the project has a journal.
    fn assert_one_journal(&self, of: &str) {
        for stray in ["home/.ai", "home/victim/.ai", "home/other/.ai", "home/ruled/.ai/tmp", "elsewhere/.ai"]
        {
            assert!(!self.at(stray).exists(), "{of}: {stray}");
        }
        assert_eq!(self.0.sessions().len(), 1, "{of}");
    }
}

fn is_refused(answer: &str) -> bool {
    answer.contains("deny") || answer.contains("\"ask\"")
}

#[test]
fn every_host_has_a_setup() {
    for host in host::Host::ALL.into_iter().filter(|host| *host != host::Host::Raw) {
        assert!(HOST_SETUPS.iter().any(|way| way.host == host.name()), "{host}");
    }
}

#[test]
fn a_folder_named_for_a_call_is_judged_from_the_workspace_on_every_host() {
    for way in HOST_SETUPS {
        let scene = Scene::new();
        scene.start(way, &scene.0.root());
        for (folder, command) in [
            ("home", "rm -r victim"),
            ("home/other", "rm -rf src"),
            ("home/ruled", "rm -rf ."),
            ("home/other/src", "rm -rf ../.git"),
            ("home/other", "mkdir -p .codex && echo '{}' > .codex/hooks.json"),
            ("home/other", "echo '{}' > .cursor/mcp.json"),
            ("home/not/there", "rm -rf x"),
        ] {
            let answer = scene.run(way, &scene.at(folder), command);
            assert!(is_refused(&answer), "{} in {folder}: {command}: {answer}", way.host);
        }
        let answer = scene.run(way, &scene.0.root().join("src"), "rm a.ts");
        assert!(!is_refused(&answer), "{}: {answer}", way.host);
        scene.assert_one_journal(way.host);
    }
}

#[test]
fn without_a_session_start_the_folder_of_the_hook_binds_the_session() {
    for way in HOST_SETUPS {
        let scene = Scene::new();
        let answer = scene.run(HostSetup { follows: false, ..way }, &scene.at("home"), "rm -r victim");
        assert!(is_refused(&answer), "{}: {answer}", way.host);
        scene.assert_one_journal(way.host);
    }
}

#[test]
fn folders_an_agent_makes_do_not_become_its_workspace() {
    for way in HOST_SETUPS {
        let scene = Scene::new();
        scene.start(way, &scene.0.root());
        for made in ["made/.git", "made2/.ai/hooks", "src/deep/.git"] {
            fs::create_dir_all(scene.0.path(made)).unwrap();
            let folder = scene.0.path(made.split("/.").next().unwrap());
            // Relative to the folder itself, this would be its own repository.
            assert!(is_refused(&scene.run(way, &folder, "rm -rf ../.git")), "{} {made}", way.host);
        }
        assert!(!scene.0.path("made/.ai").exists() && !scene.0.path("made2/.ai/tmp").exists());
    }
}

#[test]
fn a_session_that_begins_in_a_subfolder_keeps_the_workspace_around_it() {
    for way in HOST_SETUPS {
        let scene = Scene::new();
        let sub = scene.0.path("src");
        let start = HostSetup { variable: None, follows: true, ..way };
        scene.start(start, &sub);
        // Another repository appears between the session's folder and its workspace.
        fs::create_dir_all(scene.0.path("src/.git")).unwrap();
        scene.run(start, &sub, "ls");
        assert!(!scene.0.path("src/.ai").exists(), "{}", way.host);
        assert_eq!(scene.0.sessions().len(), 1, "{}", way.host);
    }
}

#[test]
fn a_context_that_was_shortened_elsewhere_does_not_bind_the_session_there() {
    for way in HOST_SETUPS {
        let scene = Scene::new();
        scene.start(way, &scene.0.root());
        scene.send(way, way.start, &scene.at("home/other"), &json!({"source": "compact"}));
        assert!(is_refused(&scene.run(way, &scene.at("home/other"), "rm -rf src")), "{}", way.host);
        scene.assert_one_journal(way.host);
    }
}

#[test]
fn a_session_that_a_person_resumes_elsewhere_is_bound_there() {
    let scene = Scene::new();
    let codex = HOST_SETUPS[0];
    scene.start(codex, &scene.0.root());
    scene.send(codex, "SessionStart", &scene.at("home/other"), &json!({"source": "resume"}));
    assert!(!is_refused(&scene.run(codex, &scene.at("home/other"), "rm -rf src")));
    assert!(scene.at("home/other/.ai/tmp").exists());
}

#[test]
fn one_id_of_two_hosts_or_of_two_projects_is_two_sessions() {
    let scene = Scene::new();
    let [codex, claude, ..] = HOST_SETUPS;
    scene.start(codex, &scene.at("home/other"));
    assert!(!is_refused(&scene.run(claude, &scene.0.root(), "rm src/a.ts")), "another host");
    let project = scene.at("home/ruled");
    let payload = json!({"session_id": "s", "hook_event_name": "PreToolUse", "cwd": project, "tool_name": "Bash",
        "tool_use_id": "t9", "tool_input": {"command": "ls"}, "permission_mode": "default"});
    let call = scene.0.dispatch("claude-code", "PreToolUse").payload(&payload).folder(&project);
    call.env("CLAUDE_PROJECT_DIR", &project).run().object();
    assert!(project.join(".ai/tmp").exists(), "another project");
}

#[test]
fn without_a_state_folder_the_hooks_own_folder_binds() {
    let scene = Scene::new();
    let payload = json!({"session_id": "s", "hook_event_name": "PreToolUse", "cwd": scene.at("home"),
        "tool_name": "Bash", "tool_use_id": "t", "tool_input": {"command": "rm -r victim"}});
    let root = scene.0.root();
    let call = testkit::Call::of(env!("CARGO_BIN_EXE_steersman"), &root);
    // Without a home, every folder below the one for temporary files is writable, so check where the run is
    // recorded.
    call.args(["dispatch", "PreToolUse", "--host", "codex"]).payload(&payload).run().object();
    assert!(!scene.at("home/.ai").exists());
    assert_eq!(scene.0.sessions().len(), 1);
}

#[cfg(unix)]
#[test]
fn a_linked_folder_is_judged_where_it_leads() {
    for way in HOST_SETUPS {
        let scene = Scene::new();
        scene.start(way, &scene.0.root());
        std::os::unix::fs::symlink(scene.at("home/other"), scene.0.path("link")).unwrap();
        std::os::unix::fs::symlink(scene.0.root(), scene.at("home/alias")).unwrap();
        let rooted = HostSetup { follows: false, ..way };
        assert!(is_refused(&scene.run(rooted, &scene.0.path("link"), "rm -rf src")), "{}", way.host);
        let above = scene.0.path("link").join("..");
        assert!(is_refused(&scene.run(rooted, &above, "rm -r victim")), "{}", way.host);
        let alias = scene.at("home/alias");
        assert!(!is_refused(&scene.run(rooted, &alias, "rm src/a.ts")), "{}", way.host);
        assert!(is_refused(&scene.run(rooted, &alias, "rm -rf .claude")), "{}", way.host);
        scene.assert_one_journal(way.host);
    }
}

#[test]
fn folders_in_the_input_of_a_call_are_judged_from_the_workspace() {
    for (way, field) in
        [(2, "dir_path"), (2, "directory"), (3, "directory"), (0, "workdir"), (4, "working_directory")]
    {
        let scene = Scene::new();
        let way = HOST_SETUPS[way];
        scene.start(way, &scene.0.root());
        for folder in [scene.at("home"), PathBuf::from("../home")] {
            let input = json!({"command": "rm -r victim", field: folder});
            let answer = scene.send(
                way,
                way.call,
                &scene.0.root(),
                &json!({"tool_name": way.tool, "tool_input": input}),
            );
            assert!(is_refused(&answer), "{} {field}: {answer}", way.host);
        }
    }
}

#[test]
fn a_hook_that_finds_the_workspace_in_its_own_folder_leaves_no_record_of_it() {
    let scene = Scene::new();
    scene.start(HOST_SETUPS[1], &scene.0.root());
    assert!(!scene.0.user_state().join("sessions").exists());
    scene.start(HOST_SETUPS[0], &scene.0.root());
    assert_eq!(fs::read_dir(scene.0.user_state().join("sessions")).unwrap().count(), 1);
}
