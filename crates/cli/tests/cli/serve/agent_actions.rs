//! Automations that run an agent run that agent, with its role, tools and model, or nothing.
//!
//! The agent program of these tests is a script with the command line of Claude Code that calls steersman's hooks
//! before it writes, as the real program does.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use serde_json::{Value, json};

use super::stage::{Project, until};

/// Reads its prompt, asks the hook whether it may write and whether it may read, and does what the answers permit.
const CLAUDE: &str = r#"#!/bin/sh
out=$OUT/$(cat | head -n 1)
printf '%s\n' "$@" > "$out.args"
printf '%s' "$STEERSMAN_AGENT" > "$out.agent"
ask() {
    printf '{"session_id":"s-%s","hook_event_name":"PreToolUse","permission_mode":"default","cwd":"%s","tool_use_id":"%s","tool_name":"%s","tool_input":{"file_path":"%s/%s","content":"x"}}' \
        "$STEERSMAN_AGENT" "$PWD" "$1" "$1" "$PWD" "$2" | "$STEERSMAN" dispatch PreToolUse --host claude-code
}
case $(ask Write written.txt) in
    *'"deny"'*) echo 'not written' ;;
    *) echo x > written.txt; echo written ;;
esac
case $(ask Read README.md) in
    *'"deny"'*) echo 'not read' ;;
    *) echo read ;;
esac
"#;

const REVIEWER: &str = "name: reviewer\nsystemPrompt: You review.\ntools: {allowed: [Read, Grep]}\n\
                        provider: {name: claude, model: haiku}\ntransitions: {onSuccess: complete}\n";
const WRITER: &str = "name: writer\nsystemPrompt: You write.\ntools: {allowed: [Read, Write]}\n\
                      provider: {name: claude}\ntransitions: {onSuccess: complete}\n";
const PACKAGE: &str = r#"{"publisher":"A","name":"b","version":"1.0.0","contributes":{"chatParticipants":[{"id":"x","name":"helper"}]}}"#;

/// Declares a custom agent hook for `steersman automation run ID`.
fn custom(id: &str, parameters: &Value) -> Value {
    json!({"id": id, "trigger": {"agent": "workspace", "operation": "file-save"}, "runner": "claude",
        "action": {"type": "custom", "parameters": parameters}})
}

/// Creates a project with two agents, an extension that has one, and the agent program.
fn project(hooks: &[Value]) -> Project {
    let project = Project::new(&json!([]));
    let elsewhere = project.sandbox.elsewhere();
    let program = elsewhere.join("bin/claude");
    fs::create_dir_all(elsewhere.join("bin")).unwrap();
    fs::write(&program, CLAUDE).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let extension = project.extensions().join("a.b-1.0.0");
    fs::create_dir_all(&extension).unwrap();
    fs::write(extension.join("package.json"), PACKAGE).unwrap();
    project.sandbox.write("README.md", "# app\n");
    project.sandbox.write(".rawko/agents/reviewer.yaml", REVIEWER);
    project.sandbox.write(".rawko/agents/writer.yaml", WRITER);
    project.sandbox.write(".vscode/gatomia/hooks.json", json!(hooks).to_string());
    project
}

/// Runs an automation to its end and returns its record.
fn run(project: &Project, id: &str) -> Value {
    json_of(project, &["automation", "run", id, "--json"])
}

/// Runs a command that finds the agent program and prints JSON.
fn json_of(project: &Project, args: &[&str]) -> Value {
    let elsewhere = project.sandbox.elsewhere();
    let output = project
        .command()
        .env("PATH", format!("{}:/usr/bin:/bin", elsewhere.join("bin").display()))
        .env("OUT", &elsewhere)
        .env("STEERSMAN", env!("CARGO_BIN_EXE_steersman"))
        .args(args)
        .output()
        .unwrap();
    let stdout = String::from_utf8_lossy(&output.stdout);
    serde_json::from_str(&stdout)
        .unwrap_or_else(|_| panic!("{stdout}{}", String::from_utf8_lossy(&output.stderr)))
}

/// Returns the code of each problem that `validate` finds, and the state of each automation.
fn found(project: &Project) -> (Vec<String>, Vec<String>) {
    let texts = |all: &Value, key: &str| -> Vec<String> {
        all.as_array().unwrap().iter().map(|it| it[key].as_str().unwrap().to_owned()).collect()
    };
    let validated = json_of(project, &["automation", "validate", "--json"]);
    let listed = json_of(project, &["automation", "list", "--json"]);
    (texts(&validated["problems"], "code"), texts(&listed["automations"], "state"))
}

#[test]
fn a_reviewer_that_may_only_read_does_not_write() {
    let ask = |agent: &str| custom(agent, &json!({"agentId": format!("local:{agent}"), "prompt": agent}));
    let project = project(&[ask("reviewer"), ask("writer")]);
    project.sandbox.trust();
    let result = |id: &str| {
        let record = run(&project, id);
        assert_eq!(record["status"], "success", "{record}");
        let read = |kind: &str| project.read(format!("../elsewhere/{id}.{kind}"));
        (record["logs"].as_str().unwrap_or_default().to_owned(), read("args"), read("agent"))
    };
    let (output, args, agent) = result("reviewer");
    assert_eq!((output.as_str(), agent.as_str()), ("not written\nread\n", "reviewer"), "{args}");
    for pair in ["--model\nhaiku\n", "--append-system-prompt\nYou review.\n", "--allowedTools\nGrep,Read\n"] {
        assert!(args.contains(pair), "{pair}: {args}");
    }
    let denied = args.lines().skip_while(|it| *it != "--disallowedTools").nth(1).unwrap_or_default();
    for tool in ["Write", "Edit", "Bash"] {
        assert!(denied.split(',').any(|it| it == tool), "{tool}: {args}");
    }
    assert!(!project.sandbox.path("written.txt").exists());
    let (output, args, agent) = result("writer");
    assert_eq!((output.as_str(), agent.as_str()), ("written\nread\n", "writer"), "{args}");
    assert!(!args.contains("--model"), "an agent without a model leaves the program's own: {args}");
}

#[test]
fn an_agent_of_an_extension_or_of_no_program_runs_nothing() {
    let of = |id: &str, agent: &str, kind: &str| {
        custom(id, &json!({"agentId": agent, "agentType": kind, "prompt": "x"}))
    };
    let hooks = [
        custom("extension", &json!({"agentId": "extension:a-b-helper", "prompt": "x"})),
        custom("absent", &json!({"agentId": "local:nobody", "prompt": "x"})),
        of("background", "local:bare", "background"),
        custom("empty", &json!({"agentId": "local:reviewer", "prompt": "{note}"})),
    ];
    let project = project(&hooks);
    project.sandbox.write(
        ".rawko/agents/bare.yaml",
        "name: bare\nsystemPrompt: x\ntransitions: {onSuccess: complete}\n",
    );
    project.sandbox.trust();
    for (id, code, part) in [
        ("extension", "EXTENSION_AGENT", "it exists only inside the editor extension"),
        ("absent", "FILE_DELETED", "cannot find the agent `local:nobody`"),
        ("background", "NO_PROGRAM", "its file names no agent program"),
        ("empty", "NO_PROMPT", "the prompt is empty once its variables are replaced"),
    ] {
        let error = run(&project, id)["error"].clone();
        assert_eq!(error["code"], code, "{id}: {error}");
        assert!(error["message"].as_str().unwrap().contains(part), "{id}: {error}");
    }
    assert_eq!(project.read("../elsewhere/x.args"), "", "no program got the prompt");
    let (_, stdout, stderr) = project.run(&["automation", "validate"]);
    let said = stdout + &stderr;
    assert!(said.contains("`extension` cannot run: cannot run the agent `extension:a-b-helper`"), "{said}");
    assert!(said.contains("`absent` cannot run: cannot find the agent `local:nobody`"), "{said}");
}

/// The document makes the prompt optional, so the other hooks of the file run.
#[test]
fn a_hook_without_a_prompt_is_an_error_of_its_own() {
    let silent = custom("silent", &json!({"agentId": "local:reviewer"}));
    let project = project(&[silent, custom("save", &json!({"agentId": "local:reviewer", "prompt": "save"}))]);
    project.sandbox.trust();
    let (code, stdout, stderr) = project.run(&["automation", "validate"]);
    let said = stdout + &stderr;
    let error = "error: `silent` cannot run: its action has no prompt [NO_PROMPT]\n  --> .vscode/gatomia/hooks.json:1\n";
    assert!(code == 1 && said.contains(error), "{said}");
    let (problems, states) = found(&project);
    assert_eq!((problems, states), (vec!["NO_PROMPT".into()], vec!["NO_PROMPT".into(), "on".into()]));
    let error = run(&project, "silent")["error"].clone();
    assert_eq!(error["code"], "NO_PROMPT", "{error}");
    assert!(!project.sandbox.elsewhere().join(".args").exists(), "no program was started");
    assert_eq!(run(&project, "save")["status"], "success");
}

/// Without a default runner only an agent whose file names a program can run.
#[test]
fn validate_and_list_find_agents_that_no_program_can_run() {
    let of = |id: &str, agent: &str, kind: Value| {
        let mut hook = custom(id, &json!({"agentId": agent, "agentType": kind, "prompt": "x"}));
        hook.as_object_mut().unwrap().remove("runner");
        hook
    };
    let project = project(&[
        of("own", "local:reviewer", json!("background")),
        of("local", "local:reviewer", json!("local")),
        of("background", "local:bare", json!("background")),
        of("bare", "local:bare", json!("local")),
    ]);
    project.sandbox.write(
        ".rawko/agents/bare.yaml",
        "name: bare\nsystemPrompt: x\ntransitions: {onSuccess: complete}\n",
    );
    project.sandbox.trust();
    let (problems, states) = found(&project);
    assert_eq!(problems, ["NO_RUNNER", "NO_PROGRAM", "NO_RUNNER"]);
    assert_eq!(states, ["on", "NO_RUNNER", "NO_PROGRAM", "NO_RUNNER"]);
    assert_eq!(run(&project, "bare")["error"]["code"], "NO_RUNNER");
}

#[test]
fn a_server_runs_the_agent_of_a_saved_file_as_that_agent() {
    let project = project(&[custom("save", &json!({"agentId": "local:reviewer", "prompt": "save"}))]);
    project.sandbox.trust();
    let elsewhere = project.sandbox.elsewhere();
    let path = format!("{}:/usr/bin:/bin", elsewhere.join("bin").display());
    let _server = project.serve_with(&[
        ("PATH", &path),
        ("OUT", elsewhere.to_str().unwrap()),
        ("STEERSMAN", env!("CARGO_BIN_EXE_steersman")),
    ]);
    project.sandbox.write("src/a.rs", "fn main() {}\n");
    until("it ran", || project.runs(&[]).iter().any(|it| it["status"] == "success"));
    assert_eq!(project.read("../elsewhere/save.agent"), "reviewer");
    assert!(!project.sandbox.path("written.txt").exists());
}

/// The page reports an agent that disappears while the server runs, a missing program from the start, and why a run
/// that started no program failed.
#[test]
fn the_api_says_why_an_automation_cannot_run_and_why_a_run_without_a_program_failed() {
    let mut missing = custom("missing", &json!({"agentId": "local:writer", "prompt": "x"}));
    missing["runner"] = json!({"type": "command", "command": ["no-such-program"]});
    missing["action"]["parameters"]["agentType"] = "local".into();
    let project =
        project(&[custom("save", &json!({"agentId": "local:reviewer", "prompt": "save"})), missing]);
    project.sandbox.trust();
    let elsewhere = project.sandbox.elsewhere();
    let path = format!("{}:/usr/bin:/bin", elsewhere.join("bin").display());
    let _server = project.serve_with(&[("PATH", &path)]);
    let automations = || {
        let answer = project.page("/api/v1/automations");
        serde_json::from_str::<Value>(answer.split_once("\r\n\r\n").unwrap().1).unwrap()
    };
    let impediment = |at: usize| automations()["automations"][at]["impediment"].clone();
    until("the page has the automations", || !automations()["automations"][1].is_null());
    assert_eq!(impediment(0), Value::Null);
    assert_eq!(
        impediment(1),
        "the program `no-such-program` is not installed; install it, or name another runner or program"
    );
    fs::remove_file(project.sandbox.path(".rawko/agents/reviewer.yaml")).unwrap();
    let gone = "cannot find the agent `local:reviewer`";
    until("the page says so", || impediment(0).as_str().is_some_and(|why| why.starts_with(gone)));
    assert!(project.page("/health").contains("cannot find the agent"));
    project.sandbox.write("src/a.rs", "fn main() {}\n");
    let lines = || {
        let history = automations()["history"].as_array().unwrap().clone();
        let mut lines: Vec<Value> = history.iter().map(|run| run["errorLine"].clone()).collect();
        lines.sort_by_key(Value::to_string);
        lines
    };
    until("both failed", || lines().len() == 2);
    assert_eq!(lines(), [json!(gone), json!("the program `no-such-program` is not installed")]);
    project.sandbox.write(".rawko/agents/reviewer.yaml", REVIEWER);
    until("the agent is back", || impediment(0).is_null());
}
