//! A temporary workspace, with hosts that send events to the real binary.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use super::normal::normal;

/// A workspace, and the state folder of its user.
pub(super) struct Scene {
    dir: tempfile::TempDir,
}

/// The output of a command.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct CommandOutput {
    pub(super) stdout: String,
    pub(super) stderr: String,
    pub(super) code: i32,
}

/// A module that asks about pushes, denies removing trees, and fails at `boom`.
const CAREFUL_MODULE: &str = "export default {
  name: 'careful', supports: new Set(['PreToolUse']), hotPathSafe: true,
  async handle(name, ctx) {
    const call = JSON.stringify(ctx.event);
    if (call.includes('git push')) return { decision: 'ask', reason: 'A push leaves this machine.' };
    if (call.includes('rm -rf')) return { decision: 'deny', denyReason: 'No tree is removed here.' };
    if (call.includes('boom')) throw new Error('boom');
    return {};
  },
};
";

impl Scene {
    /// An empty workspace.
    pub(super) fn new() -> Self {
        let scene = Self { dir: tempfile::tempdir().unwrap() };
        fs::create_dir_all(scene.path(".ai/hooks")).unwrap();
        scene
    }

    /// A trusted workspace with its own module.
    pub(super) fn with_careful_module() -> Self {
        let scene = Self::new();
        scene.write(".ai/hooks/features/careful/hook.mjs", CAREFUL_MODULE);
        scene.write(".ai/hooks/dispatch.manifest.json", r#"{"modules": {"careful": {"enabled": true}}}"#);
        assert_eq!(scene.run(&["trust"]).code, 0);
        scene
    }

    /// A file or folder in the workspace.
    pub(super) fn path(&self, below: &str) -> PathBuf {
        self.root().join(below)
    }

    /// The user's home.
    pub(super) fn home(&self) -> PathBuf {
        self.dir.path().join("home")
    }

    pub(super) fn root(&self) -> PathBuf {
        self.dir.path().join("project")
    }

    pub(super) fn write(&self, below: &str, text: &str) {
        let path = self.path(below);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Writes the modules' settings, after checking them.
    pub(super) fn config(&self, config: &Value) {
        testkit::schema::check("config", config);
        self.write(".ai/hooks/config.json", &config.to_string());
    }

    /// Runs `steersman` in the workspace.
    pub(super) fn run(&self, args: &[&str]) -> CommandOutput {
        self.run_with(args, "")
    }

    /// Runs a `session` command and returns its output, with placeholders for the parts that differ between
    /// runs.
    pub(super) fn session(&self, args: &[&str]) -> CommandOutput {
        let args: Vec<_> = ["session"].iter().chain(args).copied().collect();
        let said = self.run(&args);
        CommandOutput {
            stdout: normal(&said.stdout, &self.root()),
            stderr: normal(&said.stderr, &self.root()),
            code: said.code,
        }
    }

    /// Runs a `session` command with `--json` and returns the JSON.
    pub(super) fn json(&self, args: &[&str]) -> Value {
        let args: Vec<_> = ["session"].iter().chain(args).chain(&["--json"]).copied().collect();
        let said = self.run(&args);
        assert_eq!((said.code, said.stderr.as_str()), (0, ""), "{args:?}");
        serde_json::from_str(&said.stdout).unwrap()
    }

    /// Withdraws the trust in the workspace, as another user's `untrust` would.
    pub(super) fn forget_trust(&self) {
        fs::remove_file(self.dir.path().join("user/trust.json")).unwrap();
    }

    /// Sends an event of a host and returns the answer.
    pub(super) fn send(&self, host: &str, event: &str, more: &Value) -> Value {
        let mut payload = json!({
            "hook_event_name": event, "session_id": "one", "cwd": self.root(), "timestamp": "2026-01-01T00:00:00Z",
        });
        for (key, value) in more.as_object().unwrap() {
            payload[key] = value.clone();
        }
        let said = self.run_with(&["dispatch", event, "--host", host], &payload.to_string());
        assert_eq!((said.code, said.stderr.as_str()), (0, ""));
        serde_json::from_str(&said.stdout).unwrap()
    }

    /// Sends a whole payload of a host and returns the answer.
    pub(super) fn raw(&self, host: &str, event: &str, payload: &Value) -> Value {
        let said = self.run_with(&["dispatch", event, "--host", host], &payload.to_string());
        assert_eq!((said.code, said.stderr.as_str()), (0, ""));
        serde_json::from_str(&said.stdout).unwrap()
    }

    /// Sends a shell call of a host.
    pub(super) fn shell(&self, host: &str, id: &str, command: &str) -> Value {
        let call = json!({"tool_name": "Bash", "tool_use_id": id, "tool_input": {"command": command}});
        self.send(host, "PreToolUse", &call)
    }

    /// Returns the id of the last run with this call.
    pub(super) fn run_of(&self, sid: &str, command: &str) -> String {
        let shown = self.json(&["show", sid]);
        let mut entries =
            shown["turns"].as_array().unwrap().iter().flat_map(|turn| turn["entries"].as_array().unwrap());
        let found = entries.rfind(|entry| entry["target"] == command);
        found.unwrap_or_else(|| panic!("no call of `{command}`"))["run"].as_str().unwrap().to_owned()
    }

    /// Returns the lines of a session's journal.
    pub(super) fn journal(&self, sid: &str) -> Vec<Value> {
        let text = fs::read_to_string(self.path(".ai/tmp").join(sid).join("events.jsonl")).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// Returns every file below the workspace with its content.
    pub(super) fn files(&self) -> Vec<(PathBuf, Vec<u8>)> {
        fn collect(folder: &Path, files: &mut Vec<(PathBuf, Vec<u8>)>) {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    collect(&path, files);
                } else {
                    files.push((path.clone(), fs::read(path).unwrap()));
                }
            }
        }
        let mut files = Vec::new();
        collect(&self.root(), &mut files);
        files.sort();
        files
    }

    fn run_with(&self, args: &[&str], stdin: &str) -> CommandOutput {
        let mut child = Command::new(env!("CARGO_BIN_EXE_steersman"))
            .args(args)
            .current_dir(self.root())
            .env_clear()
            .env("STEERSMAN_STATE_DIR", self.dir.path().join("user"))
            .env("HOME", self.home())
            .env("COLUMNS", "100")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(stdin.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        CommandOutput {
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
            code: output.status.code().unwrap(),
        }
    }
}

/// The session `one` of each host that the tests use.
pub(super) const CLAUDE: &str = "2353fb64";
pub(super) const CODEX: &str = "35cf2f14";
pub(super) const COPILOT: &str = "6eb23c86";
