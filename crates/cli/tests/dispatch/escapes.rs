//! No string of a payload becomes a path that steersman writes to.

use serde_json::{Value, json};
use testkit::{Sandbox, Tree};

use crate::{js, sandbox, shell};

/// Strings with a meaning to a file system.
fn hostile() -> Vec<String> {
    let mut texts: Vec<String> = [
        "../../../evil",
        "..",
        ".",
        "/etc/evil",
        "//evil",
        "C:\\evil",
        "..\\..\\evil",
        "evil\0.txt",
        "\0",
        "~/evil",
        "$HOME/evil",
        "`touch evil`",
        "evil\nevil",
        "%2e%2e%2fevil",
        "CON",
        "state.json",
        "../state.json",
        "events.jsonl",
        ".git/hooks/pre-commit",
        "\u{202E}live",
        "évil/../évil",
        "\u{1F600}",
        "..\u{2215}evil",
        "\u{feff}",
        " ",
        "-rf",
    ]
    .map(str::to_owned)
    .to_vec();
    texts.push("../".repeat(3400));
    texts.push("é".repeat(5000));
    texts.push("a/".repeat(5000));
    texts
}

fn strays(sandbox: &Sandbox, before: &Tree) -> Vec<std::path::PathBuf> {
    sandbox.check_everything();
    sandbox.strays_since(before)
}

fn tool_events() -> [(&'static str, Value); 4] {
    [
        ("PreToolUse", shell("t", "ls")),
        ("PostToolUse", shell("t", "ls")),
        ("UserPromptSubmit", json!({"prompt": "x"})),
        ("SubagentStart", json!({"agent_id": "a", "agent_type": "b"})),
    ]
}

#[test]
fn ids_and_names_of_a_payload_never_leave_the_session_folder() {
    for field in
        ["session_id", "agent_id", "agent_type", "tool_name", "tool_use_id", "transcript_path", "model"]
    {
        let sandbox = sandbox();
        let before = sandbox.tree();
        for (index, text) in hostile().into_iter().enumerate() {
            let (event, more) = &tool_events()[index % 4];
            let mut payload = testkit::payload::raw(event, &sandbox.root(), more);
            payload[field] = json!(text);
            sandbox.ask("raw", event, &payload);
        }
        assert_eq!(strays(&sandbox, &before), [""; 0].map(std::path::PathBuf::from), "{field}");
    }
}

#[test]
fn paths_in_a_call_are_judged_and_never_written_to() {
    let sandbox = sandbox();
    let before = sandbox.tree();
    for (index, text) in hostile().into_iter().enumerate() {
        let call = json!({
            "tool_name": "Write", "tool_use_id": format!("t{index}"),
            "tool_input": {"file_path": text, "content": "evil", text.clone(): text},
        });
        let event = if index % 2 == 0 { "PreToolUse" } else { "PostToolUse" };
        sandbox.raw(event, &call);
    }
    assert_eq!(strays(&sandbox, &before), [""; 0].map(std::path::PathBuf::from));
}

#[test]
fn a_folder_that_is_not_there_or_not_a_folder_is_not_made() {
    let sandbox = sandbox();
    sandbox.write("file.txt", "x");
    let before = sandbox.tree();
    let file = sandbox.path("file.txt").to_string_lossy().into_owned();
    let absent = sandbox.elsewhere().join("a/b").to_string_lossy().into_owned();
    for cwd in hostile().into_iter().filter(|text| !text.starts_with('/')).chain([file, absent]) {
        let mut payload = testkit::payload::raw("PreToolUse", &sandbox.root(), &shell("t", "ls"));
        payload["cwd"] = json!(cwd);
        sandbox.ask("raw", "PreToolUse", &payload);
    }
    assert_eq!(strays(&sandbox, &before), [""; 0].map(std::path::PathBuf::from));
}

#[test]
fn what_a_module_returns_never_leaves_the_session_folder() {
    let body = "const evil = ctx.event.prompt; ctx.log('info', evil, evil);\n\
                return { emitEvents: [{ type: evil || 'x', evil }],\n\
                registerArtifacts: [{ kind: evil, path: evil, hash: evil }],\n\
                statePatch: { features: { [evil]: evil }, plan: { currentPath: evil } }, warnings: [evil] }";
    let sandbox = js::sandbox(&[("mine", body)], json!({}));
    let before = sandbox.tree();
    for text in hostile() {
        sandbox.raw("UserPromptSubmit", &json!({"prompt": text}));
    }
    assert_eq!(strays(&sandbox, &before), [""; 0].map(std::path::PathBuf::from));
}

#[test]
fn a_module_with_a_name_that_is_a_path_does_not_run() {
    let sandbox = sandbox();
    for text in hostile() {
        let modules: Value = json!({text.clone(): {"path": "x.mjs"}});
        sandbox.manifest(&crate::patient(json!({"modules": modules})));
        sandbox.write(".ai/hooks/x.mjs", js::module("x", "ctx.log('info', 'ran'); return {}"));
        sandbox.trust();
        let before = sandbox.tree();
        sandbox.raw("PreToolUse", &shell("t", "ls"));
        let odd = strays(&sandbox, &before);
        assert_eq!(odd, [""; 0].map(std::path::PathBuf::from), "{text:.40}");
    }
}
