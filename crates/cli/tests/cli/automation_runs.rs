//! Automations that really run: by a server, by hand, by a rule, with a real MCP server.
#![cfg(unix)]

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use testkit::{Sandbox, schema};

const BINARY: &str = env!("CARGO_BIN_EXE_steersman");

/// The time limit for operations that take milliseconds; generous, because the machine may be busy.
const TIMEOUT: Duration = Duration::from_mins(1);

/// A server for the workspace of a sandbox; stopped when dropped.
struct ServerProcess(Child);

impl ServerProcess {
    fn start(sandbox: &Sandbox) -> Self {
        let child = Command::new(BINARY)
            .args(["serve", "--no-web"])
            .current_dir(sandbox.root())
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap())
            .env("HOME", sandbox.elsewhere())
            .env("STEERSMAN_STATE_DIR", sandbox.user_state())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        Self(child)
    }
}

impl Drop for ServerProcess {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn sandbox() -> Sandbox {
    Sandbox::new(BINARY)
}

/// Runs a command with the PATH of this machine.
fn run(sandbox: &Sandbox, args: &[&str]) -> (String, String, Option<i32>) {
    let answer = sandbox.call().env("PATH", std::env::var_os("PATH").unwrap()).args(args).run();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&answer.stdout), text(&answer.stderr), answer.code)
}

fn records(sandbox: &Sandbox) -> Vec<Value> {
    let (stdout, stderr, _) = run(sandbox, &["automation", "history", "--json"]);
    let found: Value = serde_json::from_str(&stdout).unwrap_or_else(|_| panic!("{stderr}"));
    found["runs"].as_array().unwrap().clone()
}

/// Waits until this many runs have ended.
fn ended(sandbox: &Sandbox, n: usize) -> Vec<Value> {
    let until = Instant::now() + TIMEOUT;
    loop {
        let found = records(sandbox);
        if found.len() >= n {
            for record in &found {
                schema::check("execution-record", record);
            }
            return found;
        }
        assert!(Instant::now() < until, "only {found:?} have ended");
        thread::sleep(Duration::from_millis(100));
    }
}

fn wait_for(path: &Path) {
    let until = Instant::now() + TIMEOUT;
    while !path.exists() {
        assert!(Instant::now() < until, "{} never came", path.display());
        thread::sleep(Duration::from_millis(20));
    }
}

fn hooks(sandbox: &Sandbox, hooks: &Value) {
    sandbox.write(".akira/hooks.json", json!({"schemaVersion": 1, "hooks": hooks}).to_string());
}

fn scripted(id: &str, script: &str) -> Value {
    json!({"id": id, "trigger": id, "prompt": "x", "runner": {"type": "command", "command": ["sh", "-c", script]}})
}

#[test]
fn the_five_examples_run_offline_and_do_what_their_page_says() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/automations");
    let sandbox = sandbox();
    for file in
        [".akira/hooks.json", ".vscode/gatomia/hooks.json", "scripts/append.sh", "scripts/open-points.sh"]
    {
        sandbox.write(file, fs::read(examples.join(file)).unwrap());
    }
    sandbox.write("notes.md", "- [ ] one\n- [x] two\n- [ ] three\n");
    sandbox.trust();
    // Emitted while no server runs: nothing is lost.
    for args in [
        vec!["emit", "onDidSaveTextDocument", "--file", "src/main.rs"],
        vec!["emit", "onDidSaveTextDocument", "--file", "notes.md"],
        vec!["emit", "deploy.finished", "--data", r#"{"version": "1.2.0", "target": "staging"}"#],
        vec![
            "emit",
            "specStatusChange",
            "--file",
            "specs/001-x/spec.md",
            "--data",
            r#"{"specId": "001-x", "oldStatus": "draft", "newStatus": "review"}"#,
        ],
        vec!["emit", "speckit.clarify"],
    ] {
        let (_, stderr, code) = run(&sandbox, &args);
        assert_eq!(code, Some(0), "{args:?}: {stderr}");
    }
    let _serving = ServerProcess::start(&sandbox);
    let found = ended(&sandbox, 5);
    assert!(found.iter().all(|it| it["status"] == "success"), "{found:?}");
    let mut done: Vec<&str> = found.iter().map(|it| it["hookId"].as_str().unwrap()).collect();
    done.sort_unstable();
    let names = ["after-clarify", "deploy-note", "list-saves", "spec-history", "todo-check"];
    assert_eq!(done, names);
    let read = |file: &str| fs::read_to_string(sandbox.path(format!("out/{file}"))).unwrap();
    assert!(read("saves.txt").ends_with(" main.rs rs\n"), "{}", read("saves.txt"));
    assert_eq!(read("deployments.txt"), "deployed 1.2.0 to staging\n");
    assert_eq!(read("spec-history.txt"), "001-x: draft -> review\n");
    assert!(read("clarified.txt").starts_with("clarify by speckit at 20"));
    let counted = found.iter().find(|it| it["hookId"] == "todo-check").unwrap()["logs"].as_str().unwrap();
    assert!(counted.starts_with("2 open points in ") && counted.ends_with("/notes.md\n"), "{counted}");
}

#[test]
fn a_tool_of_our_own_mcp_server_is_called_and_its_settings_are_part_of_what_is_trusted() {
    let sandbox = sandbox();
    let intents =
        "intents:\n  - id: INT-001\n    name: One\n    status: PENDING\n    owned_scope: [src/**]\n";
    sandbox.write(".orchestration/active_intents.yaml", intents);
    let settings = json!({"mcpServers": {"steersman": {"command": BINARY, "args": ["mcp"]}}});
    sandbox.write(".mcp.json", settings.to_string());
    let hook = json!([{"id": "choose", "trigger": {"agent": "speckit", "operation": "clarify"},
        "action": {"type": "mcp", "parameters": {"serverId": "steersman", "toolName": "select_active_intent",
            "arguments": {"intent_id": "INT-001"}}}}]);
    sandbox.write(".vscode/gatomia/hooks.json", hook.to_string());
    sandbox.trust();
    let (stdout, stderr, code) = run(&sandbox, &["automation", "run", "choose"]);
    assert!(stdout.starts_with("<intent_context>") && code == Some(0), "{stdout}{stderr}");

    let other = json!({"mcpServers": {"steersman": {"command": "sh", "args": ["-c", "touch stolen"]}}});
    sandbox.write(".mcp.json", other.to_string());
    let (_, stderr, code) = run(&sandbox, &["automation", "run", "choose"]);
    assert!(stderr.contains(".mcp.json (mcpServers) changed since you trusted it"), "{stderr}");
    assert_eq!(code, Some(1));
    assert!(!sandbox.path("stolen").exists());
    let (shown, _, _) = run(&sandbox, &["trust", "--dry-run"]);
    assert!(shown.contains("+    \"command\": \"sh\""), "{shown}");
}

#[test]
fn a_rule_that_asks_for_an_automation_gets_it_run_and_the_automation_does_not_lead_to_itself() {
    let sandbox = sandbox();
    sandbox.manifest(&json!({"modules": {"memory-activation": {}}, "budgets": {"PostToolUse": 20_000}}));
    let rule = json!({"id": "pnpm", "events": ["PostToolUse"],
        "when": [{"field": "event.command", "op": "matches", "value": "^npm "}],
        "action": {"type": "enqueue_automation", "automation": "audit"},
        "match": [{"event": {"command": "npm ci"}}], "not_match": [{"event": {"command": "pnpm ci"}}]});
    sandbox.write(".ai/hooks/followup-rules.json", json!({"version": 1, "rules": [rule]}).to_string());
    let chain = "echo \"$STEERSMAN_AUTOMATION_CHAIN\" >> chain";
    hooks(&sandbox, &json!([scripted("audit", chain)]));
    sandbox.trust();
    let call = |id: &str| json!({"tool_name": "Bash", "tool_use_id": id, "tool_input": {"command": "npm install x"}});
    sandbox.raw("PostToolUse", &call("1"));
    let _serving = ServerProcess::start(&sandbox);
    let found = ended(&sandbox, 1);
    assert_eq!((&found[0]["status"], &found[0]["trigger"]), (&json!("success"), &json!("followup:pnpm")));
    let chain = fs::read_to_string(sandbox.path("chain")).unwrap();
    assert_eq!(chain, "[\"audit\"]\n");

    // The automation's own agent would trigger it again.
    let payload = testkit::payload::raw("PostToolUse", &sandbox.root(), &call("2"));
    let answer = sandbox
        .dispatch("raw", "PostToolUse")
        .env("STEERSMAN_AUTOMATION_CHAIN", chain.trim())
        .payload(&payload)
        .run();
    assert_eq!(answer.code, Some(0));
    let found = ended(&sandbox, 2);
    let refused = found.iter().find(|it| it["status"] == "failed").unwrap();
    assert_eq!(refused["error"]["code"], "CHAIN_REFUSED", "{found:?}");
}

#[test]
fn events_of_a_time_without_a_server_are_answered_to_by_the_next_one_once() {
    let sandbox = sandbox();
    let hook = json!({"id": "on-stop", "trigger": "Stop", "prompt": "{eventName} ",
        "runner": {"type": "command", "command": ["sh", "-c", "cat >> stops"]}});
    sandbox.manifest(&json!({"budgets": {"UserPromptSubmit": 20_000, "Stop": 20_000}}));
    hooks(&sandbox, &json!([hook, scripted("ready", "touch ready")]));
    sandbox.trust();
    sandbox.raw("Stop", &json!({}));
    let serve_once = |n: usize| {
        let serving = ServerProcess::start(&sandbox);
        run(&sandbox, &["emit", "ready"]);
        let found = ended(&sandbox, n);
        drop(serving);
        found
    };
    assert_eq!(serve_once(1)[0]["hookId"], "ready", "what was before the first server is not news");
    sandbox.raw("UserPromptSubmit", &json!({"prompt": "go on"}));
    sandbox.raw("Stop", &json!({}));
    serve_once(3);
    serve_once(4);
    assert_eq!(fs::read_to_string(sandbox.path("stops")).unwrap(), "Stop ");
}

#[test]
fn queued_and_running_runs_can_be_canceled() {
    let sandbox = sandbox();
    hooks(&sandbox, &json!([scripted("slow", "touch begun; sleep 600")]));
    sandbox.trust();
    let (_, stderr, code) = run(&sandbox, &["automation", "cancel", "r0"]);
    assert!(stderr.contains("no queued or running run has the id `r0`") && code == Some(1), "{stderr}");
    // Queued, without a server.
    run(&sandbox, &["emit", "slow"]);
    let serving = ServerProcess::start(&sandbox);
    wait_for(&sandbox.path("begun"));
    let (stdout, stderr, code) = run(&sandbox, &["automation", "cancel", "--hook", "slow", "--json"]);
    assert_eq!(code, Some(0), "{stderr}");
    let canceled: Value = serde_json::from_str(&stdout).unwrap();
    let found = ended(&sandbox, 1);
    assert_eq!((&found[0]["status"], &found[0]["id"]), (&json!("canceled"), &canceled["canceled"][0]));
    drop(serving);
    let (_, stderr, code) = run(&sandbox, &["automation", "cancel", "--all"]);
    assert!(stderr.contains("no run is queued or running") && code == Some(0), "{stderr}");
}

#[test]
fn an_automation_that_cannot_run_is_off_with_a_reason_wherever_it_is_shown() {
    let sandbox = sandbox();
    sandbox.write(".ai/hooks/config.json", "{}");
    fs::remove_dir_all(sandbox.path(".git")).unwrap();
    hooks(
        &sandbox,
        &json!([
            {"id": "nobody", "trigger": "deploy", "prompt": "x"},
            {"id": "commits", "trigger": "gitCommit", "allowGit": true, "repoRoot": "lib", "prompt": "x", "runner": "claude"},
        ]),
    );
    let (table, stderr, _) = run(&sandbox, &["automation", "list"]);
    assert!(table.contains("NO_RUNNER") && table.contains("NO_COMMITS"), "{table}");
    assert!(stderr.contains("`nobody` is off: no runner is configured (NO_RUNNER)"), "{stderr}");
    let (shown, _, _) = run(&sandbox, &["automation", "show", "commits"]);
    assert!(shown.contains("off: cannot detect commits: "), "{shown}");
    let (listed, _, _) = run(&sandbox, &["automation", "list", "--json"]);
    let listed: Value = serde_json::from_str(&listed).unwrap();
    assert_eq!(listed["automations"][0]["impediment"]["code"], "NO_RUNNER");
    let (report, _, _) = run(&sandbox, &["doctor", "--json"]);
    let report: Value = serde_json::from_str(&report).unwrap();
    let told: Vec<&str> =
        report["findings"].as_array().unwrap().iter().filter_map(|it| it["message"].as_str()).collect();
    for expected in ["(NO_RUNNER)", "(NO_COMMITS)"] {
        assert!(told.iter().any(|it| it.ends_with(expected)), "{told:?}");
    }
    let git = report["runners"].as_array().unwrap().iter().find(|it| it["runner"] == "git").unwrap();
    assert!(git["version"].as_str().unwrap().starts_with("git version "), "{git}");
    let settings = json!({"automation": {"runner": "claude", "maxConcurrency": 0}});
    sandbox.write(".ai/hooks/config.json", settings.to_string());
    let (report, _, _) = run(&sandbox, &["doctor"]);
    assert!(!report.contains("NO_RUNNER") && report.contains("maxConcurrency"), "{report}");
}

#[test]
fn a_repository_without_reflogs_is_reported_wherever_automations_are_listed() {
    let sandbox = sandbox();
    sandbox.write(".ai/hooks/config.json", "{}");
    fs::remove_dir_all(sandbox.path(".git")).unwrap();
    hooks(
        &sandbox,
        &json!([{"id": "commits", "trigger": "gitCommit", "allowGit": true, "repoRoot": ".", "prompt": "x",
            "runner": "claude"}]),
    );
    let git = |args: &[&str]| {
        let identity = ["-c", "user.name=A", "-c", "user.email=a@example.com"];
        let mut command = Command::new("git");
        let done = command.args(identity).args(args).current_dir(sandbox.root()).output().unwrap();
        assert!(done.status.success(), "{args:?} {}", String::from_utf8_lossy(&done.stderr));
    };
    git(&["init", "-q"]);
    git(&["config", "core.logAllRefUpdates", "false"]);
    let (table, _, _) = run(&sandbox, &["automation", "list"]);
    assert!(!table.contains("NO_COMMITS"), "no warning yet: {table}");
    git(&["commit", "-q", "--allow-empty", "-m", "untold"]);
    let (table, stderr, _) = run(&sandbox, &["automation", "list"]);
    assert!(table.contains("NO_COMMITS"), "{table}");
    assert!(stderr.contains("has no reflog") && stderr.contains("core.logAllRefUpdates"), "{stderr}");
    let (shown, _, _) = run(&sandbox, &["automation", "show", "commits"]);
    assert!(shown.contains("off: cannot detect commits: the git repository "), "{shown}");
    let (report, stderr, _) = run(&sandbox, &["doctor"]);
    assert!((report + &stderr).contains("(NO_COMMITS)"));
    git(&["config", "core.logAllRefUpdates", "true"]);
    git(&["commit", "-q", "--allow-empty", "-m", "told"]);
    let (table, _, _) = run(&sandbox, &["automation", "list"]);
    assert!(!table.contains("NO_COMMITS"), "{table}");
}
