//! The shell calls of agent programs that start bash: `BASH_ENV` puts steersman in front of it.

use std::io::Write;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::session::Session;
use crate::workspace::said;

/// An agent program, its call in a payload, and the variables of its shell.
struct Program {
    host: &'static str,
    events: (&'static str, &'static str),
    tool: &'static str,
    id: Option<&'static str>,
    variables: &'static [(&'static str, &'static str)],
}

const PROGRAMS: [Program; 3] = [
    Program {
        host: "codex",
        events: ("PreToolUse", "PostToolUse"),
        tool: "Bash",
        id: Some("call_1"),
        variables: &[("CODEX_SESSION_ID", "s1"), ("CODEX_TOOL_CALL_ID", "call_1")],
    },
    Program {
        host: "gemini",
        events: ("BeforeTool", "AfterTool"),
        tool: "run_shell_command",
        id: None,
        variables: &[("GEMINI_CLI", "1")],
    },
    Program {
        host: "qwen",
        events: ("PreToolUse", "PostToolUse"),
        tool: "run_shell_command",
        id: None,
        variables: &[("QWEN_CODE_SESSION_ID", "s1")],
    },
];

impl Program {
    fn hook(&self, session: &Session, is_end: bool, command: &str, printed: &str) -> Value {
        let (event, spelled) =
            if is_end { ("PostToolUse", self.events.1) } else { ("PreToolUse", self.events.0) };
        let mut payload = json!({
            "session_id": "s1", "cwd": session.workspace.root(), "hook_event_name": spelled,
            "tool_name": self.tool, "tool_input": {"command": command}, "transcript_path": "/nowhere",
        });
        if let Some(id) = self.id {
            payload["tool_use_id"] = id.into();
        }
        if is_end {
            payload["tool_response"] = printed.into();
        }
        let mut hook = session.workspace.program(env!("CARGO_BIN_EXE_steersman"));
        hook.args(["dispatch", event, "--host", self.host]).env("BASH_ENV", bash_env(session));
        let mut child = hook.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(payload.to_string().as_bytes()).unwrap();
        serde_json::from_slice(&child.wait_with_output().unwrap().stdout).unwrap()
    }

    fn bash(&self, session: &Session, args: &[&str]) -> Command {
        let mut bash = session.workspace.program("bash");
        bash.args(args).env("BASH_ENV", bash_env(session)).envs(self.variables.iter().copied());
        bash
    }
}

fn bash_env(session: &Session) -> std::path::PathBuf {
    session.state().join("shell/bash-env")
}

#[test]
fn bash_is_confined_once_by_the_record_of_its_call() {
    for program in &PROGRAMS {
        let session = Session::with_settings("{\"version\": 1, \"confine\": \"unproven\"}");
        let done = session.steersman(&format!("init --host {}", program.host));
        assert!(done.status.success(), "{}", said(&done));
        session.targets(&["src/a", "package.json"]);
        for (n, command) in [
            "python3 tool.py",
            "python3 tool.py",
            "unset BASH_ENV; bash -c 'python3 tool.py'",
            "env -i BASH_ENV= bash -c 'python3 tool.py'",
            "exec bash --posix -c 'python3 tool.py'",
            "cat <<'E'\nit's\nE\npython3 tool.py\n",
        ]
        .into_iter()
        .enumerate()
        {
            let answer = program.hook(&session, false, command, "");
            // Every call of Codex has its own id.
            if n > 0 && program.id.is_some() {
                continue;
            }
            assert_eq!(session.records().len(), 1, "{} {command}: {answer}", program.host);
            let printed = said(&program.bash(&session, &["-c", command.trim_end()]).output().unwrap());
            assert!(printed.contains("wrote src/a"), "{} {command}: {printed}", program.host);
            assert!(!printed.contains("wrote package.json"), "{} {command}: {printed}", program.host);
            let end = program.hook(&session, true, command, &printed).to_string();
            assert!(!end.contains("unconfined"), "{} {command}: {end}", program.host);
            assert!(session.records().is_empty(), "{} {command}", program.host);
        }
    }
}

#[test]
fn a_persons_own_bash_passes_with_its_options_and_arguments() {
    let mut session = Session::new();
    let _ = session.announce("python3 tool.py");
    let person = Program { variables: &[], ..PROGRAMS[2] };
    let bash = |args: &[&str]| said(&person.bash(&session, args).output().unwrap());
    assert_eq!(bash(&["-c", "echo $0 $1 $#; echo $-", "name", "one two", "x"]), "name one two 2\nhBc\n");
    assert_eq!(bash(&["-e", "-c", "false; echo on"]), "");
    assert_eq!(bash(&["-c", "echo ${BASH_ENV##*/}; bash -c 'echo ${BASH_ENV##*/}'"]), "bash-env\nbash-env\n");
    session.workspace.write("script.sh", "echo script $1\n");
    assert_eq!(bash(&["script.sh", "x"]), "script x\n");
}
