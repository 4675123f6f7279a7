//! A project with a server, and functions to inspect it.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use testkit::Sandbox;

pub(crate) struct Project {
    pub(crate) sandbox: Sandbox,
}

/// A failing test prints the logs of its servers and runs, because the failure may not occur again.
impl Drop for Project {
    #[expect(clippy::print_stderr, reason = "the harness shows it with the failure")]
    fn drop(&mut self) {
        if thread::panicking() {
            let journal = self.read(".ai/tmp/automation/queue.jsonl");
            let lines: Vec<&str> = journal.lines().collect();
            let latest = lines[lines.len().saturating_sub(40)..].join("\n");
            let log = fs::read_to_string(self.log_file()).unwrap_or_default();
            eprintln!("--- what the servers told\n{log}--- the latest of the journal\n{latest}");
        }
    }
}

/// A server that is killed when dropped.
pub(crate) struct Server(pub(crate) Child);

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Server {
    pub(crate) fn kill(mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }

    /// Sends a signal to stop and waits until it exits.
    pub(crate) fn stop(mut self) -> Option<i32> {
        let pid = self.0.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &pid]).status().unwrap().success());
        self.0.wait().unwrap().code()
    }
}

impl Project {
    /// Creates a trusted project with these automations.
    pub(crate) fn new(hooks: &Value) -> Self {
        let project = Self { sandbox: Sandbox::new(env!("CARGO_BIN_EXE_steersman")) };
        project.declare(hooks);
        project
    }

    /// Declares automations and trusts them.
    pub(crate) fn declare(&self, hooks: &Value) {
        let declared = json!({ "schemaVersion": 1, "hooks": hooks });
        self.sandbox.write(".akira/hooks.json", declared.to_string());
        self.sandbox.trust();
    }

    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_steersman"));
        command
            .current_dir(self.sandbox.root())
            .env("HOME", self.sandbox.elsewhere())
            .env("STEERSMAN_STATE_DIR", self.sandbox.user_state())
            .env("STEERSMAN_EXTENSION_DIRS", self.extensions())
            .env_remove("CLAUDE_PROJECT_DIR")
            .stdin(Stdio::null());
        command
    }

    pub(crate) fn extensions(&self) -> PathBuf {
        self.sandbox.elsewhere().join("extensions")
    }

    /// Starts a server and waits until it is ready.
    pub(crate) fn serve(&self) -> Server {
        self.serve_with(&[])
    }

    /// Like [`Self::serve`], with these environment variables.
    pub(crate) fn serve_with(&self, variables: &[(&str, &str)]) -> Server {
        let mut command = self.command();
        command.args(["serve", "--json", "--port", "0", "--grace", "120"]).envs(variables.iter().copied());
        self.begin(command)
    }

    /// Starts a server with this command and waits until it is ready.
    pub(crate) fn begin(&self, mut command: Command) -> Server {
        let log = File::options().create(true).append(true).open(self.log_file()).unwrap();
        command.stdout(log.try_clone().unwrap()).stderr(log);
        let n_before = self.log("STARTED").len();
        let mut server = Server(command.spawn().unwrap());
        let pid = server.0.id();
        until("the server serves", || {
            assert_eq!(
                server.0.try_wait().unwrap(),
                None,
                "{}",
                fs::read_to_string(self.log_file()).unwrap()
            );
            self.holder()["pid"] == pid && self.log("STARTED").len() > n_before
        });
        server
    }

    fn log_file(&self) -> PathBuf {
        self.sandbox.elsewhere().join("serve.log")
    }

    /// Returns the messages of the servers with this code.
    pub(crate) fn log(&self, code: &str) -> Vec<String> {
        let text = fs::read_to_string(self.log_file()).unwrap_or_default();
        text.lines()
            .filter_map(|line| serde_json::from_str::<Value>(line).ok())
            .filter(|line| line["code"] == code)
            .map(|line| line["message"].as_str().unwrap().to_owned())
            .collect()
    }

    /// Returns the server's record of itself.
    pub(crate) fn holder(&self) -> Value {
        serde_json::from_str(&self.read(".ai/tmp/automation/server.json")).unwrap_or_default()
    }

    pub(crate) fn read(&self, below: impl AsRef<Path>) -> String {
        fs::read_to_string(self.sandbox.path(below)).unwrap_or_default()
    }

    pub(crate) fn run(&self, args: &[&str]) -> (i32, String, String) {
        let output = self.command().args(args).output().unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (output.status.code().unwrap(), text(&output.stdout), text(&output.stderr))
    }

    /// Runs a command that prints JSON.
    pub(crate) fn json(&self, args: &[&str]) -> Value {
        let (code, stdout, stderr) = self.run(args);
        assert_eq!(code, 0, "{args:?}: {stderr}");
        serde_json::from_str(&stdout).unwrap_or_else(|error| panic!("{error}: {stdout}"))
    }

    /// Returns the runs that ended.
    pub(crate) fn runs(&self, args: &[&str]) -> Vec<Value> {
        let all = [&["automation", "history", "--limit", "100000", "--json"], args].concat();
        self.json(&all)["runs"].as_array().unwrap().clone()
    }

    pub(crate) fn git(&self, args: &[&str]) {
        let done = self.try_git(args);
        assert!(done.status.success(), "{args:?} {}", String::from_utf8_lossy(&done.stderr));
    }

    pub(crate) fn try_git(&self, args: &[&str]) -> Output {
        self.git_command(args).output().unwrap()
    }

    pub(crate) fn git_command(&self, args: &[&str]) -> Command {
        let mut command = Command::new("git");
        command
            .args(["-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "init.defaultBranch=main"])
            .args(args)
            .env("HOME", self.sandbox.elsewhere())
            .env("GIT_EDITOR", "true")
            .current_dir(self.sandbox.root());
        command
    }

    /// Requests a path of the server's page.
    pub(crate) fn page(&self, path: &str) -> String {
        let port = u16::try_from(self.holder()["port"].as_u64().unwrap()).unwrap();
        let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
        write!(stream, "GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }
}

/// Waits for a condition.
pub(crate) fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_mins(2);
    while !is_so() {
        assert!(Instant::now() < deadline, "never: {what}");
        thread::sleep(Duration::from_millis(20));
    }
}

/// Declares an automation that runs a script.
pub(crate) fn hook(id: &str, trigger: &str, script: &str) -> Value {
    json!({"id": id, "trigger": trigger, "prompt": "about {fileName}", "runner": {"type": "command", "command": ["sh", "-c", script]}})
}
