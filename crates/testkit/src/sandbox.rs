//! A temporary workspace with its own user.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use tempfile::TempDir;

use crate::payload::{Recorded, raw};
use crate::{Call, SessionFiles, Tree, schema, state_files};

/// A repository, a home and a state folder, in one temporary folder.
#[derive(Debug)]
pub struct Sandbox {
    dir: TempDir,
    binary: PathBuf,
}

impl Sandbox {
    /// Creates a sandbox that calls `binary`.
    pub fn new(binary: impl Into<PathBuf>) -> Self {
        let dir = tempfile::tempdir().expect("a temporary folder");
        for folder in ["repo/.git", "home", "elsewhere"] {
            fs::create_dir_all(dir.path().join(folder)).expect("a fresh folder takes folders");
        }
        Self { dir, binary: binary.into() }
    }

    /// Returns the workspace.
    pub fn root(&self) -> PathBuf {
        self.dir.path().join("repo")
    }

    /// Returns a folder outside the workspace.
    pub fn elsewhere(&self) -> PathBuf {
        self.dir.path().join("elsewhere")
    }

    /// Returns the folder of the user's state.
    pub fn user_state(&self) -> PathBuf {
        self.dir.path().join("home/state")
    }

    /// Returns a path in the workspace.
    pub fn path(&self, below: impl AsRef<Path>) -> PathBuf {
        self.root().join(below)
    }

    /// Writes a file in the workspace.
    pub fn write(&self, below: impl AsRef<Path>, content: impl AsRef<[u8]>) {
        let path = self.path(below);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).expect("the folder can be made");
        }
        fs::write(&path, content).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }

    /// Writes the manifest after checking it against its schema.
    pub fn manifest(&self, manifest: &Value) {
        schema::check("dispatch-manifest", manifest);
        self.write(".ai/hooks/dispatch.manifest.json", manifest.to_string());
    }

    /// Writes the modules' settings after checking them against their schema.
    pub fn config(&self, config: &Value) {
        schema::check("config", config);
        self.write(".ai/hooks/config.json", config.to_string());
    }

    /// Writes the layout file after checking it against its schema.
    pub fn layout(&self, layout: &Value) {
        schema::check("workspace", layout);
        self.write(".ai/hooks/workspace.json", layout.to_string());
    }

    /// Writes a module of the project.
    pub fn module(&self, name: &str, source: &str) {
        self.write(format!(".ai/hooks/features/{name}/hook.mjs"), source);
    }

    /// Trusts the workspace in its current state.
    pub fn trust(&self) {
        let answer = self.call().args(["trust"]).run();
        assert_eq!(answer.code, Some(0), "{}", String::from_utf8_lossy(&answer.stderr));
    }

    /// Starts to build a call of the binary as the sandbox's user.
    pub fn call(&self) -> Call {
        Call::of(&self.binary, &self.root())
            .env("HOME", self.dir.path().join("home"))
            .env("STEERSMAN_STATE_DIR", self.user_state())
    }

    /// Starts to build a call of `dispatch`.
    pub fn dispatch(&self, host: &str, event: &str) -> Call {
        self.call().args(["dispatch", event, "--host", host])
    }

    /// Sends one payload and returns the checked answer.
    pub fn ask(&self, host: &str, event: &str, payload: &Value) -> Value {
        let answer = self.dispatch(host, event).payload(payload).run().object();
        if host == "raw" {
            schema::check("hook-output", &answer);
        }
        answer
    }

    /// Sends one event in the contract's format and returns the checked answer.
    pub fn raw(&self, event: &str, more: &Value) -> Value {
        let payload = raw(event, &self.root(), more);
        schema::check("hook-input", &payload);
        self.ask("raw", event, &payload)
    }

    /// Sends a recorded payload with the environment it was recorded in, without `--host`.
    pub fn replay(&self, recorded: &Recorded) -> Value {
        let mut call = self.call().args(["dispatch", &recorded.event]).payload(&recorded.payload);
        for (name, value) in &recorded.env {
            call = call.env(name, value.as_str().unwrap_or_default());
        }
        call.run().object()
    }

    /// Returns the only session.
    pub fn session(&self) -> SessionFiles {
        let mut sessions = self.sessions();
        assert_eq!(sessions.len(), 1, "{sessions:?}");
        sessions.remove(0)
    }

    /// Returns every session, by id.
    pub fn sessions(&self) -> Vec<SessionFiles> {
        self.sessions_in(".ai/tmp")
    }

    /// Returns every session in this folder of the workspace, by id.
    pub fn sessions_in(&self, below: &str) -> Vec<SessionFiles> {
        let entries = fs::read_dir(self.path(below)).map(|entries| entries.flatten().collect());
        let entries: Vec<fs::DirEntry> = entries.unwrap_or_default();
        let mut folders: Vec<PathBuf> = entries
            .iter()
            .map(fs::DirEntry::path)
            .filter(|path| path.is_dir() && !is_of_automations(path))
            .collect();
        folders.sort();
        folders.into_iter().map(SessionFiles::at).collect()
    }

    /// Returns `dispatch.log`; empty if the file does not exist.
    pub fn dispatch_log(&self) -> String {
        fs::read_to_string(self.path(".ai/tmp/dispatch.log")).unwrap_or_default()
    }

    /// Reads the whole sandbox: workspace, home and other folders.
    pub fn tree(&self) -> Tree {
        Tree::of(self.dir.path())
    }

    /// Returns the paths that changed since `before` and that steersman must not write.
    pub fn strays_since(&self, before: &Tree) -> Vec<PathBuf> {
        before.changes(&self.tree()).into_iter().filter(|path| !is_ours(path)).collect()
    }

    /// Checks every file and every line against its schema.
    pub fn check_everything(&self) {
        self.sessions().iter().for_each(SessionFiles::check_everything);
        let tmp = self.path(".ai/tmp");
        let unknown = state_files::check(&tmp, &self.user_state());
        assert_eq!(unknown, [""; 0], "list these files in crates/testkit/src/state_files.rs");
        if tmp.is_dir() {
            let ignore = fs::read_to_string(tmp.join(".gitignore")).unwrap_or_default();
            assert_eq!(ignore, "*\n", "the state folder hides itself from git");
        }
        for line in self.dispatch_log().lines() {
            let stamp = line.split(' ').next().unwrap_or_default();
            assert!(stamp.len() == 24 && stamp.ends_with('Z'), "not a line of dispatch.log: {line}");
        }
    }
}

/// Returns whether a folder next to the sessions is the automations' queue.
fn is_of_automations(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name == "automation")
}

/// Returns whether dispatch may write here: the log, the `.gitignore`, the folder of a session,
/// the trace, and the user's state of intents, plans and the workspaces of sessions.
fn is_ours(path: &Path) -> bool {
    let text = path.to_string_lossy().replace('\\', "/");
    if text == "repo/.orchestration/agent_trace.jsonl"
        || text == "home/state"
        || ["intents", "plans", "sessions", "governed"].iter().any(|kept| {
            text.strip_prefix("home/state/")
                .and_then(|rest| rest.strip_prefix(kept))
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        })
    {
        return true;
    }
    let Some(below) = text.strip_prefix("repo/.ai") else { return false };
    let Some(below) = below.strip_prefix("/tmp") else { return below.is_empty() };
    let first = below.trim_start_matches('/').split('/').next().unwrap_or_default();
    let is_session = first.len() == 8 && first.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
    matches!(below, "" | "/dispatch.log" | "/.gitignore") || is_session
}
