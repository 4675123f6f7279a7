//! Hooks that wait for a person, and the person's answers.

mod notification;
mod permissions;
mod screen;
mod sockets;
mod stolen_answer;

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};
use testkit::Sandbox;

/// A command about which the guard asks.
const PUSH: &str = "git push --force origin feature";

static N_CALLS: AtomicUsize = AtomicUsize::new(0);

struct Scene {
    sandbox: Sandbox,
}

impl Scene {
    fn new() -> Self {
        let sandbox = Sandbox::new(env!("CARGO_BIN_EXE_steersman"));
        sandbox.config(&json!({"version": 1, "ask": {"wait": 600}}));
        let budget = json!({"PreToolUse": 60000, "SessionStart": 60000, "UserPromptSubmit": 60000});
        sandbox.manifest(&json!({"version": 1, "budgets": budget}));
        // Once: a shell reads its script while it runs.
        let script = sandbox.elsewhere().join("agent-program.sh");
        fs::write(script, "steersman \"$@\"\nexit $?\n").unwrap();
        Self { sandbox }
    }

    fn payload(&self, host: &str, session: &str, command: &str) -> Value {
        let (event, tool) = match host {
            "gemini" => ("BeforeTool", "run_shell_command"),
            "claude-code" => ("PermissionRequest", "Bash"),
            _ => ("PreToolUse", "Bash"),
        };
        // Calls with one id are one call.
        let id = N_CALLS.fetch_add(1, Ordering::Relaxed);
        json!({
            "session_id": session, "cwd": self.sandbox.root(), "hook_event_name": event, "tool_name": tool,
            "tool_input": {"command": command}, "tool_use_id": format!("c{id}"), "permission_mode": "default",
            "timestamp": format!("2026-11-15T18:36:16.{:03}Z", id % 1000),
        })
    }

    fn program(&self, program: &str) -> Command {
        let binary = PathBuf::from(env!("CARGO_BIN_EXE_steersman"));
        let mut command = Command::new(program);
        command
            .env_clear()
            .env("PATH", format!("{}:/usr/bin:/bin", binary.parent().unwrap().display()))
            .env("HOME", self.sandbox.elsewhere())
            .env("STEERSMAN_STATE_DIR", self.sandbox.user_state())
            .current_dir(self.sandbox.root());
        command
    }

    /// Returns an agent program, which starts `steersman` with some arguments. It is a separate process: persons are not
    /// beneath it.
    fn agent_program(&self) -> Command {
        let mut program = self.program("sh");
        program.arg(self.sandbox.elsewhere().join("agent-program.sh"));
        program
    }

    /// Starts a hook before a call.
    fn hook(&self, host: &str, session: &str, command: &str, timeout: u32) -> Hook {
        let mut program = self.agent_program();
        program.args(["dispatch", "PreToolUse", "--host", host, &format!("--timeout={timeout}")]);
        Hook::start(program, &self.payload(host, session, command))
    }

    /// Runs `steersman` as a person.
    fn person(&self, args: &[&str]) -> Output {
        self.program(env!("CARGO_BIN_EXE_steersman")).args(args).output().unwrap()
    }

    fn asks(&self) -> Vec<Value> {
        let output = self.person(&["ask", "--json"]);
        serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{output:?}"))
    }

    /// Waits until this many asks are open.
    fn wait_for(&self, n_asks: usize) -> Vec<Value> {
        for _ in 0..6000 {
            // Cheaper than a command for each look.
            if self.sockets().len() == n_asks {
                let asks = self.asks();
                if asks.len() == n_asks {
                    return asks;
                }
            }
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
        panic!("{} asks are open, not {n_asks}: {:?}", self.asks().len(), self.sockets());
    }

    fn sockets(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(self.sandbox.user_state().join("asks")).into_iter().flatten().flatten();
        let all = entries.map(|entry| entry.path());
        all.filter(|path| !path.file_name().unwrap().to_str().unwrap().starts_with('.')).collect()
    }

    fn only_id(&self) -> String {
        self.wait_for(1)[0]["id"].as_str().unwrap().to_owned()
    }

    /// Returns the answers in the journals of all sessions.
    fn kinds(&self) -> Vec<String> {
        let mut kinds = Vec::new();
        for session in self.sandbox.sessions() {
            for line in session.events() {
                let kind = line["type"].as_str().unwrap_or_default();
                if kind.starts_with("ASK_") {
                    let answer = line["data"]["answer"].as_str().unwrap_or_default();
                    kinds.push(format!("{kind} {answer}").trim().to_owned());
                }
            }
        }
        kinds
    }
}

/// A running hook.
struct Hook {
    child: Child,
}

impl Hook {
    fn start(mut program: Command, payload: &Value) -> Self {
        let child = program.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
        let mut child = child.unwrap();
        child.stdin.take().unwrap().write_all(payload.to_string().as_bytes()).unwrap();
        Self { child }
    }

    /// Returns the process of the hook itself, beneath the agent program.
    fn pid(&self) -> String {
        let program = self.child.id();
        let file = format!("/proc/{program}/task/{program}/children");
        let children = fs::read_to_string(file).unwrap();
        children.split_ascii_whitespace().next().unwrap().to_owned()
    }

    /// Waits for the answer.
    fn answer(mut self) -> Value {
        let mut text = String::new();
        self.child.stdout.take().unwrap().read_to_string(&mut text).unwrap();
        self.child.wait().unwrap();
        serde_json::from_str(&text).unwrap_or_else(|_| panic!("no object: {text:?}"))
    }
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Returns the decision and reason of an answer.
fn decision(answer: &Value) -> (String, String) {
    let specific = &answer["hookSpecificOutput"];
    let text = |values: &[&Value]| values.iter().find_map(|it| it.as_str()).unwrap_or_default().to_owned();
    (
        text(&[&specific["permissionDecision"], &specific["decision"]["behavior"], &answer["decision"]]),
        text(&[&specific["permissionDecisionReason"], &specific["decision"]["message"], &answer["reason"]]),
    )
}

#[test]
fn a_person_answers_for_programs_that_cannot_ask() {
    for host in ["codex", "gemini"] {
        let scene = Scene::new();
        let hook = scene.hook(host, "s", PUSH, 600);
        let ask = scene.wait_for(1).remove(0);
        assert_eq!((&ask["host"], &ask["call"]), (&json!(host), &json!(PUSH)));
        assert!(ask["reason"].as_str().unwrap().contains("force"), "{ask}");
        let folder = fs::metadata(scene.sandbox.user_state().join("asks")).unwrap();
        assert_eq!(folder.permissions().mode() & 0o777, 0o700);
        let id = ask["id"].as_str().unwrap();
        let output = scene.person(&["ask", "allow", &id[..6]]);
        assert_eq!(output.status.code(), Some(0), "{}", said(&output));
        assert_eq!(said(&output), format!("allowed once: {}  {PUSH}\n", ask["tool"].as_str().unwrap()));
        assert_eq!(decision(&hook.answer()).0, "", "{host}");
        assert_eq!(scene.kinds(), ["ASK_OPENED", "ASK_ANSWERED allow"]);
        assert_eq!(scene.sockets(), Vec::<PathBuf>::new());

        let hook = scene.hook(host, "s", PUSH, 600);
        let id = scene.only_id();
        let output = scene.person(&["ask", "deny", &id, "--reason", "use a pull request"]);
        assert_eq!(output.status.code(), Some(0), "{}", said(&output));
        let (verb, reason) = decision(&hook.answer());
        assert_eq!(verb, "deny", "{host}");
        assert!(reason.contains("A person refused this call: use a pull request"), "{reason}");
        let late = scene.person(&["ask", "allow", &id]);
        assert_eq!(late.status.code(), Some(1), "the ask is closed");
        scene.sandbox.check_everything();
    }
}

#[test]
fn an_allow_for_the_session_is_for_the_same_call_of_the_same_session() {
    let scene = Scene::new();
    let hook = scene.hook("codex", "s", PUSH, 600);
    scene.person(&["ask", "allow", &scene.only_id(), "--session"]);
    assert_eq!(decision(&hook.answer()).0, "");
    assert_eq!(decision(&scene.hook("codex", "s", PUSH, 600).answer()).0, "", "nobody is asked again");
    for (session, command) in [("s", "git push --force origin another"), ("another", PUSH)] {
        let hook = scene.hook("codex", session, command, 600);
        scene.person(&["ask", "deny", &scene.only_id()]);
        assert_eq!(decision(&hook.answer()).0, "deny", "{session} {command}");
    }
}

#[test]
fn claude_code_is_answered_at_its_own_question() {
    let scene = Scene::new();
    let hook = scene.hook("claude-code", "s", "npm install left-pad", 600);
    scene.person(&["ask", "allow", &scene.only_id()]);
    assert_eq!(decision(&hook.answer()).0, "allow");
    let hook = scene.hook("claude-code", "s", "npm install left-pad", 600);
    scene.person(&["ask", "deny", &scene.only_id(), "--reason", "no"]);
    let (verb, reason) = decision(&hook.answer());
    assert_eq!(verb, "deny");
    assert!(reason.contains("A person refused this call: no"), "{reason}");
}

#[test]
fn without_an_answer_the_call_is_denied_before_the_hosts_timeout() {
    let scene = Scene::new();
    let (verb, reason) = decision(&scene.hook("codex", "s", PUSH, 4).answer());
    assert_eq!(verb, "deny");
    assert!(reason.contains("No person answered within 2 s."), "{reason}");
    assert!(reason.contains("steersman session allow"), "{reason}");
    assert_eq!(scene.kinds(), ["ASK_OPENED", "ASK_CLOSED"]);
    assert_eq!(scene.sockets(), Vec::<PathBuf>::new());
    let (verb, _) = decision(&scene.hook("codex", "s", PUSH, 1).answer());
    assert_eq!(verb, "deny", "there is no time to wait");
}

#[test]
fn two_hundred_asks_are_answered_at_once() {
    const N: usize = 200;
    let scene = Scene::new();
    let hooks: Vec<Hook> = (0..N).map(|n| scene.hook("codex", &format!("s{n}"), PUSH, 3600)).collect();
    let asks = scene.wait_for(N);
    for (n, ask) in asks.iter().enumerate() {
        let verb = if n % 2 == 0 { "allow" } else { "deny" };
        let output = scene.person(&["ask", verb, ask["id"].as_str().unwrap()]);
        assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    }
    let denied = hooks.into_iter().map(Hook::answer).filter(|it| decision(it).0 == "deny");
    assert_eq!(denied.count(), N / 2);
    let answers = scene.kinds().into_iter().filter(|kind| kind.starts_with("ASK_ANSWERED"));
    assert_eq!(answers.count(), N);
    assert_eq!(scene.sockets(), Vec::<PathBuf>::new());
}

#[test]
fn a_killed_hook_leaves_no_ask_open() {
    let scene = Scene::new();
    let mut hook = scene.hook("codex", "s", PUSH, 600);
    let id = scene.only_id();
    assert!(scene.program("kill").args(["-s", "KILL", &hook.pid()]).status().unwrap().success());
    hook.child.wait().unwrap();
    let output = scene.person(&["ask", "allow", &id]);
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    assert_eq!(scene.asks(), Vec::<Value>::new());
    assert_eq!(scene.sockets(), Vec::<PathBuf>::new(), "the socket of a dead process is removed");
}

/// A host lets a call pass if its hook ends without an answer.
#[test]
fn a_hook_that_is_asked_to_end_denies() {
    for signal in ["TERM", "INT", "HUP", "USR1"] {
        let scene = Scene::new();
        let hook = scene.hook("codex", "s", PUSH, 600);
        scene.only_id();
        assert!(scene.program("kill").args(["-s", signal, &hook.pid()]).status().unwrap().success());
        assert_eq!(decision(&hook.answer()).0, "deny", "{signal}");
    }
}

#[test]
fn a_person_that_goes_away_leaves_the_ask_to_the_next() {
    let scene = Scene::new();
    let hook = scene.hook("codex", "s", PUSH, 600);
    let id = scene.only_id();
    // More than the hook keeps, some in the middle of an answer.
    for n in 0..100 {
        let mut stream = UnixStream::connect(scene.sandbox.user_state().join("asks").join(&id)).unwrap();
        if n % 2 == 0 {
            stream.write_all(br#"{"type":"answer","decision":"allow","sc"#).unwrap();
        }
    }
    let held: Vec<UnixStream> = (0..100)
        .map(|_| UnixStream::connect(scene.sandbox.user_state().join("asks").join(&id)).unwrap())
        .collect();
    assert_eq!(scene.person(&["ask", "deny", &id]).status.code(), Some(0));
    drop(held);
    assert_eq!(decision(&hook.answer()).0, "deny");
}

#[test]
fn a_hook_whose_program_has_ended_withdraws_its_ask() {
    let scene = Scene::new();
    let script = scene.sandbox.elsewhere().join("host.sh");
    let payload = scene.payload("gemini", "s", PUSH);
    fs::write(
        &script,
        format!("echo '{payload}' | steersman dispatch PreToolUse --host gemini --timeout=600\ntrue\n"),
    )
    .unwrap();
    let mut host = scene.program("sh");
    host.arg(script);
    let mut host = host.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().unwrap();
    scene.only_id();
    host.kill().unwrap();
    host.wait().unwrap();
    scene.wait_for(0);
    let closed = || scene.kinds() == ["ASK_OPENED", "ASK_CLOSED"];
    for _ in 0..600 {
        if closed() {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    panic!("{:?}", scene.kinds());
}

#[test]
fn the_next_prompt_withdraws_the_asks_of_cancelled_calls() {
    let scene = Scene::new();
    let (call, other) = (scene.payload("gemini", "s", PUSH), scene.payload("gemini", "other", PUSH));
    let prompt = json!({
        "session_id": "s", "cwd": scene.sandbox.root(), "hook_event_name": "BeforeAgent", "prompt": "never mind",
    });
    // One agent program with two sessions.
    let hook = "steersman dispatch PreToolUse --host gemini --timeout=600";
    let script = format!(
        "echo '{call}' > call
         echo '{other}' > call2
         {hook} < call > cancelled &
         {hook} < call2 > other &
         read line
         echo '{prompt}' | steersman dispatch UserPromptSubmit --host gemini > prompt
         wait"
    );
    let file = scene.sandbox.elsewhere().join("host.sh");
    fs::write(&file, script).unwrap();
    let mut host = scene.program("sh");
    host.current_dir(scene.sandbox.elsewhere()).arg(file).stdin(Stdio::piped());
    let mut host = host.spawn().unwrap();
    scene.wait_for(2);
    writeln!(host.stdin.take().unwrap(), "cancel").unwrap();
    scene.person(&["ask", "allow", &scene.only_id()]);
    host.wait().unwrap();
    let answer = |name: &str| {
        let text = fs::read_to_string(scene.sandbox.elsewhere().join(name)).unwrap();
        decision(&serde_json::from_str(&text).unwrap()).0
    };
    assert_eq!(answer("cancelled"), "deny");
    assert_eq!(answer("other"), "", "another session's ask stays");
}

#[test]
fn a_waiting_hook_sleeps() {
    let scene = Scene::new();
    let hook = scene.hook("codex", "s", PUSH, 600);
    let id = scene.only_id();
    let switches = || {
        let status = fs::read_to_string(format!("/proc/{}/status", hook.pid())).unwrap();
        let line = |name: &str| status.lines().find(|line| line.starts_with(name)).unwrap().to_owned();
        (line("voluntary_ctxt_switches"), line("nonvoluntary_ctxt_switches"))
    };
    // It wakes up once more for the end of the connection that listed it.
    let sleeps = (0..50).any(|_| {
        let before = switches();
        for _ in 0..5 {
            scene.person(&["--version"]);
        }
        before == switches()
    });
    assert!(sleeps, "the hook woke up although nothing happened");
    scene.person(&["ask", "deny", &id]);
    hook.answer();
}

#[test]
fn no_program_of_an_agent_can_answer() {
    let scene = Scene::new();
    let root = scene.sandbox.root();
    let start =
        json!({"session_id": "s", "cwd": root, "hook_event_name": "SessionStart", "source": "startup"});
    let call = scene.payload("codex", "s", PUSH);
    let script = format!(
        "echo '{start}' | steersman dispatch SessionStart --host codex > /dev/null
         (echo '{call}' | steersman dispatch PreToolUse --host codex --timeout=600 > answer) &
         read id
         steersman ask allow $id 2> one
         sh -c \"steersman ask allow $id --session\" 2> two
         ( setsid sh -c \"sleep 1; steersman ask deny $id\" 2> three & )
         python3 -c '
import socket, sys, os
s = socket.socket(socket.AF_UNIX); s.connect(os.environ[\"STEERSMAN_STATE_DIR\"] + \"/asks/\" + sys.argv[1])
import json
f = s.makefile(\"rw\"); token = json.loads(f.readline())[\"token\"]
f.write(json.dumps(dict(type=\"answer\", decision=\"allow\", scope=\"once\", token=token)) + \"\\n\"); f.flush()
print(f.readline())' $id > four
         while [ ! -s three ]; do sleep 0.1; done
         echo done
         wait"
    );
    // A file: a shell whose command line calls a hook counts as part of the agent program.
    let file = scene.sandbox.elsewhere().join("host.sh");
    fs::write(&file, script).unwrap();
    let mut host = scene.program("sh");
    host.current_dir(scene.sandbox.elsewhere());
    let mut host =
        host.arg(file).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let id = scene.only_id();
    writeln!(host.stdin.take().unwrap(), "{id}").unwrap();
    let mut line = String::new();
    BufReader::new(host.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert_eq!(line, "done\n");
    for name in ["one", "two", "three", "four"] {
        let text = fs::read_to_string(scene.sandbox.elsewhere().join(name)).unwrap();
        assert!(text.contains("only a person may do this"), "{name}: {text}");
    }
    let output = scene.person(&["ask", "deny", &id, "--reason", "not now"]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    host.wait().unwrap();
    let answer = fs::read_to_string(scene.sandbox.elsewhere().join("answer")).unwrap();
    assert_eq!(decision(&serde_json::from_str(&answer).unwrap()).0, "deny");
    assert_eq!(scene.kinds(), ["ASK_OPENED", "ASK_ANSWERED deny"]);
    let refusals = fs::read_to_string(root.join(".ai/tmp/refusals.jsonl")).unwrap();
    assert_eq!(refusals.lines().count(), 4, "{refusals}");
}

#[test]
fn a_confined_command_reaches_no_ask_not_even_one_that_opens_later() {
    let scene = Scene::new();
    let support = scene.person(&["run", "--write", "src", "--", "true"]);
    assert_eq!(support.status.code(), Some(0), "{}", said(&support));
    fs::create_dir_all(scene.sandbox.user_state()).unwrap();
    fs::create_dir_all(scene.sandbox.path("src")).unwrap();
    let code = "
import os, socket, sys, time
print('ready', flush=True)
name = sys.stdin.readline().strip()
s = socket.socket(socket.AF_UNIX)
try:
    s.connect(os.environ['STEERSMAN_STATE_DIR'] + '/asks/' + name)
    print('connected')
except OSError as error:
    print('refused')
";
    let mut confined = scene.program(env!("CARGO_BIN_EXE_steersman"));
    confined.args(["run", "--write", "src", "--", "python3", "-c", code]);
    let mut confined = confined.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(confined.stdout.take().unwrap()).lines();
    assert_eq!(lines.next().unwrap().unwrap(), "ready");
    let hook = scene.hook("codex", "s", PUSH, 600);
    let id = scene.only_id();
    writeln!(confined.stdin.take().unwrap(), "{id}").unwrap();
    assert_eq!(lines.next().unwrap().unwrap(), "refused");
    confined.wait().unwrap();
    scene.person(&["ask", "deny", &id]);
    hook.answer();
}
