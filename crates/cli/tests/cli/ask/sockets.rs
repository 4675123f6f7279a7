//! Other sockets in the folder of asks, and a folder that is a link.

use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::net::UnixListener;
use std::process::Stdio;

use serde_json::{Value, json};

use super::{Hook, PUSH, Scene, decision, said};

#[test]
fn a_hook_connects_only_to_asks_of_its_session() {
    let scene = Scene::new();
    let folder = scene.sandbox.user_state().join("asks");
    fs::create_dir_all(&folder).unwrap();
    let silent = UnixListener::bind(folder.join("0123abcd")).unwrap();
    silent.set_nonblocking(true).unwrap();
    let payload = json!({
        "session_id": "s", "cwd": scene.sandbox.root(), "hook_event_name": "PostToolUse", "tool_name": "Bash",
        "tool_input": {"command": PUSH}, "tool_response": "done", "tool_use_id": "c1",
    });
    let mut program = scene.agent_program();
    program.args(["dispatch", "PostToolUse", "--host", "codex"]);
    Hook::start(program, &payload).answer();
    let accepted = silent.accept();
    assert!(accepted.is_err(), "{accepted:?}");
}

/// Listens without accepting, and fills the queue of clients.
const FULL: &str = "
import socket, sys
s = socket.socket(socket.AF_UNIX)
s.bind(sys.argv[1])
s.listen(0)
clients = []
try:
    while len(clients) < 1000:
        c = socket.socket(socket.AF_UNIX)
        c.setblocking(False)
        c.connect(sys.argv[1])
        clients.append(c)
except BlockingIOError:
    pass
print('full', flush=True)
sys.stdin.readline()
";

#[test]
fn a_process_that_accepts_nobody_does_not_keep_others_waiting() {
    let scene = Scene::new();
    let folder = scene.sandbox.user_state().join("asks");
    fs::create_dir_all(&folder).unwrap();
    let mut full = scene.program("python3");
    full.args(["-c", FULL]).arg(folder.join("0123abcd")).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut full = full.spawn().unwrap();
    let mut line = String::new();
    BufReader::new(full.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert_eq!(line, "full\n");
    let hook = scene.hook("codex", "s", PUSH, 600);
    let ask = loop {
        // Would not return if it waited for the other process.
        let asks: Vec<Value> = scene.asks();
        if let Some(ask) = asks.first() {
            break ask.clone();
        }
    };
    assert_eq!(scene.person(&["ask", "deny", ask["id"].as_str().unwrap()]).status.code(), Some(0));
    assert_eq!(decision(&hook.answer()).0, "deny");
    drop(full.stdin.take());
    full.wait().unwrap();
}

#[test]
fn a_link_in_place_of_the_folder_changes_nothing_elsewhere() {
    let scene = Scene::new();
    let other = scene.sandbox.elsewhere().join("other");
    fs::create_dir_all(&other).unwrap();
    fs::set_permissions(&other, fs::Permissions::from_mode(0o755)).unwrap();
    fs::create_dir_all(scene.sandbox.user_state()).unwrap();
    symlink(&other, scene.sandbox.user_state().join("asks")).unwrap();
    let (verb, reason) = decision(&scene.hook("codex", "s", PUSH, 600).answer());
    assert_eq!(verb, "deny");
    assert!(reason.contains("steersman cannot wait for a person"), "{reason}");
    assert_eq!(fs::metadata(&other).unwrap().permissions().mode() & 0o777, 0o755);
    assert_eq!(fs::read_dir(&other).unwrap().count(), 0);
}

#[test]
fn a_folder_with_a_long_name_has_room_for_sockets() {
    let scene = Scene::new();
    let long = scene.sandbox.elsewhere().join("x".repeat(120));
    let program = || {
        let mut program = scene.program(env!("CARGO_BIN_EXE_steersman"));
        program.env("STEERSMAN_STATE_DIR", &long);
        program
    };
    let mut hook = scene.agent_program();
    hook.env("STEERSMAN_STATE_DIR", &long);
    hook.args(["dispatch", "PreToolUse", "--host", "codex", "--timeout=600"]);
    let hook = Hook::start(hook, &scene.payload("codex", "s", PUSH));
    for _ in 0..6000 {
        let output = program().args(["ask", "--json"]).output().unwrap();
        let asks: Vec<Value> = serde_json::from_slice(&output.stdout).unwrap();
        if let Some(ask) = asks.first() {
            let output = program().args(["ask", "deny", ask["id"].as_str().unwrap()]).output().unwrap();
            assert_eq!(output.status.code(), Some(0), "{}", said(&output));
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    assert_eq!(decision(&hook.answer()).0, "deny");
}
