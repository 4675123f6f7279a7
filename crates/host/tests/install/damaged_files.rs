//! Tests that an unparsable file stays unchanged and the message has its position.

use expect_test::{Expect, expect};
use host::install::{HookPlan, Program, register, registrations, unregister};

fn check(text: &str, expected: &Expect) {
    let plan = HookPlan::ALL[1];
    let error = register(plan, Some(text), &Program::on_path()).unwrap_err();
    expected.assert_eq(&error.to_string());
}

#[test]
fn broken_json_is_refused_with_the_place_and_what_was_expected() {
    check("{\n  \"a\": 1\n  \"b\": 2\n}", &expect!["line 2, column 9: expected a comma here"]);
    check("{\"a\" 1}", &expect!["line 1, column 6: expected `:` after this key"]);
    check("{\"a\": }", &expect!["line 1, column 7: unexpected `}`, expected a value or another bracket"]);
    check("{\n  \"hooks\": {", &expect!["line 2, column 12: expected `}` for this `{`"]);
    check(
        "{\"a\": [1, 2}",
        &expect!["line 1, column 12: unexpected `}`, expected a value or another bracket"],
    );
    check("{'a': 1}", &expect!["line 1, column 2: expected double quotes"]);
    check("{a: 1}", &expect!["line 1, column 2: expected a key in double quotes"]);
    check("{\"a\": tru}", &expect!["line 1, column 7: expected a value"]);
    check("{\"ä\": \"ö\", /* }", &expect!["line 1, column 12: expected `*/` for this comment"]);
    check("{} {}", &expect!["line 1, column 4: expected the end of the file after the first value"]);
    check("{\"a\": \"open}", &expect!["line 1, column 7: unterminated string literal"]);
    check("{\"a\": 0x1F}", &expect!["line 1, column 7: hexadecimal numbers are not allowed"]);
    check("\u{feff}]", &expect!["line 1, column 1: unexpected `]`, expected a value or another bracket"]);
}

#[test]
fn something_else_where_hooks_belong_is_refused_by_name() {
    check("[]", &expect!["line 1, column 1: the file is an array, expected an object"]);
    check(
        "// nothing here yet\n",
        &expect!["line 1, column 1: the file is only comments, expected an object"],
    );
    check("{\n  \"hooks\": []\n}", &expect!["line 2, column 12: `hooks` is an array, expected an object"]);
    check("{\"hooks\": null}", &expect!["line 1, column 11: `hooks` is null, expected an object"]);
    check(
        "{\"hooks\": {\n\t\"Stop\": {\"command\": \"x\"}}}",
        &expect!["line 2, column 10: `hooks.Stop` is an object, expected an array"],
    );
    check(
        "{\"hooks\": {\"PreToolUse\": \"./check.sh\"}}",
        &expect!["line 1, column 26: `hooks.PreToolUse` is a string, expected an array"],
    );
}

#[test]
fn nesting_without_end_is_an_error_not_a_crash() {
    let deep = "[".repeat(100_000);
    assert!(registrations(&format!("{{\"hooks\": {deep}")).is_err());
}

#[test]
fn unregistering_passes_over_what_is_not_shaped_like_a_hook() {
    for text in [r#"{"hooks": [1]}"#, r#"{"hooks": {"Stop": 1, "disabled": ["x"]}}"#, "{}", "", "  \n"] {
        let removed = unregister(HookPlan::ALL[1], text).unwrap();
        assert_eq!(removed, host::install::Removed::Nothing, "{text}");
    }
}
