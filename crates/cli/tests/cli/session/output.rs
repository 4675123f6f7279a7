//! What the model reads of a tool's result: without secrets, and cut.

use std::fs;

use serde_json::{Value, json};

use super::scene::{CLAUDE, Scene};

/// A token in a published format.
fn token() -> String {
    format!("ghp_{}", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8")
}

fn after(scene: &Scene, host: &str, event: &str, tool: &str, response: &Value) -> Value {
    let call = json!({"tool_name": tool, "tool_use_id": "1", "tool_input": {"command": "./deploy"},
        "tool_response": response});
    scene.send(host, event, &call)
}

#[test]
fn a_secret_in_a_result_is_replaced_in_each_hosts_own_shape() {
    let scene = Scene::new();
    let line = format!("TOKEN={}\n", token());
    let claude = json!({"stdout": line, "stderr": "", "interrupted": false, "isImage": false});
    let answer = after(&scene, "claude-code", "PostToolUse", "Bash", &claude);
    let expected =
        json!({"stdout": "TOKEN=[REDACTED]\n", "stderr": "", "interrupted": false, "isImage": false});
    assert_eq!(answer["hookSpecificOutput"]["updatedToolOutput"], expected, "{answer}");
    let read = json!({"type": "text", "file": {"filePath": "/w/a", "content": line, "numLines": 1, "startLine": 1, "totalLines": 1}});
    let answer = after(&scene, "claude-code", "PostToolUse", "Read", &read);
    let file = &answer["hookSpecificOutput"]["updatedToolOutput"]["file"];
    assert_eq!((&file["content"], &file["numLines"]), (&json!("TOKEN=[REDACTED]\n"), &json!(1)), "{answer}");
    // A shape without a text of its own.
    let page = json!({"bytes": 9, "code": 200, "result": line, "url": "u"});
    let answer = after(&scene, "claude-code", "PostToolUse", "WebFetch", &page);
    let expected = json!({"bytes": 9, "code": 200, "result": "TOKEN=[REDACTED]\n", "url": "u"});
    assert_eq!(answer["hookSpecificOutput"]["updatedToolOutput"], expected, "{answer}");
    let codex = after(&scene, "codex", "PostToolUse", "Bash", &json!(line));
    assert_eq!((&codex["decision"], &codex["reason"]), (&json!("block"), &json!("TOKEN=[REDACTED]\n")));
    let shown = json!({"llmContent": line, "returnDisplay": line});
    let gemini = after(&scene, "gemini", "AfterTool", "run_shell_command", &shown);
    assert_eq!((&gemini["decision"], &gemini["reason"]), (&json!("deny"), &json!("TOKEN=[REDACTED]\n")));
    // Qwen ignores a replaced result: the user is warned.
    let qwen = after(&scene, "qwen", "PostToolUse", "run_shell_command", &shown);
    assert!(
        qwen["systemMessage"].as_str().unwrap().contains("Qwen Code does not let steersman replace"),
        "{qwen}"
    );
    for answer in [codex, gemini, qwen] {
        assert!(!answer.to_string().contains(&token()), "{answer}");
    }
}

#[test]
fn copilot_reads_a_clean_result_in_both_dialects() {
    let scene = Scene::new();
    let line = format!("TOKEN={}", token());
    let camel = json!({"sessionId": "one", "timestamp": 1, "cwd": scene.root(), "toolName": "bash",
        "toolArgs": {"command": "./deploy"}, "toolResult": {"resultType": "success", "textResultForLlm": line}});
    let answer = scene.raw("copilot-cli", "postToolUse", &camel);
    assert_eq!(answer["modifiedResult"], json!({"textResultForLlm": "TOKEN=[REDACTED]"}), "{answer}");
    let pascal = json!({"tool_name": "Bash", "tool_input": {"command": "./deploy"},
        "tool_result": {"result_type": "success", "text_result_for_llm": line}});
    let answer = scene.send("copilot-cli", "PostToolUse", &pascal);
    assert_eq!(
        (&answer["decision"], &answer["reason"]),
        (&json!("block"), &json!("TOKEN=[REDACTED]")),
        "{answer}"
    );
}

#[test]
fn a_clean_result_stays_and_redaction_can_be_switched_off() {
    let scene = Scene::new();
    let clean = json!({"stdout": "ok\n", "stderr": ""});
    assert_eq!(after(&scene, "claude-code", "PostToolUse", "Bash", &clean), json!({}));
    scene.config(&json!({"version": 1, "output": {"redact": false}}));
    let secret = json!({"stdout": token(), "stderr": ""});
    assert_eq!(after(&scene, "claude-code", "PostToolUse", "Bash", &secret), json!({}));
}

#[test]
fn a_long_result_keeps_head_and_tail_and_names_the_file_with_the_whole() {
    let scene = Scene::new();
    scene.config(&json!({"version": 1, "output": {"maxKb": 4}}));
    let lines: Vec<String> = (0..5000).map(|n| format!("line {n}\n")).collect();
    let long = lines.concat();
    let answer =
        after(&scene, "claude-code", "PostToolUse", "Bash", &json!({"stdout": long, "stderr": "warning"}));
    let output = &answer["hookSpecificOutput"]["updatedToolOutput"];
    let shown = output["stdout"].as_str().unwrap();
    assert!(shown.len() < 4300 && shown.starts_with("line 0\n") && shown.ends_with("line 4999\n"), "{shown}");
    assert_eq!(output["stderr"], "warning");
    let file = shown.split("the whole output is in ").nth(1).unwrap().split(']').next().unwrap();
    assert!(file.starts_with(&format!(".ai/tmp/{CLAUDE}/output/")), "{file}");
    assert_eq!(fs::read_to_string(scene.path(file)).unwrap(), long);
    // No program shows half a picture, and a model reads nothing of a write.
    let picture = json!({"stdout": long, "stderr": "", "isImage": true});
    assert_eq!(after(&scene, "claude-code", "PostToolUse", "Bash", &picture), json!({}));
    let block = json!([{"type": "image", "source": {"type": "base64", "data": long}}]);
    assert_eq!(after(&scene, "claude-code", "PostToolUse", "mcp__a__b", &block), json!({}));
    let written = json!({"type": "create", "filePath": "a", "content": long});
    assert_eq!(after(&scene, "claude-code", "PostToolUse", "Write", &written), json!({}));
}

#[test]
fn the_marker_is_not_written_over_the_secret() {
    let scene = Scene::new();
    let secret = format!("NAME=shop\nTOKEN={}\n", token());
    scene.write("settings.ini", &secret);
    scene.write("plain.ini", "NAME=shop\n");
    scene.write("docs.md", "We print [REDACTED] here.\n");
    let denied = |id: &str, tool: &str, input: Value| {
        let call = json!({"tool_name": tool, "tool_use_id": id, "tool_input": input});
        let answer = scene.send("claude-code", "PreToolUse", &call);
        let specific = &answer["hookSpecificOutput"];
        (specific["permissionDecision"] == "deny").then(|| specific["permissionDecisionReason"].to_string())
    };
    let write = |file: &str, content: &str| json!({"file_path": scene.path(file), "content": content});
    let reason = denied("1", "Write", write("settings.ini", "NAME=store\nTOKEN=[REDACTED]\n")).unwrap();
    assert!(reason.contains("it is not the value. Instead:"), "{reason}");
    let edit = json!({"file_path": scene.path("settings.ini"), "old_string": "NAME=shop",
        "new_string": "NAME=store\nTOKEN=[REDACTED]"});
    assert!(denied("2", "Edit", edit).is_some());
    let shell = json!({"command": "printf 'TOKEN=[REDACTED]' > settings.ini"});
    assert!(denied("3", "Bash", shell).is_some());
    let fine = json!({"file_path": scene.path("settings.ini"), "old_string": "NAME=shop", "new_string": "NAME=store"});
    assert_eq!(denied("4", "Edit", fine), None);
    assert_eq!(denied("5", "Write", write("plain.ini", "TOKEN=[REDACTED]\n")), None, "no secret there");
    assert_eq!(denied("6", "Write", write("new.ini", "TOKEN=[REDACTED]\n")), None, "a new file");
    assert_eq!(denied("7", "Write", write("docs.md", "They print [REDACTED] here.\n")), None, "its own text");
}

#[test]
fn the_marker_does_not_reach_the_secret_by_a_copy_or_in_another_place() {
    let scene = Scene::new();
    let secret = format!("NAME=shop\nTOKEN={}\n", token());
    scene.write("settings.ini", &secret);
    scene.write("own.ini", &format!("NOTE=[REDACTED]\n{secret}"));
    scene.write("long.ini", &format!("{secret}{}", "x".repeat(1024 * 1024 + 10)));
    scene.write("new.ini", "NAME=store\nTOKEN=[REDACTED]\n");
    scene.write("plain.ini", "NAME=shop\n");
    let mut n = 0;
    let mut denied = |tool: &str, input: Value| {
        n += 1;
        let call = json!({"tool_name": tool, "tool_use_id": n.to_string(), "tool_input": input});
        let answer = scene.send("claude-code", "PreToolUse", &call);
        answer["hookSpecificOutput"]["permissionDecisionReason"]
            .as_str()
            .is_some_and(|it| it.contains("would write"))
    };
    for command in [
        "mv new.ini settings.ini",
        "cp new.ini settings.ini",
        "cat new.ini > settings.ini",
        "install new.ini settings.ini",
        "tee settings.ini < new.ini",
        "ln -sf new.ini settings.ini",
        "sed s/store/shop/ new.ini > settings.ini",
        "sort new.ini | head -5 > settings.ini",
        "sed -i 's/^TOKEN=.*/TOKEN=\\[REDACTED\\]/' settings.ini",
    ] {
        assert!(denied("Bash", json!({"command": command})), "{command}");
    }
    for command in [
        "cp new.ini plain.ini",
        "cp new.ini other.ini",
        "cat new.ini",
        "cp plain.ini settings.ini",
        "cat new.ini; echo x >> settings.ini",
    ] {
        assert!(!denied("Bash", json!({"command": command})), "{command}");
    }
    let mut write = |file: &str, content: &str| {
        denied("Write", json!({"file_path": scene.path(file), "content": content}))
    };
    assert!(write("own.ini", "NOTE=none\nTOKEN=[REDACTED]\n"), "another place");
    assert!(!write("own.ini", "NOTE=[REDACTED]\nTOKEN=none\n"), "the same place");
    assert!(write("long.ini", "TOKEN=[REDACTED]\n"), "a long file");
}
