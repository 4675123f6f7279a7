//! `intent check`: whether an agent may write a path.

use std::fs;

use expect_test::expect;
use serde_json::json;

use crate::intent::{FILE, TWO, check, json_of, said, with_two};

#[test]
fn check_is_the_gates_own_answer() {
    let sandbox = with_two();
    sandbox.write(".intentignore", "secret.txt\n");
    check(
        &sandbox,
        &["check", "src/login/a.ts"],
        &expect![[r#"
            ✗ src/login/a.ts
              No active intent selected. Please call select_active_intent first.
              hint: call list_intents for the ids, or ask a person to run `steersman intent select INT-001`
            under no intent, because none is selected for this workspace:
            exit 1
        "#]],
    );
    said(&sandbox, &["select", "INT-001"]);
    let paths =
        ["src/login/a.ts", "src/other.ts", "src/login/secret.txt", ".ai/hooks/config.json", "/etc/hosts"];
    check(
        &sandbox,
        &[&["check"], &paths[..]].concat(),
        &expect![[r#"
            ✓ src/login/a.ts
            ✗ src/other.ts
              Scope Violation: INT-001 is not authorized to edit src/other.ts. Request scope expansion.
              hint: INT-001 may write src/login/**; call request_scope_expansion, or ask a person to run
                    `steersman intent expand INT-001 "src/other.ts"`
            ✗ src/login/secret.txt
              Scope Violation: INT-001 is not authorized to edit src/login/secret.txt. Request scope expansion.
              hint: the rule `secret.txt` of .intentignore protects it from every intent; leave the file
                    unchanged and report this to the user
            ✗ .ai/hooks/config.json
              Scope Violation: INT-001 is not authorized to edit .ai/hooks/config.json. Request scope expansion.
              hint: `.ai` governs this work and is in no scope; ask the user to change it (only
                    `"allowSelfEdit": true` in the module's settings permits it)
            ✗ /etc/hosts
              Scope Violation: INT-001 is not authorized to edit /etc/hosts. Request scope expansion.
              hint: the path is outside the workspace, where no intent may write; use a path inside it
            under INT-001 (Login), selected for this workspace:
            exit 1
        "#]],
    );
    let (value, code) = json_of(&sandbox, &["check", "src/login/a.ts", "README.md"]);
    assert_eq!(
        (code, value["allowed"].clone(), value["intent"].clone()),
        (1, json!(false), json!("INT-001"))
    );
    assert_eq!(
        value["paths"][1]["message"],
        "Scope Violation: INT-001 is not authorized to edit README.md. Request scope expansion."
    );
    assert!(said(&sandbox, &["check", "src/login/x"]).ends_with("exit 0\n"));
    assert!(said(&sandbox, &["check", "docs/x", "--intent", "INT-002"]).ends_with("exit 1\n"));
}

#[cfg(unix)]
#[test]
fn check_follows_links() {
    let sandbox = with_two();
    sandbox.write("docs/a.md", "x");
    fs::create_dir_all(sandbox.path("src/login")).unwrap();
    std::os::unix::fs::symlink(sandbox.path("docs"), sandbox.path("src/login/docs")).unwrap();
    let told = said(&sandbox, &["check", "src/login/docs/a.md", "--intent", "INT-001"]);
    assert!(told.contains("a link leads from there to docs/a.md") && told.ends_with("exit 1\n"), "{told}");
}

#[test]
fn check_asks_for_a_session_and_says_under_which_intent() {
    let sandbox = with_two();
    sandbox.write(FILE, TWO.replace("BLOCKED", "IN_PROGRESS"));
    let select = json!({"session_id": "s", "hook_event_name": "PostToolUse", "tool_use_id": "1",
        "tool_name": "mcp__steersman__select_active_intent", "tool_input": {"intent_id": "INT-002"}});
    sandbox.ask("claude-code", "PostToolUse", &select);
    let session = sandbox.session().id;
    let steady = |said: String| said.replace(&session, "SID");
    expect![[r#"
        ✗ docs/a.md
          No active intent selected. Please call select_active_intent first.
          hint: call list_intents for the ids, or ask a person to run `steersman intent select INT-001`
        under no intent, because none is selected for this workspace:
        hint: session SID selected INT-002; pass `--session SID` to check under it
        exit 1
    "#]]
    .assert_eq(&steady(said(&sandbox, &["check", "docs/a.md"])));
    expect![[r#"
        ✓ docs/a.md
        under INT-002 (Docs), selected by session SID:
        exit 0
    "#]]
    .assert_eq(&steady(said(&sandbox, &["check", "docs/a.md", "--session", &session[..6]])));
    said(&sandbox, &["select", "INT-001"]);
    let by = |args: &[&str]| {
        let (value, code) = json_of(&sandbox, args);
        (value["intent"].clone(), value["by"].clone(), code)
    };
    assert_eq!(by(&["check", "docs/a.md"]), (json!("INT-001"), json!("workspace"), 1));
    assert_eq!(by(&["check", "docs/a.md", "--session", &session]), (json!("INT-002"), json!("session"), 0));
    assert_eq!(by(&["check", "docs/a.md", "--intent", "INT-002"]), (json!("INT-002"), json!("argument"), 0));
    let answer = said(&sandbox, &["check", "docs/a.md", "--session", "zz"]);
    assert!(answer.contains("unknown session `zz`") && answer.ends_with("exit 1\n"), "{answer}");
}
