//! Only a person may allow, select, trust and unblock.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use testkit::Sandbox;

const INTENTS: &str = "\
intents:
  - id: INT-001
    name: Cart
    status: PENDING
    owned_scope: [\"src/**\"]
";

/// A workspace, and scripts that play an agent program in it.
struct Scene {
    sandbox: Sandbox,
}

impl Scene {
    fn new() -> Self {
        let sandbox = Sandbox::new(env!("CARGO_BIN_EXE_steersman"));
        sandbox.write(".orchestration/active_intents.yaml", INTENTS);
        sandbox.write(".ai/hooks/features/x/hook.mjs", "export default {};");
        Self { sandbox }
    }

    fn script(&self, name: &str, text: &str) -> PathBuf {
        let path = self.sandbox.elsewhere().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let root = self.sandbox.root();
        let payload = format!(
            r#"{{"session_id":"s","cwd":"{}","hook_event_name":"SessionStart","source":"startup"}}"#,
            root.display()
        );
        let begin =
            format!("start() {{ echo '{payload}' | steersman dispatch SessionStart --host claude-code; }}\n");
        fs::write(&path, format!("cd '{}'\n{begin}{text}\n", root.display())).unwrap();
        path
    }

    fn run(&self, program: &str, args: &[&str]) -> Output {
        let binary = PathBuf::from(env!("CARGO_BIN_EXE_steersman"));
        let path = format!("{}:/usr/bin:/bin", binary.parent().unwrap().display());
        let mut command = Command::new(program);
        command.args(args).env_clear().env("PATH", path).env("HOME", self.sandbox.elsewhere());
        command.env("STEERSMAN_STATE_DIR", self.sandbox.user_state()).current_dir(self.sandbox.root());
        command.output().unwrap()
    }

    /// Runs a script as an agent program.
    fn host(&self, text: &str) -> String {
        let script = self.script("host.sh", text);
        let output = self.run("sh", &[script.to_str().unwrap()]);
        String::from_utf8_lossy(&output.stderr).into_owned()
    }

    /// Runs a command as a person.
    fn person(&self, args: &[&str]) -> Output {
        self.run(env!("CARGO_BIN_EXE_steersman"), args)
    }

    fn refusals(&self) -> Vec<String> {
        let text = fs::read_to_string(self.sandbox.path(".ai/tmp/refusals.jsonl")).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    }
}

#[test]
fn what_runs_beneath_an_agent_program_is_refused_and_journalled() {
    let scene = Scene::new();
    for (n, command) in [
        "intent select INT-001",
        "intent clear",
        "intent status INT-001 COMPLETED",
        "intent expand INT-001 'lib/**'",
        "session unblock x",
        "session allow x",
        "trust",
        "mcp pins accept",
        "automation add --id a --trigger x --prompt y",
        "automation edit a --prompt y",
        "automation remove a",
        "automation enable a",
        "automation disable a",
        "automation import",
    ]
    .iter()
    .enumerate()
    {
        let said = scene.host(&format!("start > /dev/null\nsh -c \"steersman {command}\""));
        assert!(said.contains("only a person may do this"), "{command}: {said}");
        assert!(said.contains("hint: run the command yourself, in a terminal"), "{said}");
        assert_eq!(scene.refusals().len(), n + 1);
    }
    assert!(scene.refusals()[0].contains("PERSON_REFUSED") && scene.refusals()[0].contains("intent select"));
    assert!(!scene.sandbox.path(".ai/tmp/intent.json").exists());
    assert_eq!(scene.person(&["intent", "select", "INT-001"]).status.code(), Some(0), "a person may");
}

impl Scene {
    /// Runs a script as an agent program that starts `$SCRIPT` in some way and ends. Returns what `$SCRIPT`, which
    /// selects an intent after a second, said.
    fn started_by_host(&self, way: &str) -> String {
        let done = self.sandbox.elsewhere().join("done");
        let _ = fs::remove_file(&done);
        let script = self.script(
            "detached.sh",
            &format!(
                "sleep 1; steersman intent select INT-001 2> '{0}.part'; mv '{0}.part' '{0}'",
                done.display()
            ),
        );
        self.host(&format!("start > /dev/null\nSCRIPT='{}'\n{way}", script.display()));
        for _ in 0..600 {
            if done.exists() {
                break;
            }
            std::thread::sleep(std::time::Duration::from_millis(100));
        }
        fs::read_to_string(&done).unwrap_or_else(|error| panic!("{way}: {error}"))
    }
}

#[test]
fn a_script_that_an_agent_started_in_any_way_is_refused() {
    let ways = [
        ("( setsid sh $SCRIPT > /dev/null 2>&1 & )", "is gone, so an agent may have started it"),
        ("( nohup sh $SCRIPT > /dev/null 2>&1 & )", "is gone, so an agent may have started it"),
        (
            "( setsid script -qc \"sh $SCRIPT\" /dev/null > /dev/null 2>&1 & )",
            "is gone, so an agent may have",
        ),
        ("( ( setsid sh -c \"sh $SCRIPT; true\" & ) & ) > /dev/null 2>&1", "is gone, so an agent may have"),
        // A copy of a shell under the name of a program that starts sessions.
        (
            "cp /bin/sh ./sshd; ( setsid ./sshd -c \"sh $SCRIPT; true\" > /dev/null 2>&1 & )",
            "which an agent may have asked it to",
        ),
        // The records of the agent program are removed.
        ("rm -r \"$STEERSMAN_STATE_DIR\"/hosts; sh $SCRIPT", "which runs an agent here"),
        ("rm .ai/tmp/hosts.jsonl; sh $SCRIPT", "which runs an agent here"),
        (
            "rm -r \"$STEERSMAN_STATE_DIR\"/hosts .ai/tmp/hosts.jsonl; sh $SCRIPT",
            "programs that work here were removed",
        ),
        (
            "rm -r \"$STEERSMAN_STATE_DIR\"/hosts .ai/tmp/hosts.jsonl; ( setsid sh $SCRIPT > /dev/null 2>&1 & )",
            "programs that work here were removed",
        ),
        // A younger program announces another session in its place.
        (
            "( setsid sh $SCRIPT > /dev/null 2>&1 & ); sleep 0.2; rm -r \"$STEERSMAN_STATE_DIR\"/hosts .ai/tmp/hosts.jsonl
             sed -n 1,2p \"$0\" | sed 's/\"session_id\":\"s\"/\"session_id\":\"t\"/' > young.sh; echo start >> young.sh
             sh young.sh > /dev/null",
            "programs that work here were removed",
        ),
    ];
    for (way, why) in ways {
        let scene = Scene::new();
        let said = scene.started_by_host(way);
        assert!(said.contains("only a person may do this") && said.contains(why), "{way}: {said}");
        assert!(!scene.sandbox.path(".ai/tmp/intent.json").exists(), "{way}");
        assert_eq!(scene.refusals().len(), 1, "{way}");
    }
}

/// Runs `$SCRIPT` before the program that it is loaded into does anything.
const PRELOADED: &str = r#"
#include <stdlib.h>
__attribute__((constructor)) static void run(void) {
    unsetenv("LD_PRELOAD");
    system("sh \"$SCRIPT\"");
}
"#;

#[test]
fn a_program_that_starts_sessions_proves_nothing_if_an_agent_may_have_started_it() {
    let scene = Scene::new();
    let (source, library) =
        (scene.sandbox.elsewhere().join("run.c"), scene.sandbox.elsewhere().join("run.so"));
    fs::write(&source, PRELOADED).unwrap();
    let built = Command::new("cc").args(["-shared", "-fPIC", "-o"]).args([&library, &source]).status();
    assert!(built.unwrap().success());
    let login = ["/sbin/agetty", "/usr/sbin/agetty"].iter().find(|it| PathBuf::from(it).exists());
    let login = login.expect("this system must have agetty");
    let preload = format!("export SCRIPT; ( setsid env LD_PRELOAD={} {login} --version &", library.display());
    let said = scene.started_by_host(&format!("{preload} ) > /dev/null 2>&1"));
    assert!(said.contains("only a person may do this"), "{said}");
    assert!(said.contains("`agetty` started after the agent program"), "{said}");
    assert!(!scene.sandbox.path(".ai/tmp/intent.json").exists());
}

#[test]
fn a_program_that_continues_a_session_is_its_agent_program() {
    let scene = Scene::new();
    scene.host("start > /dev/null");
    let payload = format!(
        r#"{{"session_id":"s","cwd":"{}","hook_event_name":"PreToolUse","tool_name":"Read","tool_input":{{"file_path":"x"}},"tool_use_id":"c1"}}"#,
        scene.sandbox.root().display()
    );
    let hook = format!("echo '{payload}' | steersman dispatch PreToolUse --host claude-code > /dev/null");
    let said = scene.host(&format!("{hook}\nsteersman intent select INT-001"));
    assert!(said.contains("which runs an agent here"), "{said}");
    assert_eq!(scene.person(&["intent", "select", "INT-001"]).status.code(), Some(0), "a person may");
}

/// Adopts the processes beneath it whose parent ends, and waits for a file.
const SUBREAPER: &str = "
import ctypes, os, subprocess, sys, time
ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)
subprocess.run(['sh', sys.argv[1]])
while not os.path.exists(sys.argv[2]):
    time.sleep(0.05)
";

#[test]
fn a_process_that_adopts_others_makes_no_person_of_them() {
    let scene = Scene::new();
    let done = scene.sandbox.elsewhere().join("done");
    let select = format!(
        "sleep 1; steersman intent select INT-001 2> '{0}.part'; mv '{0}.part' '{0}'",
        done.display()
    );
    let script = scene.script("detached.sh", &select);
    let way = format!("start > /dev/null\n( setsid sh '{}' > /dev/null 2>&1 & )", script.display());
    let host = scene.script("host.sh", &way);
    scene.run("python3", &["-c", SUBREAPER, host.to_str().unwrap(), done.to_str().unwrap()]);
    let said = fs::read_to_string(&done).unwrap();
    assert!(said.contains("is gone, so an agent may have started it"), "{said}");
    assert!(!scene.sandbox.path(".ai/tmp/intent.json").exists());
}

#[test]
fn a_multiplexer_that_is_older_than_the_agent_program_is_shared() {
    let scene = Scene::new();
    let socket = scene.sandbox.elsewhere().join("socket");
    let socket = socket.to_str().unwrap();
    let tmux = |args: &[&str]| scene.run("tmux", &[&["-S", socket, "-f", "/dev/null"], args].concat());
    let started = tmux(&["new-session", "-d", "sleep 600"]);
    assert!(started.status.success(), "{started:?}");
    let said = scene.started_by_host(&format!("tmux -S '{socket}' new-window sh $SCRIPT"));
    tmux(&["kill-server"]);
    assert!(said.contains("agents share the terminals of `tmux`"), "{said}");
    assert!(!scene.sandbox.path(".ai/tmp/intent.json").exists());
}

#[test]
fn a_multiplexer_of_an_agent_is_no_persons() {
    let scene = Scene::new();
    let way = "tmux -S ./socket -f /dev/null new-session -d sh $SCRIPT";
    let said = scene.started_by_host(way);
    assert!(said.contains("only a person may do this"), "{said}");
    assert!(!scene.sandbox.path(".ai/tmp/intent.json").exists());
}

#[test]
fn a_namespace_of_processes_hides_no_agent() {
    let scene = Scene::new();
    let may = Command::new("unshare").args(["-rpf", "--mount-proc", "true"]).status();
    assert!(may.unwrap().success(), "this system must let users make namespaces");
    let said = scene.started_by_host("unshare -rpf --mount-proc sh -c \"sh $SCRIPT; true\"");
    assert!(said.contains("only a person may do this"), "{said}");
    assert!(!scene.sandbox.path(".ai/tmp/intent.json").exists());
}

#[test]
fn a_mount_over_the_list_of_processes_hides_nobody() {
    let scene = Scene::new();
    let may = Command::new("unshare").args(["-rm", "true"]).status();
    assert!(may.unwrap().success(), "this system must let users make namespaces");
    for mount in [
        "mount -t tmpfs none /proc",
        "mount --bind /tmp /proc",
        "mount -t tmpfs none /proc/$$",
        "mount --bind /proc/1 /proc/$$",
        "mount --bind /proc/self/comm /proc/sys/kernel/random/boot_id",
    ] {
        let line = format!("unshare -rm sh -c \"{}; sh $SCRIPT; true\"", mount.replace('$', "\\$"));
        let said = scene.started_by_host(&line);
        assert!(said.contains("only a person may do this"), "{mount}: {said}");
        assert!(!scene.sandbox.path(".ai/tmp/intent.json").exists(), "{mount}");
    }
}

#[test]
fn a_person_may_after_the_agent_program_has_ended() {
    let scene = Scene::new();
    scene.host("start > /dev/null");
    assert_eq!(scene.person(&["intent", "select", "INT-001"]).status.code(), Some(0));
    assert_eq!(scene.refusals(), [""; 0]);
}

#[test]
fn without_an_agent_scripts_may_do_it() {
    let scene = Scene::new();
    let said = scene.host("steersman intent select INT-001 && steersman trust");
    assert!(!said.contains("only a person"), "{said}");
    assert!(scene.sandbox.path(".ai/tmp/intent.json").exists());
}

#[test]
fn a_pin_opens_the_terminal_of_an_editor_and_nothing_else() {
    let scene = Scene::new();
    let state = event::AbsPath::new(scene.sandbox.user_state()).unwrap();
    session::person::PinRecord::set(&state, "correct horse").unwrap();
    scene.host("start > /dev/null");
    // An editor, by the name of its program, in which someone types into a terminal.
    let editor = scene.sandbox.elsewhere().join("code");
    fs::copy("/bin/sh", &editor).unwrap();
    let types = |pin: &str, command: &str| {
        // Someone types once the question is there.
        let types = format!("sleep 3; printf '{pin}\\n'; sleep 1");
        let script = format!("( {types} ) | script -qec 'steersman {command}' /dev/null; true");
        let output = scene.run(editor.to_str().unwrap(), &["-c", &script]);
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let said = types("wrong horse", "intent select INT-001");
    assert!(
        said.contains("the PIN is wrong") && said.contains("agents share the terminals of `code`"),
        "{said}"
    );
    assert!(!said.contains("wrong horse"), "what is typed is not shown: {said}");
    assert!(!scene.sandbox.path(".ai/tmp/intent.json").exists());
    let said = types("correct horse", "intent pin");
    assert!(said.contains("agents share the terminals"), "not to set another: {said}");
    let said = types("correct horse", "intent select INT-001");
    assert!(said.contains("INT-001 (Cart) is selected"), "{said}");
    let recorded = scene.refusals().join("\n");
    assert!(recorded.contains("PIN_REFUSED") && recorded.contains("PIN_ACCEPTED"), "{recorded}");
    // Beneath an agent program it does not help.
    let said = scene.host(
        "start > /dev/null; printf 'correct horse\\n' | script -qec 'steersman intent clear' /dev/null >&2",
    );
    assert!(said.contains("which runs an agent here") && !said.contains("PIN for"), "{said}");
}
