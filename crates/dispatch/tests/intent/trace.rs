//! Every write leaves a line in the trace.

use std::fs;

use serde_json::{Value, json};

use crate::world::{World, told};

fn world() -> World {
    let world = World::new();
    world.select("INT-001");
    world
}

#[test]
fn a_write_is_traced_with_the_documents_fields() {
    let world = world();
    let sha = "0123456789abcdef0123456789abcdef01234567";
    world.write(".git/HEAD", "ref: refs/heads/main\n");
    world.write(".git/refs/heads/main", format!("{sha}\n"));
    let claude = world.claude("s");
    claude.writes("1", "src/a.ts", "one\ntwo\nthree\n");
    claude.writes("2", "src/a.ts", "one\nTWO\nthree\nfour\n");
    let trace = world.trace();
    assert_eq!(trace.len(), 2);
    let keys: Vec<&String> = trace[1].as_object().unwrap().keys().collect();
    assert_eq!(
        keys,
        [
            "intent_id",
            "content_hash",
            "file_path",
            "mutation_class",
            "line_ranges",
            "timestamp",
            "tool_name",
            "git_sha"
        ]
    );
    let seen = |line: &Value| {
        json!([
            line["mutation_class"],
            line["line_ranges"],
            line["intent_id"],
            line["file_path"],
            line["tool_name"],
            line["git_sha"]
        ])
    };
    assert_eq!(
        seen(&trace[0]),
        json!(["CREATE", [{"start": 1, "end": 3}], "INT-001", "src/a.ts", "Write", sha])
    );
    assert_eq!(
        seen(&trace[1]),
        json!(["MODIFY", [{"start": 2, "end": 2}, {"start": 4, "end": 4}], "INT-001", "src/a.ts", "Write", sha])
    );
    assert_eq!(trace[1]["content_hash"], intent::ContentHash::of(b"one\nTWO\nthree\nfour\n").as_str());
    // The journal has what blame needs beyond that.
    let written = world.events("FILE_WRITTEN");
    let marks = intent::trace::LineMarks::of(b"one\nTWO\nthree\nfour\n").kept();
    assert_eq!(written[1]["marks"], json!(marks));
    assert_eq!(written[1]["before"], trace[0]["content_hash"]);
    assert_eq!(written[1]["hunks"], json!([[1, 1, 1, 1], [3, 0, 3, 1]]));
    assert!(no_call_is_left(&world));
    world.sandbox.check_everything();
}

fn no_call_is_left(world: &World) -> bool {
    world.sandbox.sessions().iter().all(|session| {
        let file = event::AbsPath::new(session.root.join("intent/pending-calls")).unwrap();
        intent::trace::PendingCalls::in_file(file).all().is_empty()
    })
}

#[test]
fn a_patch_with_many_files_leaves_a_line_for_each_and_deletions_are_events() {
    let world = world();
    for (path, content) in [("src/old.ts", "gone\n"), ("src/from.ts", "moved\n"), ("src/b.ts", "b\n")] {
        world.write(path, content);
    }
    let codex = crate::world::Asker { host: host::Host::Codex, ..world.claude("s") };
    let patch = "*** Begin Patch\n*** Add File: src/new.ts\n+x\n*** Update File: src/b.ts\n@@\n-b\n+B\n*** Delete File: src/old.ts\n*** Update File: src/from.ts\n*** Move to: src/to.ts\n@@\n-moved\n+moved on\n*** End Patch";
    let input = json!({"command": patch});
    assert_eq!(crate::world::refusal(&codex.before("1", "apply_patch", &input)), None);
    world.write("src/new.ts", "x\n");
    world.write("src/b.ts", "B\n");
    fs::remove_file(world.path("src/old.ts")).unwrap();
    fs::remove_file(world.path("src/from.ts")).unwrap();
    world.write("src/to.ts", "moved on\n");
    codex.after("1", "apply_patch", &input);
    let mut traced: Vec<String> = world
        .trace()
        .iter()
        .map(|line| {
            format!("{} {}", line["mutation_class"].as_str().unwrap(), line["file_path"].as_str().unwrap())
        })
        .collect();
    traced.sort();
    assert_eq!(traced, ["CREATE src/new.ts", "CREATE src/to.ts", "MODIFY src/b.ts"]);
    let deleted: Vec<Value> = world.events("FILE_DELETED").iter().map(|it| it["file"].clone()).collect();
    assert_eq!(deleted, ["src/old.ts", "src/from.ts"]);
}

#[test]
fn a_call_reported_twice_is_traced_once() {
    let world = world();
    let claude = world.claude("s");
    claude.writes("1", "src/a.ts", "x\n");
    claude.after("1", "Write", &json!({"file_path": world.path("src/a.ts"), "content": "x\n"}));
    assert_eq!(world.trace().len(), 1);
}

#[test]
fn a_call_that_changed_nothing_leaves_no_line() {
    let world = world();
    world.write("src/a.ts", "same\n");
    world.claude("s").writes("1", "src/a.ts", "same\n");
    assert!(world.trace().is_empty() && no_call_is_left(&world));
}

#[test]
fn another_writer_at_the_same_time_is_a_conflict_and_the_next_write_is_stale() {
    let world = world();
    let claude = world.claude("s");
    let input = json!({"file_path": world.path("src/a.ts"), "content": "mine\n"});
    claude.before("1", "Write", &input);
    world.write("src/a.ts", "theirs\n");
    let answer = claude.after("1", "Write", &input);
    assert!(told(&answer).starts_with("Write Conflict: `src/a.ts`"), "{answer}");
    let conflict = &world.events("WRITE_CONFLICT")[0];
    assert_eq!(conflict["announced"], intent::ContentHash::of(b"mine\n").as_str());
    assert!(claude.may_write("2", "src/a.ts").unwrap().starts_with("Stale File: "));
}

#[test]
fn other_line_ends_are_no_conflict() {
    let world = world();
    let claude = world.claude("s");
    let input = json!({"file_path": world.path("src/a.ts"), "content": "a\nb"});
    claude.before("1", "Write", &input);
    world.write("src/a.ts", "a\r\nb\r\n");
    assert_eq!(told(&claude.after("1", "Write", &input)), "");
    assert_eq!(world.trace().len(), 1);
}

#[test]
fn a_write_whose_beginning_was_never_told_is_traced_without_lines() {
    let world = world();
    world.write("src/a.ts", "x\n");
    let claude = world.claude("s");
    claude.after("1", "Write", &json!({"file_path": world.path("src/a.ts"), "content": "x\n"}));
    assert_eq!(world.trace()[0]["line_ranges"], Value::Null);
    world.write("lib/b.ts", "x\n");
    let answer = claude.after("2", "Write", &json!({"file_path": world.path("lib/b.ts"), "content": "x\n"}));
    assert!(told(&answer).starts_with("Scope Drift: "), "{answer}");
    assert_eq!(world.trace().len(), 1);
}

#[test]
fn a_call_whose_end_was_never_told_is_traced_when_the_turn_ends() {
    for (event, more) in [("Stop", json!({})), ("UserPromptSubmit", json!({"prompt": "next"}))] {
        let world = world();
        let claude = world.claude("s");
        claude.before("1", "Write", &json!({"file_path": world.path("src/a.ts"), "content": "x\n"}));
        world.write("src/a.ts", "x\n");
        claude.before("2", "Write", &json!({"file_path": world.path("src/never.ts"), "content": "x\n"}));
        let agent = crate::world::Asker { agent: Some("sub"), ..claude };
        agent.before("3", "Write", &json!({"file_path": world.path("src/sub.ts"), "content": "x\n"}));
        claude.event(event, &more);
        assert_eq!(world.trace().len(), 1, "{event}");
        assert_eq!(world.trace()[0]["file_path"], "src/a.ts");
        // The other agent is still running.
        world.write("src/sub.ts", "x\n");
        agent.after("3", "Write", &json!({"file_path": world.path("src/sub.ts"), "content": "x\n"}));
        assert_eq!(world.trace()[1]["line_ranges"], json!([{"start": 1, "end": 1}]));
        assert!(no_call_is_left(&world));
    }
}

#[test]
fn a_trace_that_refuses_is_caught_up_with() {
    let world = world();
    let claude = world.claude("s");
    let trace = world.path(".orchestration/agent_trace.jsonl");
    fs::create_dir_all(&trace).unwrap();
    claude.writes("1", "src/a.ts", "x\n");
    assert_eq!(world.events("TRACE_DELAYED")[0]["staged"], true);
    fs::remove_dir(&trace).unwrap();
    claude.writes("2", "src/b.ts", "x\n");
    let files: Vec<Value> = world.trace().iter().map(|line| line["file_path"].clone()).collect();
    assert_eq!(files, ["src/a.ts", "src/b.ts"]);
}

#[test]
fn what_a_session_that_is_over_could_not_trace_another_does() {
    let world = world();
    let trace = world.path(".orchestration/agent_trace.jsonl");
    fs::create_dir_all(&trace).unwrap();
    world.claude("first").writes("1", "src/a.ts", "x\n");
    fs::remove_dir(&trace).unwrap();
    world.claude("second").event("SessionStart", &json!({"source": "startup"}));
    assert_eq!(world.trace().len(), 1);
}

#[test]
fn a_link_in_place_of_the_trace_is_not_followed() {
    let world = world();
    let outside = world.sandbox.elsewhere().join("stolen");
    std::os::unix::fs::symlink(&outside, world.path(".orchestration/agent_trace.jsonl")).unwrap();
    world.claude("s").writes("1", "src/a.ts", "x\n");
    assert!(!outside.exists());
}

#[test]
fn an_intent_that_changes_while_a_tool_runs_is_not_the_one_it_ran_for() {
    let world = world();
    let claude = world.claude("s");
    let input = json!({"file_path": world.path("src/a.ts"), "content": "x\n"});
    claude.before("1", "Write", &input);
    claude.after("2", "mcp__steersman__select_active_intent", &json!({"intent_id": "INT-002"}));
    world.write("src/a.ts", "x\n");
    claude.after("1", "Write", &input);
    assert_eq!(world.trace()[0]["intent_id"], "INT-001");
}

#[test]
fn nothing_is_written_where_nothing_of_ours_may_be() {
    let world = world();
    let before = world.sandbox.tree();
    let claude = world.claude("s");
    claude.event("SessionStart", &json!({"source": "startup"}));
    claude.reads("1", ".orchestration/active_intents.yaml");
    claude.before("2", "Write", &json!({"file_path": world.path("src/a.ts"), "content": "x\n"}));
    claude.before("3", "Bash", &json!({"command": "make"}));
    claude.event("Stop", &json!({}));
    assert_eq!(world.sandbox.strays_since(&before), Vec::<std::path::PathBuf>::new());
}
