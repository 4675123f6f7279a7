//! The shell calls of a session: announced by the hook before, confined by the program in front of the shell, proven
//! to the hook after.
//!
//! The payloads and the lines around commands are those of Claude Code; `cargo xtask clients` plays the same on the
//! real programs.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

use crate::workspace::{Workspace, said};

/// Writes to each path in `names`, which hold them backwards: no reader of the command can know them.
const OPAQUE: &str = "for n in open('names').read().split():\n    try: open(n[::-1], 'a').write('x'); print('wrote', n[::-1])\n    except OSError as e: print(e)\n";

/// A session of Claude Code under an intent that owns `src`.
pub(crate) struct Session {
    pub(crate) workspace: Workspace,
    n_calls: usize,
    /// Folders in front of the usual ones in which shells look for programs.
    programs: Option<PathBuf>,
}

/// A call as the hook saw it.
#[derive(Clone)]
pub(crate) struct Call {
    id: String,
    input: Value,
}

impl Session {
    pub(crate) fn new() -> Self {
        Self::with_settings("{\"version\": 1}")
    }

    pub(crate) fn with_settings(config: &str) -> Self {
        let workspace = Workspace::new();
        workspace.write("tool.py", OPAQUE);
        workspace.write("package.json", "{}");
        workspace.write(".ai/hooks/config.json", config);
        let session = Self { workspace, n_calls: 0, programs: None };
        for args in
            ["init --host claude-code --intents", "intent new Src --scope src/**", "intent select INT-001"]
        {
            let done = session.steersman(args);
            assert!(done.status.success(), "{args}: {}", said(&done));
        }
        session
    }

    pub(crate) fn steersman(&self, args: &str) -> Output {
        let mut command = self.workspace.program(env!("CARGO_BIN_EXE_steersman"));
        command.args(args.split_whitespace()).env("COLUMNS", "200").output().unwrap()
    }

    pub(crate) fn state(&self) -> PathBuf {
        self.workspace.home().join(".local/state/steersman")
    }

    fn prefix(&self) -> PathBuf {
        self.state().join("shell/steersman-shell")
    }

    /// Returns the records of calls.
    pub(crate) fn records(&self) -> Vec<String> {
        let folders = fs::read_dir(self.state().join("shell-calls")).into_iter().flatten().flatten();
        let files = folders.flat_map(|folder| fs::read_dir(folder.path()).into_iter().flatten().flatten());
        let mut names: Vec<String> = files.map(|file| file.file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// The paths that `python3 tool.py` tries to write.
    pub(crate) fn targets(&self, paths: &[&str]) {
        let backwards = paths.iter().map(|path| path.chars().rev().collect::<String>());
        self.workspace.write("names", &backwards.collect::<Vec<_>>().join("\n"));
    }

    fn hook(&self, event: &str, payload: &Value) -> Value {
        let mut command = self.workspace.program(env!("CARGO_BIN_EXE_steersman"));
        command
            .args(["dispatch", event])
            .env("CLAUDE_PROJECT_DIR", self.workspace.root())
            .env("CLAUDE_CODE_SHELL_PREFIX", self.prefix())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped());
        if let Some(programs) = &self.programs {
            command.env("PATH", format!("{}:/usr/bin:/bin", programs.display()));
        }
        let mut child = command.spawn().unwrap();
        child.stdin.take().unwrap().write_all(payload.to_string().as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        serde_json::from_slice(&output.stdout).unwrap()
    }

    fn payload(&self, event: &str, call: &Call) -> Value {
        json!({
            "session_id": "5e551011", "cwd": self.workspace.root(), "hook_event_name": event, "tool_name": "Bash",
            "tool_input": call.input, "tool_use_id": call.id, "transcript_path": "/nowhere",
            "permission_mode": "default",
        })
    }

    /// Announces a command. Returns the call and the hook's answer.
    pub(crate) fn announce(&mut self, command: &str) -> (Call, Value) {
        self.announce_input(json!({"command": command}))
    }

    pub(crate) fn announce_input(&mut self, input: Value) -> (Call, Value) {
        self.n_calls += 1;
        let call = Call { id: format!("toolu_{}", self.n_calls), input };
        let answer = self.hook("PreToolUse", &self.payload("PreToolUse", &call));
        (call, answer)
    }

    /// Reports the end of a call. Returns the hook's answer.
    pub(crate) fn end(&self, call: &Call, printed: &str) -> Value {
        let mut payload = self.payload("PostToolUse", call);
        payload["tool_response"] = json!({"stdout": printed, "stderr": "", "interrupted": false});
        self.hook("PostToolUse", &payload)
    }

    /// Reports that a call failed. Returns the hook's answer.
    pub(crate) fn fail(&self, call: &Call, error: &str) -> Value {
        let mut payload = self.payload("PostToolUseFailure", call);
        payload["error"] = error.into();
        self.hook("PostToolUseFailure", &payload)
    }

    /// Returns the call of the program in front of the shell, as Claude Code starts it.
    pub(crate) fn shell(&self, command: &str) -> Command {
        let quoted = format!("'{}'", command.replace('\'', r#"'"'"'"#));
        fs::write(self.workspace.home().join("snapshot-bash-1.sh"), "greet() { echo hello $1; }\n").unwrap();
        // The file of the folder is in the folder for temporary files, which stays writable.
        let temporary = std::env::temp_dir().join(format!("cwd-{}", std::process::id()));
        let line = format!(
            "source {}/snapshot-bash-1.sh 2>/dev/null || true && eval {quoted} < /dev/null && pwd -P >| {}",
            self.workspace.home().display(),
            temporary.display()
        );
        let mut shell = self.workspace.program(self.prefix().to_str().unwrap());
        shell
            .arg(line)
            .env("CLAUDECODE", "1")
            .env("CLAUDE_CODE_SESSION_ID", "5e551011")
            .env("AI_AGENT", "claude-code_2-1-325_agent")
            .env("CLAUDE_CODE_SHELL_PREFIX", self.prefix());
        shell
    }

    /// Runs a command from announcement to end. Returns what it printed, and the answer at its end.
    pub(crate) fn call(&mut self, command: &str) -> (String, Value) {
        let (call, answer) = self.announce(command);
        assert_eq!(answer["hookSpecificOutput"]["permissionDecision"], Value::Null, "{command}: {answer}");
        let printed = said(&self.shell(command).output().unwrap());
        let end = self.end(&call, &printed);
        (printed, end)
    }

    pub(crate) fn shown(&self) -> String {
        let sessions = said(&self.steersman("session list --json"));
        let sessions: Value = serde_json::from_str(&sessions).unwrap();
        let id = sessions
            .pointer("/sessions/0/id")
            .or(sessions.pointer("/0/id"))
            .or(sessions.pointer("/sessions/0/sessionId"));
        said(&self.steersman(&format!("session show {}", id.and_then(Value::as_str).unwrap_or_default())))
    }
}

const UNPROVEN: &str = "python3 tool.py";

#[test]
fn a_harmless_name_proves_nothing_if_shells_look_for_programs_in_the_workspace() {
    let mut session = Session::new();
    let n_announced = |session: &mut Session, command: &str| {
        let (call, _) = session.announce(command);
        let n_records = session.records().len();
        session.end(&call, "");
        n_records
    };
    for command in ["ls src", "cat package.json", "echo x > src/a"] {
        assert_eq!(n_announced(&mut session, command), 0, "{command}");
    }
    for folder in [session.workspace.root().join(".venv/bin"), PathBuf::from("node_modules/.bin")] {
        session.programs = Some(folder.clone());
        for command in ["ls src", "cat package.json", "echo x > src/a"] {
            assert_eq!(n_announced(&mut session, command), 1, "{command} with {}", folder.display());
        }
    }
    session.programs = Some(PathBuf::from("/opt/tool/bin"));
    assert_eq!(n_announced(&mut session, "ls src"), 0);
}

#[test]
fn an_unproven_command_writes_only_in_scope_and_the_model_learns_why() {
    let mut session = Session::new();
    session.targets(&["src/a", "package.json"]);
    let (printed, end) = session.call(UNPROVEN);
    assert!(printed.contains("wrote src/a") && printed.contains("Read-only file system"), "{printed}");
    assert_eq!(session.workspace.read("package.json"), "{}");
    let told = end["hookSpecificOutput"]["additionalContext"].as_str().unwrap_or_default().to_owned();
    assert!(told.contains("the kernel refused to write `package.json`: out of scope of INT-001"), "{end}");
    assert!(told.contains("steersman intent expand INT-001 package.json"), "{told}");
    assert!(session.records().is_empty(), "{:?}", session.records());
    let shown = session.shown();
    assert!(shown.contains("confined: refused package.json"), "{shown}");
}

#[test]
fn where_only_landlock_works_a_call_is_confined_and_its_refusal_explained() {
    let mut session = Session::new();
    session.targets(&["src/a", "package.json"]);
    let deny = session.workspace.home().join("deny");
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/confinement/deny.c");
    let compiled = Command::new("cc").args(["-w", "-o"]).arg(&deny).arg(source).status().unwrap();
    assert!(compiled.success());
    let (call, _) = session.announce(UNPROVEN);
    let shell = session.shell(UNPROVEN);
    let mut denied = session.workspace.program(deny.to_str().unwrap());
    denied.arg("namespaces").arg(shell.get_program()).args(shell.get_args());
    for (name, value) in shell.get_envs().filter_map(|(name, value)| Some((name, value?))) {
        denied.env(name, value);
    }
    let printed = said(&denied.output().unwrap());
    assert!(printed.contains("wrote src/a") && printed.contains("Permission denied"), "{printed}");
    assert_eq!(session.workspace.read("package.json"), "{}");
    let end = session.end(&call, &printed);
    let told = end["hookSpecificOutput"]["additionalContext"].as_str().unwrap_or_default();
    assert!(told.contains("the kernel refused to write `package.json`"), "{end}");
    assert!(told.contains("out of scope of INT-001"), "{end}");
    assert!(!session.shown().contains("UNCONFINED"), "{}", session.shown());
}

#[test]
fn a_proven_command_is_not_recorded_and_runs_as_it_is() {
    let mut session = Session::new();
    for command in ["ls -la", "echo x > src/b", "git status"] {
        let (call, _) = session.announce(command);
        assert!(session.records().is_empty(), "{command}: {:?}", session.records());
        let _ = session.end(&call, "");
    }
    // A person's own shell has no record either.
    let mut own = session.shell(UNPROVEN);
    session.targets(&["package.json"]);
    let printed = said(&own.env_remove("CLAUDE_CODE_SESSION_ID").output().unwrap());
    assert!(printed.contains("wrote package.json"), "{printed}");
}

#[test]
fn an_end_without_an_arrival_is_reported() {
    let mut session = Session::new();
    let (call, _) = session.announce(UNPROVEN);
    let end = session.end(&call, "");
    assert!(end["systemMessage"].as_str().unwrap_or_default().contains("ran unconfined"), "{end}");
    assert!(session.records().is_empty());
    assert!(session.shown().contains("ran unconfined"));
}

#[test]
fn a_call_in_the_background_is_judged_at_the_next_event() {
    let mut session = Session::new();
    session.targets(&["src/a", "package.json"]);
    let background = json!({"command": UNPROVEN, "run_in_background": true});
    // Its end is reported before its shell starts.
    let (call, _) = session.announce_input(background.clone());
    assert_eq!(session.end(&call, "")["systemMessage"], Value::Null);
    let printed = said(&session.shell(UNPROVEN).output().unwrap());
    assert!(printed.contains("wrote src/a") && !printed.contains("wrote package.json"), "{printed}");
    let (_, next) = session.announce("ls");
    assert_eq!((next["systemMessage"].clone(), session.records()), (Value::Null, Vec::new()));
    // No record shows that it started.
    let (call, _) = session.announce_input(background);
    let _ = session.end(&call, "");
    let (_, next) = session.announce("ls");
    assert!(next["systemMessage"].as_str().unwrap_or_default().contains("ran unconfined"), "{next}");
}

#[test]
fn the_second_of_two_equal_calls_is_confined_too_and_a_replay_without_a_record() {
    let mut session = Session::new();
    session.targets(&["package.json"]);
    for _ in 0..2 {
        let (printed, end) = session.call(UNPROVEN);
        assert!(!printed.contains("wrote") && end["systemMessage"] == Value::Null, "{printed} {end}");
    }
    // Two at once, and a third shell with the same text.
    let calls = [session.announce(UNPROVEN).0, session.announce(UNPROVEN).0];
    let shells: Vec<_> =
        (0..3).map(|_| session.shell(UNPROVEN).stdout(Stdio::piped()).spawn().unwrap()).collect();
    for shell in shells {
        let printed = said(&shell.wait_with_output().unwrap());
        assert!(!printed.contains("wrote"), "{printed}");
    }
    for call in &calls {
        assert_eq!(session.end(call, "")["systemMessage"], Value::Null);
    }
}

#[test]
fn a_command_cannot_leave_by_another_shell_environment_or_text() {
    let mut session = Session::new();
    session.targets(&["package.json"]);
    let prefix = session.prefix();
    let long = format!("true {}; python3 tool.py", "x".repeat(100_000));
    for command in [
        "env -i /usr/bin/python3 tool.py".to_owned(),
        "unset BASH_ENV CLAUDE_CODE_SHELL_PREFIX CLAUDE_CODE_SESSION_ID; python3 tool.py".to_owned(),
        "bash --posix -c 'python3 tool.py'".to_owned(),
        "sh -c 'sh -c \"python3 tool.py\"'".to_owned(),
        "exec python3 tool.py".to_owned(),
        "PATH=/usr/bin:/bin; export PATH; python3 tool.py".to_owned(),
        "bash <<'E'\npython3 tool.py\nE\n".to_owned(),
        "python3 tool.py\npython3 tool.py".to_owned(),
        "python3 tool.py & wait".to_owned(),
        "(setsid python3 tool.py); nohup python3 tool.py".to_owned(),
        "echo 'it'\\''s' \"$HOME\" && eval 'python3 tool.py' && pwd -P >| /dev/null".to_owned(),
        format!("CLAUDE_CODE_SESSION_ID=other {} 'python3 tool.py'", prefix.display()),
        format!("{} --bash /bin/bash 'python3 tool.py' -c 'python3 tool.py'", prefix.display()),
        "printf '\\xff'; python3 tool.py".to_owned(),
        "  python3 tool.py  ".to_owned(),
        long,
    ] {
        let (printed, end) = session.call(&command);
        let shown: String = command.chars().take(80).collect();
        assert!(!printed.contains("wrote package.json"), "{shown}: {printed}");
        assert_eq!(session.workspace.read("package.json"), "{}", "{shown}");
        assert_eq!(end["systemMessage"], Value::Null, "{shown}: {end}");
    }
}

#[test]
fn governor_state_is_out_of_reach_and_hooks_keep_working() {
    let mut session = Session::new();
    let state = session.state();
    let home = session.workspace.home();
    let targets = [
        ".orchestration/active_intents.yaml".to_owned(),
        ".orchestration/agent_trace.jsonl".to_owned(),
        ".ai/hooks/config.json".to_owned(),
        ".ai/tmp/forged".to_owned(),
        ".claude/settings.local.json".to_owned(),
        state.join("forged").display().to_string(),
        state.join("shell-calls/forged").display().to_string(),
        state.join("shell/steersman-shell").display().to_string(),
        home.join(".bashrc").display().to_string(),
    ];
    session.targets(&targets.iter().map(String::as_str).collect::<Vec<_>>());
    let (printed, end) = session.call(UNPROVEN);
    assert!(!printed.contains("wrote"), "{printed}");
    assert_eq!(end["systemMessage"], Value::Null, "{end}");
    // Records and permissions from inside a confined command.
    let lines = "steersman session allow last; rm -rf $HOME/.local/state/steersman/shell-calls; mv .ai .x; ln -s /tmp .ai/tmp/y";
    session.workspace.write("lines", &lines.chars().rev().collect::<String>());
    session
        .workspace
        .write("run.py", "import subprocess\nsubprocess.run(open('lines').read()[::-1], shell=True)\n");
    let command = "python3 run.py";
    let (call, _) = session.announce(command);
    let before = session.records();
    let mut shell = session.shell(command);
    let folder = PathBuf::from(env!("CARGO_BIN_EXE_steersman")).parent().unwrap().to_path_buf();
    shell.env("PATH", format!("{}:/usr/bin:/bin", folder.display()));
    let printed = said(&shell.output().unwrap());
    assert_eq!(before.len(), 1);
    assert_eq!(session.records(), [before[0].replacen("a-", "c-", 1)], "{printed}");
    assert!(
        session.workspace.exists(".ai/hooks/config.json") && !session.workspace.exists(".x"),
        "{printed}"
    );
    assert_eq!(session.end(&call, &printed)["systemMessage"], Value::Null);
    let (_, answer) = session.announce("echo x > package.json");
    assert_eq!(answer["hookSpecificOutput"]["permissionDecision"], "deny", "{answer}");
}

#[test]
fn functions_of_the_snapshot_the_folder_and_exit_codes_hold() {
    let mut session = Session::new();
    session.targets(&["src/a"]);
    let (printed, _) = session.call("greet you; python3 tool.py; cd src");
    assert!(printed.contains("hello you") && printed.contains("wrote src/a"), "{printed}");
    let folder =
        fs::read_to_string(std::env::temp_dir().join(format!("cwd-{}", std::process::id()))).unwrap();
    assert_eq!(folder.trim(), session.workspace.root().join("src").to_str().unwrap());
    let command = "python3 tool.py; exit 7";
    let _ = session.announce(command);
    assert_eq!(session.shell(command).output().unwrap().status.code(), Some(7));
}

#[test]
fn what_cannot_work_confined_is_judged_as_without_confinement() {
    let mut session = Session::new();
    for (command, why) in [
        ("sudo -n python3 tool.py", "`sudo` cannot work confined"),
        ("docker run x", "`docker` cannot work confined"),
    ] {
        let _ = session.announce(command);
        assert!(session.records().is_empty(), "{command}");
        let shown = session.shown();
        assert!(shown.contains(why), "{command}: {shown}");
    }
}

#[test]
fn git_is_confined_unless_it_rewrites_files_out_of_scope() {
    let mut session = Session::new();
    let git = |line: &str| {
        let done = session.workspace.program("sh").args(["-c", line]).output().unwrap();
        assert!(done.status.success(), "{line}: {}", said(&done));
    };
    git(
        "git init -q -b main . && git config user.name a && git config user.email a@example.com && echo 1 > src/f && git add -A && git commit -qm one",
    );
    git("git switch -q -c inside && echo 2 > src/f && git commit -qam two && git switch -q main");
    git("git switch -q -c outside && echo 3 > package.json && git commit -qam three && git switch -q main");
    let (printed, _) = session.call("git switch inside");
    assert!(session.workspace.read("src/f").contains('2'), "{printed}");
    let _ = session.announce("git switch outside");
    assert!(session.records().is_empty());
    let shown = session.shown();
    assert!(
        shown.contains("not confined: `git switch` changes files out of scope (`package.json`)"),
        "{shown}"
    );
}

#[test]
fn required_asks_about_what_cannot_be_confined_and_all_confines_what_is_proven() {
    let mut session = Session::with_settings("{\"version\": 1, \"confine\": \"required\"}");
    let (_, answer) = session.announce("docker ps");
    let answer = &answer["hookSpecificOutput"];
    assert_eq!(answer["permissionDecision"], "ask", "{answer}");
    assert!(
        answer["permissionDecisionReason"].as_str().unwrap().contains("would run unconfined"),
        "{answer}"
    );
    let _ = session.announce("ls");
    assert_eq!(session.records().len(), 1, "a proven command too");
    let mut session = Session::with_settings("{\"version\": 1, \"confine\": {\"mode\": \"off\"}}");
    let _ = session.announce(UNPROVEN);
    assert!(session.records().is_empty());
}

#[test]
fn inside_a_sandbox_that_keeps_records_read_only_the_arrival_is_unknown() {
    let mut session = Session::new();
    session.targets(&["src/a", "package.json"]);
    let (call, _) = session.announce(UNPROVEN);
    let shell = session.shell(UNPROVEN);
    // Stands for the sandbox of a host: everything but the scope and temporary files is read-only.
    let line = "CLAUDECODE=1 CLAUDE_CODE_SESSION_ID=5e551011 exec \"$@\"";
    let mut nested = session.workspace.run("--write src");
    nested.args(["sh", "-c", line, "sh"]).arg(shell.get_program()).args(shell.get_args());
    let printed = said(&nested.env("AI_AGENT", "claude-code_2-1-325_agent").output().unwrap());
    assert!(printed.contains("wrote src/a") && !printed.contains("wrote package.json"), "{printed}");
    let end = session.end(&call, &printed);
    let warned = end["systemMessage"].as_str().unwrap_or_default();
    assert!(warned.contains("may have run unconfined"), "{end}");
    assert!(session.records().is_empty());
}

#[test]
fn registering_is_shown_first_and_reverted_exactly() {
    let workspace = Workspace::new();
    let settings = "{\n  \"env\": {\n    \"A\": \"1\"\n  }\n}\n";
    workspace.write(".claude/settings.local.json", settings);
    let steersman = |args: &str| {
        let mut command = workspace.program(env!("CARGO_BIN_EXE_steersman"));
        said(&command.args(args.split_whitespace()).output().unwrap())
    };
    let dry = steersman("init --host claude-code --intents --dry-run");
    assert!(dry.contains("+    \"CLAUDE_CODE_SHELL_PREFIX\": "), "{dry}");
    assert_eq!(workspace.read(".claude/settings.local.json"), settings);
    let link = workspace.home().join(".local/state/steersman/shell/steersman-shell");
    assert!(!link.exists());
    let done = steersman("init --host claude-code --intents");
    assert!(done.contains("commands can run confined") && link.exists(), "{done}");
    assert!(workspace.read(".claude/settings.local.json").contains("steersman-shell"));
    let doctor = steersman("doctor");
    assert!(doctor.contains("Claude Code: commands run confined (`\"confine\": \"unproven\"`"), "{doctor}");
    // Another value switches it off, and the doctor says so.
    workspace.write(".claude/settings.local.json", "{\"env\": {\"CLAUDE_CODE_SHELL_PREFIX\": \"\"}}");
    let doctor = steersman("doctor");
    assert!(doctor.contains("sets the variable for the program in front of the shell to ``"), "{doctor}");
    workspace.write(".claude/settings.local.json", settings);
    let done = steersman("init --host claude-code");
    assert!(done.contains("commands can run confined"), "{done}");
    let gone = steersman("uninstall");
    assert_eq!(workspace.read(".claude/settings.local.json"), settings, "{gone}");
    assert!(!link.exists(), "{gone}");
}
