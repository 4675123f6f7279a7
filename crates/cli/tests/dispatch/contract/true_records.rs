//! Records of what an agent program really did, from payloads as the real programs send them.

use std::fs;

use serde_json::{Value, json};
use testkit::Sandbox;

use crate::{js, sandbox};

fn replay(sandbox: &Sandbox, folder: &str, name: &str) -> Value {
    sandbox.replay(&testkit::payload::recorded(folder, name, &sandbox.root()))
}

fn runs(sandbox: &Sandbox) -> Vec<Value> {
    sandbox.session().events_of("HOOK_RUN")
}

#[test]
fn a_subagent_of_copilot_belongs_to_the_session_of_its_parent() {
    let sandbox = sandbox();
    for name in [
        "SubagentStart",
        "UserPromptSubmit_subagent",
        "PreToolUse_Bash_subagent",
        "Stop_subagent",
        "SubagentStop",
        "PostToolUse_Agent",
    ] {
        replay(&sandbox, "copilot", name);
    }
    let session = sandbox.session();
    let events: Vec<String> = runs(&sandbox)
        .iter()
        .map(|run| format!("{} {}", run["data"]["event"].as_str().unwrap(), run["agentId"].as_str().unwrap()))
        .collect();
    assert_eq!(events, ["SubagentStart a01", "PreToolUse a01", "SubagentStop a01", "PostToolUse u00"]);
    assert_eq!((session.core("lastTurnId"), session.prompts().len()), (json!(0), 0));
    assert!(session.events_of("SESSION_STOP").is_empty());
}

#[test]
fn a_nested_subagent_of_copilot_belongs_to_the_outermost_session() {
    let sandbox = sandbox();
    let send = |event: &str, session: &str, agent: &str, parent: &str, more: Value| {
        let mut payload = json!({
            "session_id": session, "cwd": sandbox.root(), "hook_event_name": event, "agent_id": agent,
            "agent_type": "task", "parent_agent_id": parent, "timestamp": format!("{event} {agent}"),
        });
        payload.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        sandbox.ask("copilot-cli", event, &payload);
    };
    let call = || json!({"tool_name": "Bash", "tool_input": {"command": "ls"}});
    send("SubagentStart", "root", "one", "root", json!({}));
    send("SubagentStart", "another", "two", "one", json!({}));
    send("PreToolUse", "two", "two", "one", call());
    send("SubagentStop", "another", "two", "one", json!({}));
    send("SubagentStop", "root", "one", "root", json!({}));
    assert_eq!(sandbox.session().core("hostSessionId"), "root");
    assert_eq!(runs(&sandbox).len(), 5);
    let left = fs::read_dir(sandbox.user_state().join("subagents")).map_or(0, Iterator::count);
    assert_eq!(left, 0, "the records end with the subagents");
}

#[test]
fn a_subagents_task_an_empty_prompt_and_the_end_of_a_task_start_no_turn() {
    for (folder, prompt, other) in [
        ("codex", "UserPromptSubmit", "UserPromptSubmit_subagent"),
        ("copilot", "UserPromptSubmit", "UserPromptSubmit_subagent"),
        ("qwen", "UserPromptSubmit", "UserPromptSubmit_empty"),
        ("claude", "UserPromptSubmit", "UserPromptSubmit_task_notification"),
    ] {
        let sandbox = sandbox();
        replay(&sandbox, folder, prompt);
        assert_eq!(replay(&sandbox, folder, other), json!({}), "{folder}");
        let session = sandbox.session();
        assert_eq!((session.core("lastTurnId"), session.prompts().len()), (json!(1), 1), "{folder}");
    }
}

#[test]
fn a_failed_command_is_recorded_as_failed_on_every_host() {
    for (folder, name) in [
        ("claude", "PostToolUseFailure_Bash"),
        ("copilot", "PostToolUse_Bash_failed"),
        ("copilot", "PostToolUseFailure_Read"),
        ("gemini", "AfterTool_run_shell_command_failed"),
        ("gemini", "AfterTool_run_shell_command_failed_silent"),
        ("qwen", "PostToolUseFailure_run_shell_command"),
    ] {
        let sandbox = sandbox();
        replay(&sandbox, folder, name);
        let outcomes = sandbox.session().events_of("TOOL_OUTCOME");
        assert_eq!(outcomes[0]["data"]["ok"], false, "{folder}/{name}");
    }
}

#[test]
fn codex_writes_the_exit_code_only_to_its_transcript() {
    for (code, ok) in [(0, true), (3, false)] {
        let sandbox = sandbox();
        let recorded = testkit::payload::recorded("codex", "PostToolUse_Bash_failed", &sandbox.root());
        let transcript = sandbox.path("rollout.jsonl");
        let item = json!({"type": "CommandExecution", "id": recorded.payload["tool_use_id"],
            "aggregated_output": "oops\n", "exit_code": code});
        let line = json!({"type": "event_msg", "payload": {"type": "item_completed", "item": item}});
        fs::write(&transcript, format!("{line}\n")).unwrap();
        let mut payload = recorded.payload;
        payload["transcript_path"] = json!(transcript);
        sandbox.ask("codex", "PostToolUse", &payload);
        let outcome = &sandbox.session().events_of("TOOL_OUTCOME")[0]["data"];
        assert_eq!(outcome["ok"], ok, "{outcome}");
        assert_eq!(outcome["error"].as_str(), (!ok).then_some("Exit code 3\noops"));
    }
}

#[test]
fn gemini_compacts_only_a_long_context() {
    for (tokens, compactions) in [(900, 0), (600_000, 1)] {
        let sandbox = sandbox();
        let transcript = sandbox.path("chat.jsonl");
        fs::write(
            &transcript,
            format!("{{\"type\":\"gemini\",\"tokens\":{{\"input\":{tokens},\"output\":1}}}}\n"),
        )
        .unwrap();
        let mut payload = testkit::payload::recorded("gemini", "PreCompress_auto", &sandbox.root()).payload;
        payload["transcript_path"] = json!(transcript);
        for n in 0..3 {
            payload["timestamp"] = json!(format!("2026-01-01T00:00:0{n}.000Z"));
            assert_eq!(sandbox.ask("gemini", "PreCompress", &payload), json!({}));
        }
        let recorded: usize =
            sandbox.sessions().iter().map(|session| session.events_of("COMPACTION").len()).sum();
        assert_eq!(recorded, compactions, "{tokens} tokens");
    }
}

#[test]
fn a_rewrite_that_the_host_ignores_is_no_rewrite_in_the_record() {
    let rewriter = ("mine", "if (eventName === 'PreToolUse') return { updatedInput: { command: 'echo 2' } }");
    for (host, tool, is_rewritten) in [
        ("qwen", "run_shell_command", false),
        ("claude-code", "Bash", true),
        ("gemini", "run_shell_command", true),
    ] {
        let sandbox = js::sandbox(&[rewriter], json!({"rewriteOwner": "mine"}));
        let payload = json!({
            "session_id": "s", "cwd": sandbox.root(), "hook_event_name": "PreToolUse", "tool_name": tool,
            "tool_input": {"command": "echo 1"}, "tool_use_id": "t",
        });
        sandbox.ask(host, "PreToolUse", &payload);
        let run = &sandbox.session().last_run()["data"];
        assert_eq!(run.get("rewrite").is_some(), is_rewritten, "{host}: {run}");
        assert_eq!(run["dropped"].to_string().contains("rewrite"), !is_rewritten, "{host}: {run}");
    }
}
