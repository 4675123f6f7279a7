//! `graph-pretooluse`: unbounded reads and searches pass with advice by default and ask under the preset
//! `strict`; everyday commands pass.

use serde_json::{Value, json};
use testkit::Sandbox;

use crate::{sandbox, shell};

/// Returns the decision on a call, with its reason if any.
fn judged(sandbox: &Sandbox, tool: &str, input: &Value) -> (String, String) {
    let call = json!({"tool_name": tool, "tool_input": input});
    let answer = sandbox.raw("PreToolUse", &call);
    let text = |key: &str| answer[key].as_str().unwrap_or_default().to_owned();
    (text("decision"), text("reason") + &text("denyReason"))
}

/// Checks the preset `strict` and, for the same call, that the default only advises.
#[track_caller]
fn check(tool: &str, input: &Value, rule: Option<&str>) {
    let sandbox = sandbox();
    sandbox.config(&json!({"graph-pretooluse": {"preset": "strict"}}));
    sandbox.write("large.log", "x\n".repeat(200_000));
    sandbox.write("large.png", "x\n".repeat(200_000));
    sandbox.write("src/small.rs", "fn main() {}\n");
    let (decision, reason) = judged(&sandbox, tool, input);
    match rule {
        None => assert_eq!(decision, "allow", "{tool} {input}: {reason}"),
        Some(rule) => {
            assert_eq!(decision, "ask", "{tool} {input}");
            assert!(reason.contains(&format!("rule `{rule}`")), "{tool} {input}: {reason}");
            assert!(reason.contains("Instead: "), "{reason}");
        }
    }
    sandbox.config(&json!({}));
    let answer = sandbox.raw("PreToolUse", &json!({"tool_name": tool, "tool_input": input}));
    assert_eq!(answer["decision"], "allow", "{tool} {input}: {answer}");
    for said in ["warnings", "additionalContext"] {
        let advised = answer[said].to_string().contains("(rule `");
        assert_eq!(advised, rule.is_some(), "{tool} {input}: {said} of {answer}");
    }
}

#[test]
fn search_tools_are_bounded_by_files_results_or_names() {
    for (tool, input, rule) in [
        ("grep_search", json!({"query": "x"}), Some("search-without-include")),
        ("grep_search", json!({"query": "x", "includePattern": "**"}), Some("search-without-include")),
        ("grep_search", json!({"query": "x", "includePattern": "src/**"}), None),
        ("grep_search", json!({"query": "x", "maxResults": 20}), None),
        ("grep_search", json!({"query": "x", "maxResults": 5000}), Some("result-limit")),
        (
            "grep_search",
            json!({"query": "x", "includePattern": "**/*.rs", "includeIgnoredFiles": true}),
            Some("search-ignored"),
        ),
        ("file_search", json!({"query": "**/*"}), Some("wildcard-files")),
        ("file_search", json!({"query": "**/*.rs"}), None),
        ("semantic_search", json!({"query": "where is main"}), None),
        ("Grep", json!({"pattern": "x"}), None),
        ("Grep", json!({"pattern": "x", "output_mode": "content"}), Some("search-without-include")),
        ("Grep", json!({"pattern": "x", "output_mode": "content", "path": "src"}), None),
        ("Grep", json!({"pattern": "x", "output_mode": "content", "glob": "*.rs"}), None),
        ("Grep", json!({"pattern": "x", "path": "/"}), Some("search-everywhere")),
        ("Grep", json!({"pattern": "x", "path": "~"}), Some("search-everywhere")),
        ("Grep", json!({"pattern": "x", "head_limit": 0}), Some("result-limit")),
        ("Glob", json!({"pattern": "**/*"}), Some("wildcard-files")),
        ("Glob", json!({"pattern": "**/*", "path": "src"}), None),
        ("Glob", json!({"pattern": "src/**"}), None),
        ("list_dir", json!({"path": "."}), None),
    ] {
        check(tool, &input, rule);
    }
}

#[test]
fn a_large_file_is_read_in_parts() {
    for (tool, input, rule) in [
        ("Read", json!({"file_path": "large.log"}), Some("whole-file")),
        ("Read", json!({"file_path": "large.log", "limit": 100}), None),
        ("Read", json!({"file_path": "src/small.rs"}), None),
        ("Read", json!({"file_path": "large.png"}), None),
        ("Read", json!({"file_path": "not-there.rs"}), None),
        ("read_file", json!({"filePath": "large.log"}), Some("whole-file")),
        ("read_file", json!({"filePath": "large.log", "startLine": 1, "endLine": 50}), None),
        ("Bash", json!({"command": "cat large.log"}), Some("whole-file")),
        ("Bash", json!({"command": "cd src && cat ../large.log"}), Some("whole-file")),
        ("Bash", json!({"command": "cat large.log | tail -20"}), None),
        ("Bash", json!({"command": "cat src/small.rs"}), None),
    ] {
        check(tool, &input, rule);
    }
}

#[test]
fn pages_are_fetched_with_a_question_or_a_limit() {
    for (tool, input, rule) in [
        ("fetch_webpage", json!({"urls": ["https://example.org"], "query": "the license"}), None),
        ("fetch_webpage", json!({"urls": ["https://example.org"]}), Some("unlimited-fetch")),
        (
            "fetch_webpage",
            json!({"urls": vec!["https://example.org"; 9], "query": "x"}),
            Some("unlimited-fetch"),
        ),
        ("WebFetch", json!({"url": "https://example.org", "prompt": "the license"}), None),
        ("Bash", json!({"command": "curl -s https://example.org/api"}), Some("unlimited-fetch")),
        ("Bash", json!({"command": "curl -s https://example.org/api | jq .name"}), None),
        ("Bash", json!({"command": "curl http://localhost:8080/health"}), None),
    ] {
        check(tool, &input, rule);
    }
}

#[test]
fn commands_search_a_part_or_say_when_to_stop() {
    for (command, rule) in [
        ("grep -rn needle .", Some("search-workspace")),
        ("find . -type f", Some("search-workspace")),
        ("ls -R", Some("search-workspace")),
        ("tree", Some("search-workspace")),
        ("fd", Some("search-workspace")),
        ("rg --no-ignore needle", Some("search-workspace")),
        ("find / -name libssl.so", Some("search-everywhere")),
        ("cd ~ && rg needle", Some("search-everywhere")),
        ("rg needle | wc -l", None),
        ("grep -rn needle src", None),
        ("grep -rn needle . --include='*.rs' | head -20", None),
        ("find . -name '*.rs'", None),
        ("git commit -m 'no more grep -r foo .'", None),
    ] {
        check("Bash", &json!({"command": command}), rule);
    }
}

#[test]
fn a_search_that_leaves_ignored_files_out_passes_with_advice_under_every_preset() {
    for preset in ["advise", "strict"] {
        let sandbox = sandbox();
        sandbox.config(&json!({"graph-pretooluse": {"preset": preset}}));
        let answer = sandbox.raw("PreToolUse", &shell("t1", "rg needle"));
        assert_eq!(answer["decision"], "allow", "{preset}: {answer}");
        assert!(answer["warnings"].to_string().contains("search-project"), "{preset}: {answer}");
        let bounded = sandbox.raw("PreToolUse", &shell("t2", "rg needle src"));
        assert!(!bounded.to_string().contains("search-project"), "{preset}: {bounded}");
    }
}

/// steersman neither asks about nor denies everyday commands, on any host.
#[test]
fn everyday_commands_are_not_interrupted_on_any_host() {
    for (host, event) in [
        ("claude-code", "PreToolUse"),
        ("codex", "PreToolUse"),
        ("gemini", "BeforeTool"),
        ("cursor", "preToolUse"),
        ("copilot", "preToolUse"),
        ("qwen", "PreToolUse"),
        ("vscode", "PreToolUse"),
    ] {
        let sandbox = sandbox();
        for command in [
            "grep -rn foo .",
            "ls -R",
            "tree",
            "curl https://example.org/",
            "fd --help",
            "find . -type f",
            "cd ~ && rg needle",
            "find / -name libssl.so",
            "rg --files",
            "rg needle",
        ] {
            let payload = json!({
                "hook_event_name": event, "session_id": "s", "conversation_id": "s", "sessionId": "s",
                "cwd": sandbox.root(), "workspace_roots": [sandbox.root()],
                "tool_name": "Bash", "tool_input": {"command": command},
                "toolName": "bash", "toolArgs": {"command": command},
            });
            let answer = sandbox.ask(host, event, &payload).to_string();
            for word in ["\"ask\"", "\"deny\"", "\"block\""] {
                assert!(!answer.contains(word), "{host}: `{command}`: {answer}");
            }
        }
    }
}

/// The same call on the hosts with such a tool, in their own formats.
#[test]
fn under_the_strict_preset_every_host_is_answered_in_its_own_way() {
    let sandbox = sandbox();
    sandbox.config(&json!({"graph-pretooluse": {"preset": "strict"}}));
    let payload = |tool: &str, input: Value| {
        json!({
            "hook_event_name": "PreToolUse", "session_id": "s", "cwd": sandbox.root(),
            "tool_name": tool, "tool_input": input,
        })
    };
    let claude = payload("Bash", json!({"command": "grep -r foo ."}));
    let answer = sandbox.ask("claude-code", "PreToolUse", &claude);
    assert_eq!(answer["hookSpecificOutput"]["permissionDecision"], "ask", "{answer}");
    let vscode = payload("grep_search", json!({"query": "foo"}));
    let answer = sandbox.ask("vscode", "PreToolUse", &vscode);
    assert_eq!(answer["hookSpecificOutput"]["permissionDecision"], "ask", "{answer}");
    // Codex and Gemini cannot ask, so the call is denied with a way to permit it.
    let codex = payload("Bash", json!({"command": "find / -name foo"}));
    let answer = sandbox.ask("codex", "PreToolUse", &codex);
    assert_eq!(answer["hookSpecificOutput"]["permissionDecision"], "deny", "{answer}");
    assert!(answer.to_string().contains("steersman session allow"), "{answer}");
    let mut gemini = payload("search_file_content", json!({"pattern": "foo"}));
    gemini["hook_event_name"] = json!("BeforeTool");
    let answer = sandbox.ask("gemini", "BeforeTool", &gemini);
    assert_eq!(answer["decision"], "deny", "{answer}");
    sandbox.check_everything();
}

#[test]
fn each_rule_has_its_own_level() {
    for (level, decision) in [("deny", "deny"), ("ask", "ask"), ("warn", "allow"), ("off", "allow")] {
        let sandbox = sandbox();
        sandbox.config(&json!({"graph-pretooluse": {"rules": {"search-workspace": level}}}));
        let answer = sandbox.raw("PreToolUse", &shell("t1", "tree"));
        assert_eq!(answer["decision"], decision, "{level}: {answer}");
        let warned = answer["warnings"].to_string().contains("search-workspace");
        assert_eq!(warned, level == "warn", "{level}: {answer}");
        let recorded = sandbox.session().events_of("UNBOUNDED_CALL");
        assert_eq!(recorded.len(), usize::from(level != "off"), "{level}");
    }
    let sandbox = sandbox();
    sandbox.config(&json!({"graph-pretooluse": {"rules": {"search-project": "deny"}}}));
    assert_eq!(sandbox.raw("PreToolUse", &shell("t1", "rg needle"))["decision"], "deny");
}

#[test]
fn a_rule_that_is_named_wins_over_the_preset() {
    for (preset, level, decision) in [
        ("strict", "warn", "allow"),
        ("strict", "off", "allow"),
        ("advise", "ask", "ask"),
        ("advise", "deny", "deny"),
    ] {
        let sandbox = sandbox();
        let settings = json!({"preset": preset, "rules": {"search-workspace": level}});
        sandbox.config(&json!({"graph-pretooluse": settings}));
        let answer = sandbox.raw("PreToolUse", &shell("t1", "tree"));
        assert_eq!(answer["decision"], decision, "{preset}, {level}: {answer}");
        let other = sandbox.raw("PreToolUse", &shell("t2", "find / -name x"));
        assert_eq!(other["decision"], if preset == "strict" { "ask" } else { "allow" }, "{other}");
    }
}

#[test]
fn thresholds_can_be_set() {
    let sandbox = sandbox();
    sandbox.config(&json!({"graph-pretooluse": {"preset": "strict", "maxFileKb": 1, "maxLines": 5, "maxResults": 10_000}}));
    sandbox.write("a.txt", "x".repeat(3000));
    for (tool, input, decision) in [
        ("Read", json!({"file_path": "a.txt"}), "ask"),
        ("Bash", json!({"command": "tree | head -6"}), "ask"),
        ("Bash", json!({"command": "tree | head -5"}), "allow"),
        ("grep_search", json!({"query": "x", "maxResults": 5000}), "allow"),
    ] {
        assert_eq!(judged(&sandbox, tool, &input).0, decision, "{tool} {input}");
    }
}

#[test]
fn broken_settings_are_reported_with_their_place_and_leave_the_guard_on() {
    let sandbox = sandbox();
    sandbox.write(
        ".ai/hooks/config.json",
        "{\n  \"graph-pretooluse\": { \"rules\": { \"whole-file\": \"denny\" } }\n}",
    );
    let answer = sandbox.raw("PreToolUse", &shell("t1", "tree"));
    assert_eq!(answer["decision"], "allow", "{answer}");
    let warnings = answer["warnings"].to_string();
    assert!(warnings.contains("line 2, column"), "{warnings}");
    assert!(warnings.contains("did you mean `deny`"), "{warnings}");
    assert!(warnings.contains("search-workspace"), "{warnings}");
}
