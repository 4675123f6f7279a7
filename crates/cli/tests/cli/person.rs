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
    ];
    for (way, why) in ways {
        let scene = Scene::new();
        let said = scene.started_by_host(way);
        assert!(said.contains("only a person may do this") && said.contains(why), "{way}: {said}");
        assert!(!scene.sandbox.path(".ai/tmp/intent.json").exists(), "{way}");
        assert_eq!(scene.refusals().len(), 1, "{way}");
    }
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
