//! The agent selects an intent with our tool, and the session works under it.

use host::Host;
use serde_json::json;

use crate::world::{Asker, World, refusal, told};

const SELECT: &str = "mcp__steersman__select_active_intent";

#[test]
fn a_selected_intent_is_in_force_from_the_next_call_on() {
    let world = World::new();
    let claude = world.claude("s");
    let input = json!({"intent_id": "INT-001"});
    assert_eq!(refusal(&claude.before("1", SELECT, &input)), None);
    assert!(claude.may_write("2", "src/a.ts").is_some(), "the selection has not ended yet");
    claude.after("1", SELECT, &input);
    assert_eq!(claude.may_write("3", "src/a.ts"), None);
    assert!(claude.may_write("4", "lib/b.ts").is_some());
    assert_eq!(world.sandbox.session().core("workId"), "w001");
    // It is the session's own.
    assert!(world.claude("other").may_write("5", "src/a.ts").is_some());
    world.sandbox.check_everything();
}

#[test]
fn our_own_tools_need_no_approval_and_nobody_elses_get_one() {
    let world = World::new();
    let claude = world.claude("s");
    let decision = |tool: &str, id: &str| {
        let input = json!({"intent_id": id, "pattern": "lib/**", "reason": "x"});
        claude.before(&format!("{tool} {id}"), tool, &input)["hookSpecificOutput"]["permissionDecision"]
            .clone()
    };
    assert_eq!(decision(SELECT, "INT-001"), "allow");
    assert_eq!(decision("mcp__steersman__request_scope_expansion", "INT-001"), "allow");
    assert_eq!(decision("mcp__steersman__list_intents", "INT-001"), "allow");
    assert_eq!(decision(SELECT, "INT-999"), "deny");
    for other in ["mcp__other__select_active_intent", "mcp__steersman__other"] {
        assert_eq!(decision(other, "INT-001"), json!(null), "{other}");
    }
}

#[test]
fn another_intent_is_another_piece_of_work() {
    let world = World::new();
    let claude = world.claude("s");
    claude.event("UserPromptSubmit", &json!({"prompt": "go"}));
    for (id, n, work) in [("INT-001", "1", "w001"), ("INT-001", "2", "w001"), ("INT-002", "3", "w002")] {
        claude.after(n, SELECT, &json!({"intent_id": id}));
        assert_eq!(world.sandbox.session().core("workId"), work, "{id}");
    }
    assert_eq!(world.sandbox.session().core("phase"), "PLANNING");
    assert_eq!(claude.may_write("4", "lib/b.ts"), None);
    assert!(claude.may_write("5", "src/a.ts").is_some());
    let selected = world.events("INTENT_SELECTED");
    assert_eq!(selected[2], json!({"intentId": "INT-002", "before": "INT-001", "by": "session"}));
}

#[test]
fn a_change_of_the_workspaces_default_is_another_piece_of_work_too() {
    let world = World::new();
    world.select("INT-001");
    let claude = world.claude("s");
    claude.writes("1", "src/a.ts", "x\n");
    world.select("INT-002");
    claude.writes("2", "lib/b.ts", "x\n");
    claude.writes("3", "lib/c.ts", "x\n");
    assert_eq!(world.sandbox.session().core("workId"), "w002");
    assert_eq!(
        world.events("INTENT_SELECTED"),
        [json!({"intentId": "INT-002", "before": "INT-001", "by": "workspace"})]
    );
}

#[test]
fn the_sessions_own_intent_wins_over_the_workspaces() {
    let world = World::new();
    world.select("INT-001");
    let claude = world.claude("s");
    claude.after("1", SELECT, &json!({"intent_id": "INT-002"}));
    assert_eq!(claude.may_write("2", "lib/b.ts"), None);
    assert!(claude.may_write("3", "src/a.ts").is_some());
    assert_eq!(world.claude("other").may_write("4", "src/a.ts"), None);
}

#[test]
fn what_cannot_be_selected_is_not_bound_and_the_model_is_told() {
    for (id, why) in [
        ("INT-003", "it is COMPLETED"),
        ("INT-004", "it is BLOCKED"),
        ("INT-999", "unknown intent `INT-999`"),
        ("nonsense", "`nonsense` is not an intent id"),
    ] {
        let world = World::new();
        let claude = world.claude("s");
        let input = json!({"intent_id": id});
        let reason = refusal(&claude.before("1", SELECT, &input)).unwrap();
        assert!(reason.contains(why) && reason.contains("hint: "), "{reason}");
        // A host that reports it all the same changes nothing.
        let answer = claude.after("1", SELECT, &input);
        assert!(told(&answer).contains(why), "{answer}");
        assert!(claude.may_write("2", "src/a.ts").unwrap().starts_with("No active intent selected."));
    }
}

#[test]
fn a_selection_that_failed_binds_nothing() {
    let world = World::new();
    let claude = world.claude("s");
    let call = json!({"tool_name": SELECT, "tool_use_id": "1", "tool_input": {"intent_id": "INT-001"}, "error": "no"});
    claude.event("PostToolUseFailure", &call);
    assert!(claude.may_write("2", "src/a.ts").is_some());
}

#[test]
fn every_hosts_spelling_of_the_tool_binds() {
    for (host, tool) in [
        (Host::ClaudeCode, "mcp__steersman__select_active_intent"),
        (Host::Codex, "mcp__steersman__select_active_intent"),
        (Host::Qwen, "mcp__steersman__select_active_intent"),
        (Host::Gemini, "mcp_steersman_select_active_intent"),
        (Host::VsCode, "mcp_steersman_select_active_intent"),
        (Host::CopilotCli, "steersman-select_active_intent"),
        (Host::Cursor, "MCP:select_active_intent"),
        (Host::Raw, "select_active_intent"),
    ] {
        let world = World::new();
        let asker = Asker { world: &world, host, session: "s", agent: None };
        let input = json!({"intent_id": "INT-002"});
        assert_eq!(refusal(&asker.before("1", tool, &input)), None, "{host}");
        asker.after("1", tool, &input);
        let state = std::fs::read_to_string(world.sandbox.session().root.join("state.json")).unwrap();
        assert!(state.contains("\"active\":\"INT-002\""), "{host}: {state}");
    }
}

#[test]
fn our_other_tools_need_no_intent() {
    let world = World::new();
    let claude = world.claude("s");
    for tool in ["list_intents", "current_intent", "check_scope", "request_scope_expansion"] {
        let input = json!({"path": "lib/x.ts", "paths": ["lib/x.ts"], "reason": "needed"});
        let name = format!("mcp__steersman__{tool}");
        assert_eq!(refusal(&claude.before(tool, &name, &input)), None, "{tool}");
    }
    let other = claude.before("x", "mcp__files__check_scope", &json!({"path": "lib/x.ts"}));
    assert!(refusal(&other).is_some());
}
