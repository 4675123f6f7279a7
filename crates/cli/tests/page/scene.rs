//! A workspace with recorded sessions, automations and a server.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use testkit::Sandbox;

pub(crate) struct Scene {
    pub(crate) sandbox: Sandbox,
    server: Option<Child>,
}

impl Drop for Scene {
    fn drop(&mut self) {
        if let Some(server) = &mut self.server {
            let _ = server.kill();
            let _ = server.wait();
        }
    }
}

/// The name of the session.
const SESSION: &str = "5f0c0f6e-0000-4000-8000-000000000001";

impl Scene {
    /// Creates a workspace with a session and automations, and serves it.
    pub(crate) fn serving() -> Self {
        let mut scene = Self::new();
        scene.serve();
        scene
    }

    pub(crate) fn new() -> Self {
        let scene = Self { sandbox: Sandbox::new(env!("CARGO_BIN_EXE_steersman")), server: None };
        let command = |script: &str| json!({"type": "command", "command": ["sh", "-c", script]});
        let hooks = json!({"schemaVersion": 1, "hooks": [
            {"id": "greet", "name": "Greet", "trigger": "greet", "prompt": "hi", "runner": command("echo hello from the run; echo to stderr >&2")},
            {"id": "wait", "trigger": "wait", "prompt": "hi", "runner": command("echo waiting; sleep 600")},
            {"id": "fail", "trigger": "fail", "prompt": "hi", "runner": command("echo 'the <b>disk</b> is full' >&2; exit 3")},
        ]});
        scene.sandbox.write(".akira/hooks.json", hooks.to_string());
        scene.sandbox.trust();
        let call = |tool: &str, input: Value, id: &str| json!({"tool_name": tool, "tool_input": input, "tool_use_id": id});
        let intents = "intents:\n  - id: INT-001\n    name: Cart\n    status: IN_PROGRESS\n    owned_scope:\n      - \"src/**\"\n";
        scene.sandbox.write(".orchestration/active_intents.yaml", intents);
        let request = |pattern: &str, reason: &str| {
            json!({"intent_id": "INT-001", "pattern": pattern, "reason": reason, "timestamp": "2026-01-02T03:04:05.000Z"}).to_string() + "\n"
        };
        let requests =
            request("docs/**", "the guide belongs to the cart") + &request("deploy/**", "to ship it");
        scene.sandbox.write(".ai/tmp/scope-requests.jsonl", requests);
        scene.sandbox.write(".github/agents/reviewer.agent.md", "---\nid: reviewer\nname: Reviewer\ndescription: Reads changes\ntools: [read, search]\n---\nRead the change.\n");
        let node = |id: &str, status: &str, before: &[&str]| json!({"id": id, "description": format!("Do {id}"), "status": status, "dependencies": before});
        let plan = json!({"version": 1, "nodes": [node("model", "complete", &[]), node("api", "active", &["model"]), node("ui", "pending", &["api", "model"])]});
        scene.sandbox.write("plan.json", plan.to_string());
        scene
            .sandbox
            .write(".ai/hooks/config.json", json!({"planGraph-exec": {"plan": "plan.json"}}).to_string());
        scene.sandbox.trust();
        scene.host_event("SessionStart", json!({"source": "startup"}));
        scene.host_event(
            "UserPromptSubmit",
            json!({"prompt": "Clean up the <script>alert(1)</script> build"}),
        );
        let run = [
            json!({"v": 1, "ts": 1_767_323_045_000_u64, "type": "RUN_STARTED", "runId": "20260102-030405-0a1b", "task": "Build the cart", "first": "coder", "chosenBy": "only one", "maxIterations": 9, "maxFailures": 3, "timeoutMs": 600_000}),
            json!({"v": 1, "ts": 1_767_323_046_000_u64, "type": "STEP_STARTED", "step": 1, "agent": "coder", "because": "it is the first", "provider": "claude", "timeoutMs": 60_000}),
        ];
        let lines: Vec<String> = run.iter().map(|line| line.to_string() + "\n").collect();
        scene.sandbox.write(".ai/tmp/agent-runs/20260102-030405-0a1b.jsonl", lines.concat());
        scene.select("INT-001");
        scene.write_file("src/cart.rs", "pub fn total() -> u32 {\n    0\n}\n", "written");
        for (n, (tool, input)) in [
            ("Read", json!({"file_path": scene.sandbox.path("src/main.rs")})),
            ("Bash", json!({"command": "cargo test --workspace"})),
            ("Bash", json!({"command": "rm -rf ~/projects"})),
            ("Bash", json!({"command": "git push --force origin main"})),
        ]
        .into_iter()
        .enumerate()
        {
            scene.host_event("PreToolUse", call(tool, input.clone(), &format!("call-{n}")));
            if n < 2 {
                let mut ended = call(tool, input, &format!("call-{n}"));
                ended["tool_response"] = json!({"stdout": "ok", "exitCode": 0});
                scene.host_event("PostToolUse", ended);
            }
        }
        scene
    }

    /// Sends an event as Claude Code does, from a program that ends at once: the browser is not beneath it.
    pub(crate) fn host_event(&self, event: &str, payload: Value) {
        self.answer(event, payload);
    }

    /// Sends an event as [`Self::host_event`] does and returns the answer.
    pub(crate) fn answer(&self, event: &str, mut payload: Value) -> Value {
        let fields = json!({"session_id": SESSION, "cwd": self.sandbox.root(), "hook_event_name": event});
        payload.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        let file = self.sandbox.elsewhere().join("payload.json");
        fs::write(&file, payload.to_string()).unwrap();
        let script = self.sandbox.elsewhere().join("host.sh");
        fs::write(&script, format!("steersman dispatch {event} --host claude-code < '{}'\n", file.display()))
            .unwrap();
        let output = self.command("sh").arg(&script).output().unwrap();
        assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
        serde_json::from_slice(&output.stdout).unwrap()
    }

    /// Selects an intent, as a person does.
    fn select(&self, intent: &str) {
        let mut command = self.command(env!("CARGO_BIN_EXE_steersman"));
        let output = command.args(["intent", "select", intent]).output().unwrap();
        assert!(output.status.success(), "{output:?}");
    }

    /// Writes a file as the tool of Claude Code does, with the events around it.
    pub(crate) fn write_file(&self, path: &str, content: &str, call: &str) {
        let input = json!({"file_path": self.sandbox.path(path), "content": content});
        let mut payload = json!({"tool_name": "Write", "tool_input": input, "tool_use_id": call});
        self.host_event("PreToolUse", payload.clone());
        self.sandbox.write(path, content);
        payload["tool_response"] = json!({"type": "create", "filePath": self.sandbox.path(path)});
        self.host_event("PostToolUse", payload);
    }

    pub(crate) fn command(&self, program: &str) -> Command {
        let binary = PathBuf::from(env!("CARGO_BIN_EXE_steersman"));
        let path = std::env::var("PATH").unwrap();
        let mut command = Command::new(program);
        command
            .current_dir(self.sandbox.root())
            .env("PATH", format!("{}:{path}", binary.parent().unwrap().display()))
            .env("HOME", self.sandbox.elsewhere())
            .env("STEERSMAN_STATE_DIR", self.sandbox.user_state())
            .env_remove("CLAUDE_PROJECT_DIR")
            .stdin(Stdio::null());
        command
    }

    pub(crate) fn serve(&mut self) {
        self.serve_with(&[], None);
    }

    /// Serves with more options, and with programs of a folder before all others.
    pub(crate) fn serve_with(&mut self, options: &[&str], programs: Option<&Path>) {
        let mut command = self.command(env!("CARGO_BIN_EXE_steersman"));
        command.arg("serve").args(options);
        if let Some(folder) = programs {
            let path = std::env::var("PATH").unwrap();
            command.env("PATH", format!("{}:{path}", folder.display()));
        }
        self.start(command);
    }

    /// Serves as the same user who serves another workspace.
    pub(crate) fn serve_beside(&mut self, other: &Self) {
        let mut command = self.command(env!("CARGO_BIN_EXE_steersman"));
        command.arg("serve").env("STEERSMAN_STATE_DIR", other.sandbox.user_state());
        self.start(command);
    }

    /// Kills the server.
    pub(crate) fn stop(&mut self) {
        if let Some(mut server) = self.server.take() {
            server.kill().unwrap();
            server.wait().unwrap();
        }
    }

    fn start(&mut self, mut command: Command) {
        let log = File::create(self.log_file()).unwrap();
        command.args(["--json", "--port", "0"]);
        command.stdout(log.try_clone().unwrap()).stderr(log);
        self.server = Some(command.spawn().unwrap());
        until("the server serves", || self.log("STARTED").is_some());
    }

    fn log_file(&self) -> PathBuf {
        self.sandbox.elsewhere().join("serve.log")
    }

    /// Returns the first message of the server with this code.
    pub(crate) fn log(&self, code: &str) -> Option<String> {
        let text = fs::read_to_string(self.log_file()).unwrap_or_default();
        let mut lines = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        lines.find(|line| line["code"] == code).map(|line| line["message"].as_str().unwrap().to_owned())
    }

    /// Returns the address of the pages, with a slash at its end.
    pub(crate) fn address(&self) -> String {
        self.log("LISTENING").unwrap().split(' ').next().unwrap().to_owned()
    }

    /// Returns the link for a person.
    pub(crate) fn link(&self) -> String {
        self.log("PAGE").unwrap().split(' ').nth(1).unwrap().to_owned()
    }

    pub(crate) fn port(&self) -> u16 {
        self.address().trim_end_matches('/').rsplit_once(':').unwrap().1.parse().unwrap()
    }

    /// Returns the id of the session.
    pub(crate) fn sid(&self) -> String {
        let now: Value = serde_json::from_str(&self.get("/api/v1/now").1).unwrap();
        now["sessions"][0]["sid"].as_str().unwrap().to_owned()
    }

    /// Returns the session's journal.
    pub(crate) fn journal(&self) -> String {
        fs::read_to_string(self.sandbox.path(format!(".ai/tmp/{}/events.jsonl", self.sid()))).unwrap()
    }

    /// Requests a path as any process of the user can. Returns the status and the body.
    pub(crate) fn get(&self, path: &str) -> (u16, String) {
        self.request(&format!("GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"))
    }

    pub(crate) fn request(&self, request: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port())).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let status = answer.split(' ').nth(1).unwrap().parse().unwrap();
        (status, answer.split_once("\r\n\r\n").map(|(_, body)| body.to_owned()).unwrap_or_default())
    }

    /// Drives a browser.
    pub(crate) fn browse(input: &Value) -> Browsed {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/page/browser.mjs");
        let answer = testkit::browser::drive(&script, input, Path::new(env!("CARGO_TARGET_TMPDIR")));
        Browsed { found: answer["found"].as_array().unwrap().clone(), messages: answer["messages"].clone() }
    }
}

/// What a browser found at each step, and the errors on its console.
pub(crate) struct Browsed {
    pub(crate) found: Vec<Value>,
    pub(crate) messages: Value,
}

/// Waits for a condition.
pub(crate) fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_mins(2);
    while !is_so() {
        assert!(Instant::now() < deadline, "never: {what}");
        thread::sleep(Duration::from_millis(20));
    }
}
