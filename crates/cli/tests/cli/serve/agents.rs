//! A server keeps the registry of agents current.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use serde_json::{Value, json};
use testkit::schema;

use super::stage::{Project, until};

const FILE: &str = ".github/agents/deep/reviewer.agent.md";
const PACKAGE: &str = r#"{"publisher":"A","name":"b","version":"1.0.0","contributes":{"chatParticipants":[{"id":"x","name":"helper"}]}}"#;

/// Returns one agent from the stored registry.
fn kept(project: &Project, id: &str) -> Value {
    let registry: Value = serde_json::from_str(&project.read(".ai/tmp/agents.json")).unwrap_or_default();
    let agents = registry["agents"].as_array().cloned().unwrap_or_default();
    agents.into_iter().find(|it| it["id"] == id).unwrap_or_default()
}

fn reviewer(description: &str) -> String {
    format!("---\ndescription: {description}\n---\nReview.\n")
}

#[test]
fn an_agent_that_comes_changes_breaks_and_goes_is_listed_as_it_is() {
    let project = Project::new(&json!([]));
    let _server = project.serve();
    let is = |key: &str, value: &str| kept(&project, "local:reviewer")[key] == value;
    project.sandbox.write(FILE, reviewer("Reviews code"));
    until("the agent is found in folders that were not there", || is("state", "AVAILABLE"));
    project.sandbox.write(FILE, reviewer("Reviews text"));
    until("its change is seen", || is("description", "Reviews text"));
    project.sandbox.write(FILE, "---\nid: Bad Id\ndescription: x\n---\n");
    until("it breaks", || is("unavailableReason", "INVALID_SCHEMA"));
    fs::write(project.sandbox.elsewhere().join("new"), reviewer("Reviews again")).unwrap();
    fs::rename(project.sandbox.elsewhere().join("new"), project.sandbox.path(FILE)).unwrap();
    until("it is corrected by a rename", || is("state", "AVAILABLE"));
    fs::remove_dir_all(project.sandbox.path(".github")).unwrap();
    until("it goes with its folders", || is("unavailableReason", "FILE_DELETED"));
    project.sandbox.write(FILE, reviewer("Reviews code"));
    until("it is back", || is("state", "AVAILABLE"));
    schema::check("agent-registry", &serde_json::from_str(&project.read(".ai/tmp/agents.json")).unwrap());
    let listed = project.json(&["agent", "list", "--json"]);
    assert_eq!(listed["agents"][0]["state"], "AVAILABLE", "{listed}");
    let told = project.log("AGENT");
    assert!(told.iter().any(|it| it.starts_with("local:reviewer is error now")), "{told:?}");
}

#[test]
fn extensions_are_seen_when_they_are_installed_and_removed() {
    let project = Project::new(&json!([]));
    fs::create_dir_all(project.extensions()).unwrap();
    let _server = project.serve();
    let is = |key: &str, value: &str| kept(&project, "extension:a-b-helper")[key] == value;
    let folder = project.extensions().join("a.b-1.0.0");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("package.json"), PACKAGE).unwrap();
    until("it is installed", || is("state", "AVAILABLE"));
    fs::remove_dir_all(&folder).unwrap();
    until("it is removed", || is("unavailableReason", "EXTENSION_UNINSTALLED"));
}

#[test]
fn the_configuration_of_agents_holds_as_soon_as_it_is_written() {
    let project = Project::new(&json!([]));
    let _server = project.serve();
    project.sandbox.write(
        ".rawko/roles/planner.yaml",
        "name: planner\nsystemPrompt: x\ntransitions: {onSuccess: complete}\n",
    );
    project.sandbox.write(".rawko/config.yaml", "agents: {directory: roles}\n");
    until("the agents of another folder are found", || {
        kept(&project, "local:planner")["state"] == "AVAILABLE"
    });
}

#[test]
fn duplicate_broken_and_surplus_agents_get_their_state() {
    let project = Project::new(&json!([]));
    let agent =
        |id: &str, name: &str| format!("---\nid: {id}\nname: {name}\ndescription: Reviews\n---\nReview.\n");
    let named = |id: &str| agent(id, "X");
    project.sandbox.write(".github/agents/a.agent.md", agent("twin", "A"));
    project.sandbox.write(".github/agents/b.agent.md", agent("twin", "B"));
    project.sandbox.write(".github/agents/torn.agent.md", "---\nid: [torn\n---\nReview.\n");
    project.sandbox.write(".github/agents/role.agent.md", named("changing"));
    let _server = project.serve();
    let states = || {
        let registry: Value = serde_json::from_str(&project.read(".ai/tmp/agents.json")).unwrap_or_default();
        let agents = registry["agents"].as_array().cloned().unwrap_or_default();
        let text = |it: &Value, key: &str| it[key].as_str().unwrap_or_default().to_owned();
        let mut states: Vec<String> = agents
            .iter()
            .map(|it| format!("{} {} {}", text(it, "id"), text(it, "state"), text(it, "unavailableReason")))
            .collect();
        states.sort();
        states
    };
    until("all are listed", || states().len() == 4);
    let found = states();
    assert_eq!(found[0], "local:changing AVAILABLE ");
    assert_eq!(found[1], "local:torn ERROR INVALID_SCHEMA");
    assert_eq!(found[2], "local:twin AVAILABLE ");
    assert!(found[3].starts_with("local:twin-") && found[3].ends_with(" ERROR INVALID_SCHEMA"), "{found:?}");
    let (code, stdout, stderr) = project.run(&["agent", "validate"]);
    assert!(
        code == 1 && (stdout.clone() + &stderr).contains("duplicate id `local:twin`"),
        "{stdout} {stderr}"
    );
    project.sandbox.write(".github/agents/role.agent.md", named("No Good"));
    until("the id became invalid", || states().contains(&"local:changing ERROR INVALID_SCHEMA".to_owned()));
}

#[test]
fn front_matter_that_is_no_yaml_makes_an_agent_unavailable() {
    let project = Project::new(&json!([]));
    for (name, fields) in [
        ("colon", "description: Use this when: a change is done"),
        ("tools", "description: Use this when: asked\ntools: [Read, Grep"),
        ("quote", "name: \"torn\ndescription: x: y"),
        ("stray", "}}}\ndescription: x: y"),
    ] {
        project
            .sandbox
            .write(format!(".github/agents/{name}.agent.md"), format!("---\n{fields}\n---\nReview.\n"));
    }
    let listed = project.json(&["agent", "list", "--json"]);
    let mut states: Vec<String> = listed["agents"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| format!("{} {}", it["id"].as_str().unwrap(), it["state"].as_str().unwrap()))
        .collect();
    states.sort();
    assert_eq!(
        states,
        ["local:colon AVAILABLE", "local:quote ERROR", "local:stray ERROR", "local:tools ERROR"]
    );
}

#[test]
fn the_model_of_an_agent_reaches_the_program() {
    let project = Project::new(&json!([]));
    let bin = project.sandbox.elsewhere().join("bin");
    fs::create_dir_all(&bin).unwrap();
    for program in ["claude", "copilot"] {
        let path = bin.join(program);
        fs::write(&path, "#!/bin/sh\nprintf '%s ' \"$@\"\n").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }
    let cases = [
        ("display", "model: GPT-5.1 (copilot)", "copilot", "--model=gpt-5.1 "),
        ("list", "model: ['Claude Sonnet 4.5 (copilot)', 'gpt-5']", "copilot", "--model=claude-sonnet-4.5 "),
        ("hyphens", "model: Claude Sonnet 4.5", "claude", "--model claude-sonnet-4-5 "),
        ("plain", "model: haiku", "claude", "--model haiku "),
        ("other-first", "model: [GPT-5, Claude Opus 4.5]", "claude", "--model claude-opus-4-5 "),
        ("none-offered", "model: [GPT-5, GPT-4]", "claude", "--model GPT-5 "),
        ("automatic", "model: Auto", "claude", "text --append-system-prompt "),
    ];
    let mut hooks = Vec::new();
    for (name, model, program, _) in cases {
        let text = format!("---\ndescription: Reviews\n{model}\n---\nReview.\n");
        project.sandbox.write(format!(".github/agents/{name}.agent.md"), text);
        hooks.push(
            json!({"id": name, "trigger": {"agent": "workspace", "operation": "file-save"}, "runner": program,
            "action": {"type": "custom", "parameters": {"agentId": format!("local:{name}"), "prompt": "x"}}}),
        );
    }
    project.sandbox.write(".vscode/gatomia/hooks.json", json!(hooks).to_string());
    project.sandbox.trust();
    for (name, _, _, argument) in cases {
        let path = format!("{}:/usr/bin:/bin", bin.display());
        let output = project.command().env("PATH", path).args(["automation", "run", name]).output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(said.contains(argument), "{name}: {said}{}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn an_automation_for_the_101st_agent_says_why_it_cannot_run() {
    let project = Project::new(&json!([]));
    for n in 0..101 {
        let text = format!("---\nname: A{n}\ndescription: Reviews\n---\nReview.\n");
        project.sandbox.write(format!(".github/agents/a{n:03}.agent.md"), text);
    }
    project.sandbox.write(".github/agents/b-broken.agent.md", "---\nid: [x\n---\n");
    let ask = |id: &str, agent: &str| {
        json!({"id": id, "trigger": {"agent": "workspace", "operation": "file-save"}, "runner": {"type": "command", "command": ["cat"]},
            "action": {"type": "custom", "parameters": {"agentId": agent, "prompt": "x"}}})
    };
    let hooks = json!([ask("surplus", "local:a100"), ask("gone", "local:nobody")]);
    project.sandbox.write(".vscode/gatomia/hooks.json", hooks.to_string());
    project.sandbox.trust();
    let error = |id: &str| {
        let (_, stdout, _) = project.run(&["automation", "run", id, "--json"]);
        serde_json::from_str::<Value>(&stdout).unwrap()["error"].clone()
    };
    assert_eq!(error("surplus")["code"], "UNKNOWN");
    assert!(error("surplus")["message"].as_str().unwrap().contains("MAX_AGENTS_PER_SOURCE"));
    assert_eq!(error("gone")["code"], "FILE_DELETED");
    let _server = project.serve();
    let limit = "102 agents from files, more than the 100 of MAX_AGENTS_PER_SOURCE; the rest is ignored";
    until("the log names the limit", || project.log("AGENTS").contains(&limit.to_owned()));
}
