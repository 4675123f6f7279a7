//! Programs of automations, confined by the key `confine` of a hook.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use serde_json::Value;

use crate::workspace::{Workspace, said};

const REVIEWER: &str = "name: reviewer\nsystemPrompt: You review.\ntools: {allowed: [Read, Grep]}\n\
                        provider: {name: claude}\ntransitions: {onSuccess: complete}\n";

fn program(path: &Path, script: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, format!("#!/bin/sh\n{script}\n")).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

/// Runs the automation `a` of a trusted workspace, with a fake agent program on the path. Returns its record.
fn run(workspace: &Workspace, hook: &Value, script: &str, wrapper: Option<&str>) -> Value {
    let hooks = serde_json::json!({ "version": 1, "hooks": [hook] });
    workspace.write(".vscode/gatomia/hooks.json", &hooks.to_string());
    workspace.write(".rawko/agents/reviewer.yaml", REVIEWER);
    for name in ["claude", "codex"] {
        program(&workspace.home().join("bin").join(name), script);
    }
    let path = format!("{}:{}", workspace.home().join("bin").display(), std::env::var("PATH").unwrap());
    let call = |args: &[&str]| {
        let binary = env!("CARGO_BIN_EXE_steersman");
        let mut command = workspace.program(wrapper.unwrap_or(binary));
        if wrapper.is_some() {
            command.args(["namespaces", binary]);
        }
        command.args(args).env("PATH", &path).output().unwrap()
    };
    let trusted = call(&["trust"]);
    assert!(trusted.status.success(), "{}", said(&trusted));
    let output = call(&["automation", "run", "a", "--json"]);
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", said(&output)))
}

fn agent_hook() -> Value {
    serde_json::json!({
        "id": "a", "trigger": { "agent": "workspace", "operation": "file-save" }, "confine": {},
        "action": { "type": "custom", "parameters": { "agentId": "local:reviewer", "prompt": "Review" } },
    })
}

fn command_hook(confine: &Value, line: &str) -> Value {
    serde_json::json!({
        "id": "a", "trigger": { "agent": "workspace", "operation": "file-save" }, "confine": confine,
        "action": { "type": "command", "parameters": { "command": ["sh", "-c", line] } },
    })
}

#[test]
fn an_agent_with_tools_that_only_read_finds_the_workspace_read_only_and_its_state_writable() {
    let workspace = Workspace::new();
    workspace.write("src/a", "old\n");
    workspace.write(".gitignore", "target\n");
    workspace.write("target/x", "");
    let home = workspace.home();
    fs::create_dir_all(home.join(".claude")).unwrap();
    fs::write(home.join(".claude/settings.json"), "{}").unwrap();
    fs::write(home.join(".claude.json"), "{}").unwrap();
    let script = "for f in src/a top target/y .ai/x $HOME/.claude/state $HOME/.claude.json \
                  $HOME/.claude/settings.json $HOME/.bashrc /tmp/steersman-test-$$; do \
                  (echo x > $f) 2>/dev/null && echo \"wrote $f\"; done; rm -f /tmp/steersman-test-$$; cat > /dev/null";
    let record = run(&workspace, &agent_hook(), script, None);
    let logs = record["logs"].as_str().unwrap_or_default();
    let wrote: Vec<&str> =
        logs.lines().filter_map(|line| line.split_once("wrote ")).map(|(_, path)| path).collect();
    assert_eq!(record["status"], "success", "{record}");
    assert_eq!(wrote.len(), 3, "{logs}");
    assert!(wrote[0].ends_with("/.claude/state") && wrote[1].ends_with("/.claude.json"), "{logs}");
    assert_eq!((workspace.read("src/a"), workspace.exists("top")), ("old\n".to_owned(), false));
}

#[test]
fn hooks_inside_a_confined_agent_program_send_their_records_out() {
    let workspace = Workspace::new();
    workspace.write(".ai/hooks/config.json", "{\"version\": 1}\n");
    let binary = env!("CARGO_BIN_EXE_steersman");
    let payload = |event: &str, more: &str| {
        format!(
            "{{\"session_id\":\"s-1\",\"hook_event_name\":\"{event}\",\"cwd\":\"'\"$PWD\"'\",\"transcript_path\":\"\"{more}}}"
        )
    };
    let call = |event: &str, more: &str| {
        format!("echo '{}' | {binary} dispatch {event} --host claude-code\n", payload(event, more))
    };
    // Programs like Claude Code close all descriptors for their hooks, so the pipe must be found another way.
    let script = format!(
        "exec 3<&-; close() {{ python3 -c 'import os,sys; os.closerange(3, 1000); os.execvp(sys.argv[1], sys.argv[1:])' \"$@\"; }}\n\
         {}close sh -c '{}'\ncat > /dev/null",
        call("UserPromptSubmit", ",\"prompt\":\"Review it\"").replace("'\"$PWD\"'", "'$PWD'"),
        call("PreToolUse", ",\"tool_name\":\"Read\",\"tool_input\":{\"file_path\":\"src/a\"}")
            .replace("'\"$PWD\"'", "$PWD")
            .replace('\'', "'\\''")
            .replace("$PWD", &workspace.root().display().to_string()),
    );
    let record = run(&workspace, &agent_hook(), &script, None);
    assert_eq!(record["status"], "success", "{record}");
    let sessions: Vec<_> = fs::read_dir(workspace.root().join(".ai/tmp"))
        .unwrap()
        .flatten()
        .map(|entry| entry.path().join("events.jsonl"))
        .filter(|path| path.exists())
        .collect();
    assert_eq!(sessions.len(), 1, "{record}");
    let journal = fs::read_to_string(&sessions[0]).unwrap();
    assert!(journal.contains("UserPromptSubmit") && journal.contains("PreToolUse"), "{journal}");
}

#[test]
fn a_command_writes_what_the_hook_names_and_reaches_no_network_unless_it_may() {
    let workspace = Workspace::new();
    let line = "echo x > src/a; echo x > out/a; (echo > /dev/tcp/127.0.0.1/9) 2>&1 | head -1; true";
    let line = format!("bash -c '{line}'");
    let record = run(
        &workspace,
        &command_hook(&serde_json::json!({ "write": ["src"], "network": false }), &line),
        "",
        None,
    );
    assert_eq!(record["status"], "success", "{record}");
    assert_eq!((workspace.exists("src/a"), workspace.exists("out/a")), (true, false), "{record}");
    let nothing =
        run(&workspace, &command_hook(&serde_json::json!({ "write": [] }), "echo x > src/b"), "", None);
    assert_eq!((&nothing["status"], workspace.exists("src/b")), (&Value::from("failed"), false), "{nothing}");
    let workspace_itself = run(&workspace, &command_hook(&serde_json::json!({}), "echo x > out/c"), "", None);
    assert_eq!((&workspace_itself["status"], workspace.exists("out/c")), (&Value::from("success"), true));
    let outside =
        run(&workspace, &command_hook(&serde_json::json!({}), "echo x > ../home/outside"), "", None);
    assert_eq!(outside["status"], "failed", "{outside}");
}

#[test]
fn a_program_that_mounts_is_refused_where_only_landlock_works() {
    let workspace = Workspace::new();
    let deny = workspace.home().join("deny");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/confinement/deny.c");
    let built = workspace.program("cc").args(["-w", "-o"]).arg(&deny).arg(source).output().unwrap();
    assert!(built.status.success(), "{}", said(&built));
    let deny = deny.display().to_string();
    let mut hook = agent_hook();
    hook["runner"] = "codex".into();
    hook["action"]["parameters"]["agentType"] = "local".into();
    let record = run(&workspace, &hook, "cat > /dev/null; echo ran > $HOME/.codex/ran", Some(&deny));
    assert_eq!(
        (&record["status"], &record["error"]["code"]),
        (&"failed".into(), &"CANNOT_CONFINE".into()),
        "{record}"
    );
    let why = record["error"]["message"].as_str().unwrap();
    assert!(why.contains("it mounts file systems, and only Landlock works here"), "{why}");
    hook["runner"] = "claude".into();
    let record = run(&workspace, &hook, "cat > /dev/null; echo x > top; echo ran", Some(&deny));
    assert!(!workspace.exists("top") && record["logs"].as_str().unwrap().contains("ran"), "{record}");
}
