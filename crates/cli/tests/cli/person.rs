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

#[test]
fn a_script_whose_parents_are_gone_is_refused() {
    let scene = Scene::new();
    let done = scene.sandbox.elsewhere().join("done");
    let script = scene.script(
        "detached.sh",
        &format!(
            "sleep 1; steersman intent select INT-001 2> '{0}.part'; mv '{0}.part' '{0}'",
            done.display()
        ),
    );
    scene.host(&format!("start > /dev/null\n( setsid sh '{}' > /dev/null 2>&1 & )", script.display()));
    for _ in 0..600 {
        if done.exists() {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    let said = fs::read_to_string(&done).unwrap();
    assert!(said.contains("is gone, so an agent may have started it"), "{said}");
    assert!(!scene.sandbox.path(".ai/tmp/intent.json").exists());
}

#[test]
fn without_an_agent_scripts_may_do_it() {
    let scene = Scene::new();
    let said = scene.host("steersman intent select INT-001 && steersman trust");
    assert!(!said.contains("only a person"), "{said}");
    assert!(scene.sandbox.path(".ai/tmp/intent.json").exists());
}
