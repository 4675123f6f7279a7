//! Tests of our existing entries, and of entries that only look like ours.

use expect_test::{Expect, expect};
use host::Host;
use host::install::{HookPlan, Program, Removed, register, registrations, unregister};

fn claude() -> &'static HookPlan {
    HookPlan::of(Host::ClaudeCode).unwrap()
}

fn cursor() -> &'static HookPlan {
    HookPlan::of(Host::Cursor).unwrap()
}

/// Returns the lines that are in one text and not in the other.
fn check_difference(before: &str, after: &str, expected: &Expect) {
    let removed = before.lines().filter(|line| !after.contains(line)).map(|line| format!("-{line}\n"));
    let added = after.lines().filter(|line| !before.contains(line)).map(|line| format!("+{line}\n"));
    expected.assert_eq(&removed.chain(added).collect::<String>());
}

#[test]
fn a_moved_program_is_followed_in_place() {
    let before = register(cursor(), None, &Program::on_path()).unwrap();
    let before = before.replace("\"timeout\": 10", "\"timeout\": 99 /* tuned */");
    let after = register(cursor(), Some(&before), &Program::at("/opt/s/steersman").unwrap()).unwrap();
    assert_eq!(after, before.replace("\"steersman dispatch", "\"/opt/s/steersman dispatch"));
}

#[test]
fn events_that_are_no_longer_registered_are_taken_out() {
    let current = register(claude(), None, &Program::on_path()).unwrap();
    let old = current.replace("\"PreCompact\"", "\"SessionEnd\"");
    let after = register(claude(), Some(&old), &Program::on_path()).unwrap();
    check_difference(
        &old,
        &after,
        &expect![[r#"
        -    "SessionEnd": [
        +    "PreCompact": [
    "#]],
    );
}

#[test]
fn a_second_entry_of_ours_under_one_event_is_taken_out() {
    let once = register(claude(), None, &Program::on_path()).unwrap();
    let list = "\"Stop\": [";
    let twice =
        once.replace(list, &format!("{list}{{\"hooks\":[{{\"command\":\"/a/steersman dispatch Stop\"}}]}},"));
    assert_eq!(registrations(&twice).unwrap().len(), claude().rows.len() + 1);
    let after = register(claude(), Some(&twice), &Program::on_path()).unwrap();
    assert_eq!(registrations(&after).unwrap().len(), claude().rows.len());
}

#[test]
fn an_entry_that_was_moved_into_a_persons_group_stays_there() {
    let before = r#"{
  "hooks": {
    "PreToolUse": [
      { "matcher": "Bash", "hooks": [{ "command": "./mine.sh" }, { "command": "/old/steersman dispatch PreToolUse" }] }
    ]
  }
}
"#;
    let after = register(claude(), Some(before), &Program::on_path()).unwrap();
    let updated = before
        .lines()
        .nth(3)
        .unwrap()
        .replace("/old/steersman dispatch PreToolUse", "steersman dispatch PreToolUse");
    assert!(after.contains(&updated), "{after}");
    let Removed::Text(text) = unregister(claude(), &after).unwrap() else { panic!() };
    assert_eq!(text, before.replace(r#", { "command": "/old/steersman dispatch PreToolUse" }"#, ""));
}

#[test]
fn the_form_without_a_shell_is_known_and_brought_into_ours() {
    let before =
        r#"{"hooks": {"Stop": [{"hooks": [{"command": "/a b/steersman", "args": ["dispatch", "Stop"]}]}]}}"#;
    assert_eq!(registrations(before).unwrap()[0].program, "/a b/steersman");
    let after = register(claude(), Some(before), &Program::on_path()).unwrap();
    assert!(
        after.starts_with(
            r#"{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "steersman dispatch Stop", "timeout": 15}]}],"#
        ),
        "{after}"
    );
}

#[test]
fn a_command_that_only_mentions_us_stays() {
    let before = r#"{
  "hooks": {
    "Stop": [
      { "hooks": [{ "type": "command", "command": "echo steersman dispatch Stop" }] },
      { "hooks": [{ "type": "command", "command": "my-steersman dispatch Stop" }] }
    ]
  }
}
"#;
    assert_eq!(unregister(claude(), before).unwrap(), Removed::Nothing);
    let after = register(claude(), Some(before), &Program::on_path()).unwrap();
    assert_eq!(unregister(claude(), &after).unwrap(), Removed::Text(before.to_owned()));
}

#[test]
fn what_a_person_added_behind_ours_stays_whole() {
    let ours = register(cursor(), None, &Program::on_path()).unwrap();
    let with_more = ours
        .replacen("    \"stop\": [\n", "    \"stop\": [\n      { \"command\": \"first\" },\n", 1)
        .replacen("\n  }\n}", ",\n    \"afterFileEdit\": [{ \"command\": \"fmt\" }]\n  }\n}", 1);
    let Removed::Text(text) = unregister(cursor(), &with_more).unwrap() else { panic!() };
    expect![[r#"
        {
          "version": 1,
          "hooks": {
            "stop": [
              { "command": "first" }
            ],
            "afterFileEdit": [{ "command": "fmt" }]
          }
        }
    "#]]
    .assert_eq(&text);
}

#[test]
fn a_formatter_between_does_not_leave_anything_of_ours() {
    for plan in crate::plans() {
        let ours = register(plan, Some("{\"model\": \"x\", \"hooks\": {\"Mine\": []}}"), &Program::on_path())
            .unwrap();
        let value: serde_json::Value = serde_json::from_str(&ours).unwrap();
        for formatted in [value.to_string(), format!("{value:#}")] {
            let text = crate::left(unregister(plan, &formatted).unwrap(), &formatted);
            assert_eq!(registrations(&text).unwrap(), []);
            let rest: serde_json::Value = serde_json::from_str(&text).unwrap();
            assert_eq!(rest["model"], "x");
            assert_eq!(rest["hooks"]["Mine"], serde_json::json!([]));
        }
    }
}

#[test]
fn with_a_key_written_twice_the_last_one_is_used_as_the_host_does() {
    let before = r#"{"hooks": {"Stop": []}, "hooks": {"Stop": [1], "Stop": [2]}}"#;
    let after = register(claude(), Some(before), &Program::on_path()).unwrap();
    assert!(
        after.starts_with(r#"{"hooks": {"Stop": []}, "hooks": {"Stop": [1], "Stop": [2, {"hooks""#),
        "{after}"
    );
    assert_eq!(unregister(claude(), &after).unwrap(), Removed::Text(before.to_owned()));
}

#[test]
fn cursor_refuses_a_file_without_a_version_so_one_is_added_and_taken_back() {
    let before = "{\n  \"hooks\": {}\n}\n";
    let after = register(cursor(), Some(before), &Program::on_path()).unwrap();
    assert!(after.ends_with("},\n  \"version\": 1.0\n}\n"), "{after}");
    assert_eq!(unregister(cursor(), &after).unwrap(), Removed::Text(before.to_owned()));

    let versioned = "{\n  \"hooks\": {},\n  \"version\": 1\n}\n";
    let after = register(cursor(), Some(versioned), &Program::on_path()).unwrap();
    assert_eq!(unregister(cursor(), &after).unwrap(), Removed::Text(versioned.to_owned()));
}
