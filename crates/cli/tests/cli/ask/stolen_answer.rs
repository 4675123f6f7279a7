//! Programs of an agent that answer in the name of a person.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

use serde_json::json;

use super::{PUSH, Scene, decision, said};

/// A person's client, which prints its process and what it read, and stays.
const CLIENT: &str = "
import json, os, socket, sys
s = socket.socket(socket.AF_UNIX)
s.connect(os.environ['STEERSMAN_STATE_DIR'] + '/asks/' + sys.argv[1])
token = json.loads(s.makefile('r').readline())['token']
print(os.getpid(), s.fileno(), token, flush=True)
sys.stdin.readline()
";

/// Takes the socket of another process, and answers with it.
const THIEF: &str = "
import ctypes, json, os, socket, sys
pid, fd, token = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
libc = ctypes.CDLL(None, use_errno=True)
process = libc.syscall(434, pid, 0)
taken = libc.syscall(438, process, fd, 0)
if taken < 0:
    print('cannot take the socket: ' + os.strerror(ctypes.get_errno()))
    sys.exit()
s = socket.socket(fileno=taken)
s.sendall((json.dumps({'type': 'answer', 'decision': 'allow', 'scope': 'session', 'token': token}) + '\\n').encode())
print(s.recv(4096).decode())
";

#[test]
fn the_connection_of_a_person_answers_only_for_the_person() {
    let scene = Scene::new();
    let folder = scene.sandbox.elsewhere();
    fs::write(folder.join("thief.py"), THIEF).unwrap();
    let call = scene.payload("codex", "s", PUSH);
    let script = format!(
        "(echo '{call}' | steersman dispatch PreToolUse --host codex --timeout=600 > answer) &
         read line
         python3 thief.py $line > theft
         echo done
         wait"
    );
    let file = folder.join("host.sh");
    fs::write(&file, script).unwrap();
    let mut host = scene.program("sh");
    host.current_dir(&folder).arg(file).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut host = host.spawn().unwrap();
    let id = scene.only_id();
    let mut client = scene.program("python3");
    client.args(["-c", CLIENT, &id]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut client = client.spawn().unwrap();
    let mut line = String::new();
    BufReader::new(client.stdout.take().unwrap()).read_line(&mut line).unwrap();
    host.stdin.take().unwrap().write_all(line.as_bytes()).unwrap();
    let mut line = String::new();
    BufReader::new(host.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert_eq!(line, "done\n");
    let theft = fs::read_to_string(folder.join("theft")).unwrap();
    assert!(theft.contains("only a person may do this") || theft.contains("cannot take"), "{theft}");
    let output = scene.person(&["ask", "deny", &id]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    drop(client.stdin.take());
    client.wait().unwrap();
    host.wait().unwrap();
    let answer = fs::read_to_string(folder.join("answer")).unwrap();
    assert_eq!(decision(&serde_json::from_str(&answer).unwrap()).0, "deny");
    assert_eq!(scene.kinds(), ["ASK_OPENED", "ASK_ANSWERED deny"]);
}

#[test]
fn a_hook_knows_its_agent_program_without_the_records() {
    let scene = Scene::new();
    let folder = scene.sandbox.elsewhere();
    let start = json!({
        "session_id": "s", "cwd": scene.sandbox.root(), "hook_event_name": "SessionStart", "source": "startup",
    });
    let call = scene.payload("codex", "s", PUSH);
    let script = format!(
        "echo '{start}' | steersman dispatch SessionStart --host codex > start
         echo '{call}' > call
         steersman dispatch PreToolUse --host codex --timeout=600 < call > answer &
         read id
         rm -r \"$STEERSMAN_STATE_DIR\"/hosts '{root}/.ai/tmp/hosts.jsonl'
         steersman ask allow $id 2> refusal
         kill -9 $!
         wait",
        root = scene.sandbox.root().display()
    );
    let file = folder.join("host.sh");
    fs::write(&file, script).unwrap();
    let mut host = scene.program("sh");
    host.current_dir(&folder).arg(file).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut host = host.spawn().unwrap();
    let id = scene.only_id();
    writeln!(host.stdin.take().unwrap(), "{id}").unwrap();
    host.wait().unwrap();
    let refusal = fs::read_to_string(folder.join("refusal")).unwrap();
    assert!(refusal.contains("only a person may do this"), "{refusal}");
    assert!(!scene.kinds().iter().any(|kind| kind.starts_with("ASK_ANSWERED")), "{:?}", scene.kinds());
}
