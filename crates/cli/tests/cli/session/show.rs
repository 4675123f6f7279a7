//! `session show`

use expect_test::expect;
use serde_json::json;

use super::scene::{CLAUDE, Scene};

fn busy_scene() -> Scene {
    let scene = Scene::with_careful_module();
    scene.config(&serde_json::json!({"session": {"promptAudit": "raw"}}));
    let sub = json!({"agent_id": "x", "agent_type": "Explore"});
    let send = |event: &str, more: serde_json::Value| scene.send("claude-code", event, &more);
    send("SessionStart", json!({"source": "startup", "model": "some-model"}));
    send("UserPromptSubmit", json!({"prompt": "Tidy up.\nThen push."}));
    scene.shell("claude-code", "1", "ls -la");
    send(
        "PostToolUse",
        json!({"tool_name": "Bash", "tool_use_id": "1", "tool_input": {"command": "ls -la"}, "tool_response": {}}),
    );
    send(
        "PreToolUse",
        json!({"tool_name": "Write", "tool_use_id": "2", "tool_input": {"file_path": scene.path("src/a.rs"), "content": "x"}}),
    );
    send(
        "PostToolUseFailure",
        json!({"tool_name": "Write", "tool_use_id": "2", "tool_input": {}, "error": "read-only\ndisk"}),
    );
    send("SubagentStart", sub.clone());
    let mut inner = sub.clone();
    inner["tool_name"] = "Bash".into();
    inner["tool_use_id"] = "3".into();
    inner["tool_input"] = json!({"command": "rm -rf build"});
    send("PreToolUse", inner);
    send("SubagentStop", sub);
    scene.shell("claude-code", "4", "git push\u{1b}[2J");
    scene.shell("claude-code", "5", "boom");
    send("PreCompact", json!({"trigger": "manual"}));
    send("Stop", json!({}));
    send("UserPromptSubmit", json!({"prompt": "More."}));
    scene.shell("claude-code", "6", "ls");
    scene
}

#[test]
fn a_session_is_drawn_as_a_timeline() {
    let said = busy_scene().session(&["show", CLAUDE]);
    assert_eq!((said.code, said.stderr.as_str()), (0, ""));
    expect![[r#"
        session 2353fb64  Claude Code  w002  PLANNING
        <day> <time> to <time> UTC, 2 turns, 6 tool calls, 1 denied, 1 asked, 1 failed, 2 without a
        result
        <root>

        ── before the first prompt ────────────────────────────────────────────────────────────────────────
        <time>  ○ start   session: startup, some-model

        ── turn 1 · <time> · w001 · prompt of 19 characters (387b07d03435b9cf) ──────────────────────────
          » Tidy up.
          » Then push.
        <time>  ✓ pass    Bash   ls -la
        <time>  ! failed  Write  src/a.rs
                            │ read-only
                            │ disk
        <time>  » phase   PLANNING → EXECUTING: the first call that may write
        <time>  │ a01 ┌ agent   Explore starts
        <time>  │ a01 ✗ deny    Bash   rm -rf build
                  │ a01           │ denied by careful: No tree is removed here.
                  │ a01           │ PreToolUse-1-<ms>
        <time>  │ a01 └ agent   Explore ends
        <time>  ? ask     Bash   git push�[2J
                            │ asked by careful: A push leaves this machine.
                            │ the program reported no result, so the call may have failed or not run
                            │ PreToolUse-1-<ms>
        <time>  ? unknown Bash   boom
                            │ the program reported no result, so the call may have failed or not run
        <time>  ! error   module careful failed
                            │ Error: boom
        <time>  ≈ compact the host compacts the context (manual)
        <time>  ● stop    the agent ends its turn
        <time>  » phase   EXECUTING → COMPLETE: the turn ended without a plan

        ── turn 2 · <time> · w002 · prompt of 5 characters (2e823667482aae3d) ───────────────────────────
          » More.
        <time>  ✓ pass    Bash   ls
    "#]]
    .assert_eq(&said.stdout);
}

#[test]
fn one_turn_can_be_drawn_alone_and_every_run_named() {
    let said = busy_scene().session(&["show", &CLAUDE[..3], "--turn", "2", "--runs"]);
    expect![[r#"
        session 2353fb64  Claude Code  w002  PLANNING
        <day> <time> to <time> UTC, 1 turn, 1 tool call
        <root>

        ── turn 2 · <time> · w002 · prompt of 5 characters (2e823667482aae3d) ───────────────────────────
          » More.
        <time>  ✓ pass    Bash  ls
                            │ PreToolUse-2-<ms>
    "#]]
    .assert_eq(&said.stdout);
}

#[test]
fn programs_get_every_entry() {
    let scene = busy_scene();
    let shown = scene.json(&["show", CLAUDE]);
    assert_eq!(shown["session"]["sid"], CLAUDE);
    let turn = &shown["turns"][1];
    assert_eq!(turn["turn"], 1);
    assert_eq!(turn["prompt"]["text"], "Tidy up.\nThen push.");
    let kinds: Vec<_> =
        turn["entries"].as_array().unwrap().iter().map(|entry| entry["kind"].as_str().unwrap()).collect();
    expect!["call call phase agentStart call agentStop call call failure compaction stop phase"]
        .assert_eq(&kinds.join(" "));
}

#[test]
fn an_unknown_session_exits_with_1() {
    let scene = busy_scene();
    scene.send("codex", "SessionStart", &json!({}));
    for sid in ["ffff", "", "../.."] {
        let said = scene.session(&["show", sid]);
        assert_eq!(said.code, 1, "{sid}");
        assert!(said.stderr.contains("unknown session"), "{}", said.stderr);
    }
    assert_eq!(scene.session(&["show", CLAUDE, "--turn", "99"]).code, 1);
}

#[test]
fn an_abbreviation_of_two_sessions_names_both() {
    let scene = Scene::new();
    for sid in ["abc00000", "abc11111"] {
        scene.write(&format!(".ai/tmp/{sid}/events.jsonl"), "");
    }
    let said = scene.session(&["show", "abc"]);
    expect![[r#"
        error: `abc` is ambiguous: abc00000, abc11111
    "#]]
    .assert_eq(&said.stderr);
    assert_eq!(said.code, 1);
}

#[test]
fn the_default_is_the_latest_session() {
    let scene = Scene::with_careful_module();
    let said = scene.session(&["show"]);
    assert_eq!(said.code, 1);
    assert!(said.stderr.contains("no sessions yet"), "{}", said.stderr);
    scene.shell("claude-code", "1", "ls -la");
    let (said, named) = (scene.session(&["show"]), scene.session(&["show", CLAUDE]));
    assert_eq!((said.code, said.stdout), (0, named.stdout));
}
