//! The temporary workspace of the demo.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use serde_json::Value;

use crate::environment;

/// A project module with three rules.
const HOUSE_RULES: &str = include_str!("house-rules.mjs");

/// A module that always fails.
const BROKEN: &str = "export default {\n  name: 'broken', supports: ['PreToolUse'], priority: 90, hotPathSafe: true,\n  \
                      handle() { throw new Error('I was never tested'); },\n};\n";

const MANIFEST: &str = r#"{
  "version": 1,
  "rewriteOwner": "house-rules",
  "modules": { "house-rules": {}, "broken": {} }
}
"#;

/// The workspace, and the binary that runs in it.
pub(super) struct Stage {
    root: PathBuf,
    folder: String,
    program: PathBuf,
}

/// The answer to one event.
pub(super) struct Answer {
    /// The JSON object on stdout.
    pub(super) json: Value,
    /// The time from spawn to exit.
    pub(super) took: Duration,
}

impl Stage {
    /// Creates a small trusted project with two modules.
    #[expect(clippy::disallowed_methods, reason = "the files of the demo project, not of steersman")]
    pub(super) fn build() -> anyhow::Result<Self> {
        let program = environment::running_program().context("cannot find the running program")?;
        let root = environment::temporary_folder().join(format!("steersman-demo-{}", std::process::id()));
        let project = root.join("shop");
        let features = project.join(".ai/hooks/features");
        for (file, content) in [
            (project.join(".git/HEAD"), "ref: refs/heads/main\n"),
            (
                project.join("src/cart.js"),
                "export const total = items => items.reduce((a, b) => a + b.price, 0);\n",
            ),
            (project.join("migrations/001.sql"), "create table cart (id integer primary key);\n"),
            (project.join(".ai/hooks/dispatch.manifest.json"), MANIFEST),
            (features.join("house-rules/hook.mjs"), HOUSE_RULES),
            (features.join("broken/hook.mjs"), BROKEN),
        ] {
            let dir = file.parent().unwrap_or(&project);
            fs::create_dir_all(dir).with_context(|| format!("cannot create `{}`", dir.display()))?;
            fs::write(&file, content).with_context(|| format!("cannot write `{}`", file.display()))?;
        }
        let project = project.canonicalize().context("cannot find the demo's folder")?;
        let stage = Self { root, folder: project.to_string_lossy().into_owned(), program };
        stage.command(&["trust"])?;
        Ok(stage)
    }

    /// Returns the project's folder.
    pub(super) fn folder(&self) -> &str {
        &self.folder
    }

    /// Sends one event to a new process, as an agent program does.
    pub(super) fn dispatch(&self, event: &str, host: &str, payload: &Value) -> anyhow::Result<Answer> {
        let began = Instant::now();
        let mut child = self
            .process(&["dispatch", event, "--host", host])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .context("cannot start `steersman dispatch`")?;
        if let Some(mut stdin) = child.stdin.take() {
            stdin
                .write_all(payload.to_string().as_bytes())
                .context("cannot write to `steersman dispatch`")?;
        }
        let output = child.wait_with_output().context("cannot wait for `steersman dispatch`")?;
        let took = began.elapsed();
        let json = serde_json::from_slice(&output.stdout)
            .context("the answer of `steersman dispatch` is not JSON")?;
        Ok(Answer { json, took })
    }

    /// Writes a file of the project.
    #[expect(clippy::disallowed_methods, reason = "the files of the demo project, not of steersman")]
    pub(super) fn write(&self, path: &str, content: &str) -> anyhow::Result<()> {
        let file = PathBuf::from(&self.folder).join(path);
        let failed = || format!("cannot write `{}`", file.display());
        if let Some(dir) = file.parent() {
            fs::create_dir_all(dir).with_context(failed)?;
        }
        fs::write(&file, content).with_context(failed)
    }

    /// Returns the lines of the trace.
    pub(super) fn trace(&self) -> anyhow::Result<Vec<Value>> {
        let file = PathBuf::from(&self.folder).join(intent::trace::TraceLog::PATH);
        let text = fs::read_to_string(&file).with_context(|| format!("cannot read `{}`", file.display()))?;
        text.lines()
            .map(|line| serde_json::from_str(line).context("a line of the trace is not JSON"))
            .collect()
    }

    /// Runs a command of steersman and returns its output.
    pub(super) fn command(&self, args: &[&str]) -> anyhow::Result<String> {
        output_of(&mut self.process(args))
    }

    /// Runs a command of steersman and returns its output for a screen of this width.
    pub(super) fn screen(&self, args: &[&str], columns: usize) -> anyhow::Result<String> {
        output_of(self.process(args).env("COLUMNS", columns.to_string()))
    }

    /// Returns the session with the most events.
    pub(super) fn main_session(&self) -> anyhow::Result<String> {
        let sessions: Value = serde_json::from_str(&self.command(&["session", "list", "--json"])?)?;
        let sessions =
            sessions["sessions"].as_array().context("`session list --json` has no array `sessions`")?;
        let of_claude = sessions.iter().find(|session| session["host"] == "claude-code");
        let sid = of_claude
            .and_then(|session| session["sid"].as_str())
            .context("`session list` lacks the session of the demo")?;
        Ok(sid.to_owned())
    }

    /// Removes the workspace.
    #[expect(clippy::disallowed_methods, reason = "the files of the demo project, not of steersman")]
    pub(super) fn clear(self) -> anyhow::Result<()> {
        fs::remove_dir_all(&self.root).with_context(|| format!("cannot remove `{}`", self.root.display()))
    }

    #[expect(clippy::disallowed_methods, reason = "it starts this program as an agent program does")]
    fn process(&self, args: &[&str]) -> Command {
        let mut command = Command::new(&self.program);
        command
            .args(args)
            .current_dir(&self.folder)
            // The demo's trust is stored in its workspace and removed with it.
            .env(environment::STATE_DIR, self.root.join("state"))
            .stderr(Stdio::piped());
        command
    }
}

fn output_of(command: &mut Command) -> anyhow::Result<String> {
    let output = command.output().context("cannot start steersman")?;
    let stderr = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "`{command:?}` failed: {stderr}");
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
