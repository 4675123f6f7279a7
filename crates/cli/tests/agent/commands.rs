//! `agent list`, `show`, `validate`, `check`, `graph`, and `init --agents`.

use std::fs;

use serde_json::{Value, json};
use testkit::{Answer, Sandbox, schema};

use crate::project::{planned, sandbox, stderr, stdout};

fn agent(sandbox: &Sandbox, args: &[&str]) -> Answer {
    let extensions = sandbox.elsewhere().join("extensions");
    sandbox
        .call()
        .args(["agent"])
        .args(args)
        .env("COLUMNS", "160")
        .env("PATH", "/usr/bin:/bin")
        .env("STEERSMAN_EXTENSION_DIRS", extensions)
        .run()
}

fn listed(sandbox: &Sandbox, args: &[&str]) -> Value {
    let answer = agent(sandbox, &[&["list", "--json"], args].concat());
    assert_eq!(answer.code, Some(0), "{}", stderr(&answer));
    let value: Value = serde_json::from_str(&stdout(&answer)).unwrap();
    schema::check("agent-registry", &value);
    value
}

fn ids(value: &Value) -> Vec<&str> {
    value["agents"].as_array().unwrap().iter().map(|it| it["id"].as_str().unwrap()).collect()
}

/// A project with agents of every kind, one of them broken and one without its program.
fn mixed() -> Sandbox {
    let sandbox = planned();
    sandbox.write(
        ".github/agents/code-reviewer.agent.md",
        "---\ndescription: Reviews code\ntools: ['search', 'edit/editFiles']\n---\nReview.\n",
    );
    sandbox
        .write(".claude/agents/tester.md", "---\ndescription: Runs tests\ntools: Bash, Read\n---\nTest.\n");
    sandbox.write(".rawko/agents/broken.yaml", "name: broken\ntransitions: [\n");
    sandbox.write(
        ".rawko/agents/coder.yaml",
        "name: coder\nsystemPrompt: x\nprovider: {name: codex}\ntransitions: {onSuccess: complete}\n",
    );
    let package = json!({"publisher": "GitHub", "name": "copilot", "version": "1.0.0",
        "contributes": {"chatParticipants": [{"id": "x", "name": "workspace", "description": "Asks about the workspace"}]}});
    let folder = sandbox.elsewhere().join("extensions/github.copilot-1.0.0");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("package.json"), package.to_string()).unwrap();
    sandbox
}

#[test]
fn other_errors_of_an_agent_do_not_hide_an_unknown_target() {
    let sandbox = sandbox();
    sandbox.write(
        ".rawko/agents/a.yaml",
        "name: a\nsystemPrompt: x\ntools: 7\ntransitions: {onSuccess: nobody}\n",
    );
    let answer = agent(&sandbox, &["validate"]);
    assert_eq!(answer.code, Some(1));
    let said = format!("{}{}", stdout(&answer), stderr(&answer));
    for error in [
        "error: `tools` must be a mapping, not a number",
        "error: agent `a` references unknown agent `nobody` in `transitions.onSuccess`",
    ] {
        assert!(said.contains(error), "{said}");
    }
}

#[test]
fn agents_are_listed_in_groups_with_why_one_cannot_be_used() {
    let sandbox = mixed();
    let answer = agent(&sandbox, &["list"]);
    assert_eq!(answer.code, Some(0));
    let shown = stdout(&answer);
    let (local, background) = shown.split_once("Background").unwrap();
    for part in
        ["local:planner", "local:code-reviewer", "local:tester", "its program is not installed", "error"]
    {
        assert!(local.contains(part), "{part}\n{shown}");
    }
    assert!(background.contains("extension:github-copilot-workspace"), "{shown}");
    assert!(stderr(&answer).contains("steersman agent validate"), "{}", stderr(&answer));
}

#[test]
fn a_list_can_be_narrowed_and_read_by_programs() {
    let sandbox = mixed();
    assert_eq!(ids(&listed(&sandbox, &["--type", "background"])), ["extension:github-copilot-workspace"]);
    assert_eq!(ids(&listed(&sandbox, &["--state", "error"])), ["local:broken"]);
    assert_eq!(ids(&listed(&sandbox, &["RUNS TESTS"])), ["local:tester"]);
    let unavailable = listed(&sandbox, &["--state", "unavailable"]);
    assert_eq!(ids(&unavailable), ["local:coder"]);
    assert_eq!(unavailable["agents"][0]["unavailableReason"], "CLI_NOT_INSTALLED");
    let nothing = agent(&sandbox, &["list", "no such thing"]);
    assert_eq!((nothing.code, stdout(&nothing).as_str()), (Some(0), ""));
}

#[test]
fn an_agent_that_is_gone_stays_listed_as_such_once_it_was_known() {
    let sandbox = mixed();
    fs::create_dir_all(sandbox.path(".ai/tmp")).unwrap();
    listed(&sandbox, &[]);
    let kept: Value =
        serde_json::from_str(&fs::read_to_string(sandbox.path(".ai/tmp/agents.json")).unwrap()).unwrap();
    schema::check("agent-registry", &kept);
    fs::remove_file(sandbox.path(".claude/agents/tester.md")).unwrap();
    fs::remove_dir_all(sandbox.elsewhere().join("extensions")).unwrap();
    let gone = listed(&sandbox, &["--state", "unavailable"]);
    assert_eq!(ids(&gone), ["local:coder", "local:tester", "extension:github-copilot-workspace"]);
    assert_eq!(gone["agents"][1]["unavailableReason"], "FILE_DELETED");
    assert_eq!(gone["agents"][2]["unavailableReason"], "EXTENSION_UNINSTALLED");
    sandbox.write(".claude/agents/tester.md", "---\ndescription: Runs tests\n---\nTest.\n");
    assert_eq!(ids(&listed(&sandbox, &["--state", "available", "tests"])), ["local:tester"]);
    fs::write(sandbox.path(".ai/tmp/agents.json"), r#"{"version":9,"lastUpdated":0,"agents":[]}"#).unwrap();
    listed(&sandbox, &[]);
    assert!(
        fs::read_to_string(sandbox.path(".ai/tmp/agents.json")).unwrap().contains("\"version\":9"),
        "left alone"
    );
}

#[test]
fn one_agent_is_shown_with_all_that_holds_for_it() {
    let sandbox = mixed();
    for name in ["planner", "local:planner", "Planner"] {
        let answer = agent(&sandbox, &["show", name]);
        assert_eq!(answer.code, Some(0), "{}", stderr(&answer));
        let shown = stdout(&answer);
        for part in [
            "Read, Glob, Grep, Bash",
            "git push",
            "onSuccess → complete",
            "Plan the work.",
            ".rawko/agents/planner.yaml",
        ] {
            assert!(shown.contains(part), "{part}\n{shown}");
        }
    }
    let value: Value =
        serde_json::from_str(&stdout(&agent(&sandbox, &["show", "planner", "--json"]))).unwrap();
    assert_eq!(value["definition"]["tools"]["blocked"], json!(["Write", "Edit"]));
    let broken = stdout(&agent(&sandbox, &["show", "broken"]));
    assert!(broken.contains("--> .rawko/agents/broken.yaml:"), "{broken}");
    let wrong = agent(&sandbox, &["show", "planer"]);
    assert_eq!(wrong.code, Some(1));
    assert!(stderr(&wrong).contains("did you mean `planner`?"), "{}", stderr(&wrong));
}

#[test]
fn mistakes_are_reported_like_those_of_a_compiler() {
    let sandbox = planned();
    let text =
        "name: tester\nsystemPrompt: x\ntools:\n  allowed: [Raed]\ntransitions:\n  onSuccess: nobody\n";
    sandbox.write(".rawko/agents/tester.yaml", text);
    sandbox.write(".rawko/config.yaml", "agents: {default: ghost}\nprovider: {default: command}\n");
    let answer = agent(&sandbox, &["validate"]);
    assert_eq!(answer.code, Some(1));
    let shown = stdout(&answer);
    for part in [
        "error: unknown tool `Raed`\n  --> .rawko/agents/tester.yaml:4:13\n",
        "hint: did you mean `Read`?",
        "`agents.default` names the agent `ghost`",
        "the provider `command` needs a command",
    ] {
        assert!(shown.contains(part), "{part}\n{shown}");
    }
    let json: Value = serde_json::from_str(&stdout(&agent(&sandbox, &["validate", "--json"]))).unwrap();
    assert_eq!((&json["valid"], &json["files"]), (&json!(false), &json!(2)), "{json}");
    let one = agent(&sandbox, &["validate", ".rawko/agents/planner.yaml"]);
    assert_eq!(one.code, Some(0), "the mistakes of others are not this file's: {}", stdout(&one));
    let outside = sandbox.elsewhere().join("x.agent.md");
    fs::write(&outside, "---\ndescription: [\n---\nx\n").unwrap();
    let answer = agent(&sandbox, &["validate", outside.to_str().unwrap(), "missing.yaml"]);
    assert_eq!(answer.code, Some(1));
    assert!(
        stdout(&answer).contains("missing.yaml") && stdout(&answer).contains("cannot read the file"),
        "{}",
        stdout(&answer)
    );
}

#[test]
fn a_call_can_be_asked_about_from_the_command_line() {
    let sandbox = planned();
    for (args, code, part) in [
        (&["planner", "Bash", "git log | cat"][..], 0, "allowed"),
        (&["planner", "run_in_terminal", "ls; curl x"], 1, "rule: tools.bashFilter.allowedCommands"),
        (&["planner", "Bash", r#"{"command":"git push"}"#], 1, "blockedPatterns: git push"),
        (&["planner", "Bash"], 0, "allowed"),
        (&["planner", "create_file", r#"{"filePath":"a.rs","content":""}"#], 1, "rule: tools.blocked: Write"),
        (&["planner", "Read"], 0, "allowed"),
        (&["planner", "mcp__github__get_issue"], 1, "rule: tools.allowed"),
        (&["nobody", "Read"], 1, ""),
        (&["planner", "Read", "not json"], 2, ""),
    ] {
        let answer = agent(&sandbox, &[&["check"], args].concat());
        assert_eq!(answer.code, Some(code), "{args:?}: {}{}", stdout(&answer), stderr(&answer));
        assert!(stdout(&answer).contains(part), "{args:?}: {}", stdout(&answer));
    }
    let answer = agent(&sandbox, &["check", "planner", "Write", "--json"]);
    let value: Value = serde_json::from_str(&stdout(&answer)).unwrap();
    assert_eq!((&value["allowed"], &value["rule"]), (&json!(false), &json!("tools.blocked: Write")));
}

#[test]
fn init_makes_agents_that_validate_and_never_overwrites() {
    let sandbox = sandbox();
    let init = || sandbox.call().args(["init", "--agents", "--schemas"]).env("PATH", "/usr/bin:/bin").run();
    let answer = init();
    assert_eq!(answer.code, Some(0), "{}", stderr(&answer));
    let valid = agent(&sandbox, &["validate"]);
    assert_eq!(valid.code, Some(0), "{}", stdout(&valid));
    assert!(stderr(&valid).contains("3 files checked: 0 errors"), "{}", stderr(&valid));
    for file in ["agents/planner.yaml", "agents/reviewer.yaml", "config.yaml"] {
        let path = sandbox.path(format!(".rawko/{file}"));
        let text = fs::read_to_string(&path).unwrap();
        let schema = text.lines().next().unwrap().strip_prefix("# yaml-language-server: $schema=").unwrap();
        assert!(path.parent().unwrap().join(schema).is_file(), "{file}: {schema}");
    }
    sandbox.write(".rawko/agents/planner.yaml", "mine");
    let again = init();
    assert_eq!(again.code, Some(0), "{}", stderr(&again));
    assert_eq!(fs::read_to_string(sandbox.path(".rawko/agents/planner.yaml")).unwrap(), "mine");
    let graph = stdout(&agent(&sandbox, &["graph"]));
    assert!(
        graph.contains("reviewer") && graph.contains("developer (first)") || graph.contains("▶ reviewer"),
        "{graph}"
    );
    assert!(stdout(&agent(&sandbox, &["graph", "--mermaid"])).starts_with("flowchart TD"));
    assert!(stdout(&agent(&sandbox, &["graph", "--svg"])).starts_with("<svg"));
}

#[test]
fn the_schema_says_how_an_editor_uses_it() {
    let answer = sandbox().call().args(["schema", "agent"]).run();
    assert_eq!(answer.code, Some(0));
    assert!(serde_json::from_str::<Value>(&stdout(&answer)).is_ok());
    assert!(stderr(&answer).contains("# yaml-language-server: $schema="), "{}", stderr(&answer));
}
