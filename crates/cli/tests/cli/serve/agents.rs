//! A server keeps the registry of agents current.

use std::fs;

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
