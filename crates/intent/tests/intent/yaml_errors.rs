//! Tests that every mistake in an intents file is reported at once, with its position.

use expect_test::{Expect, expect};
use intent::IntentsFile;

fn check(text: &str, expected: &Expect) {
    let said = match IntentsFile::parse(text.as_bytes()) {
        Err(invalid) => invalid.to_string(),
        Ok(file) => {
            let warnings = file.warnings.iter().map(|it| format!("\nwarning: {}", it.brief()));
            format!("{} intents{}", file.intents.len(), warnings.collect::<String>())
        }
    };
    expected.assert_eq(&said);
}

#[test]
fn a_right_file_loads_in_either_spelling() {
    check(
        "active_intents:\n  - id: INT-001\n    name: A\n    status: PENDING\n    ownedScope: [src/**]\n    acceptanceCriteria: [done]\n",
        &expect![[r#"1 intents"#]],
    );
    check(
        "version: 1\nintents:\n    - id: INT-001\n      name: A\n      description: |\n        two\n        lines\n      status: PENDING\n      owned_scope:\n          - pattern: src/**\n            description: the code\n      constraints:\n          - none\n      metadata:\n          owner: me\n",
        &expect![[r#"1 intents"#]],
    );
    check(
        "intents:\n  - id: INT-001\n    name: A\n    status: PENDING\n    owned_scope: &code [src/**]\n  - id: INT-002\n    name: B\n    status: PENDING\n    owned_scope: *code\n",
        &expect![[r#"2 intents"#]],
    );
    check("intents: []\n", &expect![[r#"0 intents"#]]);
    check("intents:\n", &expect![[r#"0 intents"#]]);
}

#[test]
fn all_mistakes_are_told_at_once_with_their_places() {
    check(
        "intents:\n  - id: INT-1x\n    name: A\n    status: in progress\n    owned_scope:\n      - ../etc/**\n      - /abs\n      - src/[a\n  - id: INT-002\n    name: B\n    status: PENDING\n  - id: INT-002\n    name: 'C'\n    status: PENDING\n    owned_scope: []\n    ownd_scope: [x]\n  - just text\n",
        &expect![[r#"
            Invalid active_intents.yaml: .orchestration/active_intents.yaml:2:9: INT-1x: `INT-1x` is not an intent id (`INT-` and digits, such as INT-001)
              hint: use `INT-` and digits
            .orchestration/active_intents.yaml:4:13: INT-1x: `status` must be one of `PENDING`, `IN_PROGRESS`, `COMPLETED`, `BLOCKED`, not `in progress`
              hint: did you mean `IN_PROGRESS`?
            .orchestration/active_intents.yaml:6:9: INT-1x: pattern `../etc/**` contains `..`
              hint: write it relative to the workspace, without `..`
            .orchestration/active_intents.yaml:7:9: INT-1x: pattern `/abs` is absolute
              hint: write it relative to the workspace, such as `src/**`
            .orchestration/active_intents.yaml:8:9: INT-1x: pattern `src/[a` is not a glob: unclosed character class at byte 4; missing ']' (to match a literal '[', escape it as '\[' or '[[]')
              hint: use `*`, `**`, `?`, `[…]` and `{a,b}`
            .orchestration/active_intents.yaml:9:5: INT-002: missing key `owned_scope`
              hint: list the files it may write, such as `- src/**`
            .orchestration/active_intents.yaml:12:9: INT-002: duplicate id `INT-002`, first in line 9
              hint: give each intent a different id
            .orchestration/active_intents.yaml:15:18: INT-002: `owned_scope` must have a pattern
              hint: list the files it may write, such as `- src/**`
            .orchestration/active_intents.yaml:16:5: INT-002: unknown key `ownd_scope`
              hint: did you mean `owned_scope`?
            .orchestration/active_intents.yaml:17:5: an intent must be a mapping, not a string
              hint: write each intent as `- id: INT-001` with its keys below"#]],
    );
}

#[test]
fn wrong_types_are_named_with_what_was_needed() {
    check(
        "intents:\n  - id: [INT-001]\n    name: {a: b}\n    status: PENDING\n    owned_scope: src/**\n    constraints: no\n    acceptance_criteria: [[x]]\n    metadata: 7\n",
        &expect![[r#"
            Invalid active_intents.yaml: .orchestration/active_intents.yaml:2:9: `id` must be a string, not an array
              hint: give it an id such as INT-001
            .orchestration/active_intents.yaml:3:11: `name` must be a string, not a mapping
              hint: give it a short name for users
            .orchestration/active_intents.yaml:5:18: `owned_scope` must be an array, not a string
              hint: list the files it may write, such as `- src/**`
            .orchestration/active_intents.yaml:6:18: `constraints` must be an array of strings, not a string
              hint: write each on its own line, after `- `
            .orchestration/active_intents.yaml:7:27: `acceptance_criteria[0]` must be a string or `run: COMMAND`, not an array
            .orchestration/active_intents.yaml:8:15: `metadata` must be a mapping, not a number
              hint: write `key: value` lines below it"#]],
    );
    check(
        "intents: 7\n",
        &expect![[r#"
            Invalid active_intents.yaml: .orchestration/active_intents.yaml:1:10: `intents` must be an array of mappings, not a number
              hint: begin with `intents:` and write each intent as `- id: INT-001` below it"#]],
    );
    check(
        "- id: INT-001\n",
        &expect![[r#"
            Invalid active_intents.yaml: .orchestration/active_intents.yaml:1:1: the file must be a mapping, not an array
              hint: begin with `intents:` and write each intent as `- id: INT-001` below it"#]],
    );
    check(
        "",
        &expect![[r#"
            Invalid active_intents.yaml: .orchestration/active_intents.yaml:1:1: the file must not be empty
              hint: begin with `intents:` and write each intent as `- id: INT-001` below it"#]],
    );
    check(
        "# only a comment\n",
        &expect![[r#"
            Invalid active_intents.yaml: .orchestration/active_intents.yaml:1:1: the file must not be empty
              hint: begin with `intents:` and write each intent as `- id: INT-001` below it"#]],
    );
    check(
        "intent:\n  - id: INT-001\n",
        &expect![[r#"
            Invalid active_intents.yaml: .orchestration/active_intents.yaml:1:1: unknown key `intent`
              hint: did you mean `intents`?
            .orchestration/active_intents.yaml:1:1: missing key `intents`
              hint: begin with `intents:` and write each intent as `- id: INT-001` below it"#]],
    );
}

#[test]
fn both_spellings_of_a_key_are_one_too_many() {
    check(
        "intents:\n  - id: INT-001\n    name: A\n    status: PENDING\n    owned_scope: [src/**]\n    ownedScope: ['**']\n    status: PENDING\n",
        &expect![[r#"
            Invalid active_intents.yaml: .orchestration/active_intents.yaml:6:5: INT-001: duplicate key `ownedScope`, first in line 5
              hint: remove one of them
            .orchestration/active_intents.yaml:7:5: INT-001: duplicate key `status`, first in line 4
              hint: remove one of them"#]],
    );
}

#[test]
fn what_is_not_yaml_is_told_with_its_place() {
    check(
        "intents:\n  - id: INT-001\n\tname: A\n",
        &expect![[r#"
            Invalid active_intents.yaml: .orchestration/active_intents.yaml:2:9: cannot parse YAML: while scanning a plain scalar, found a tab
              hint: indent with spaces"#]],
    );
    check(
        "intents: [\n",
        &expect![[r#"
            Invalid active_intents.yaml: .orchestration/active_intents.yaml:1:10: cannot parse YAML: unclosed bracket '['
              hint: check the indentation, and quote strings with `:`, `#`, `*` or `&`"#]],
    );
    check(
        "intents:\n  - id: INT-001\n    owned_scope:\n      - **/*.rs\n",
        &expect![[r#"
            Invalid active_intents.yaml: .orchestration/active_intents.yaml:4:9: cannot parse YAML: while parsing node, found unknown anchor
              hint: quote a string that begins with `*`, such as `"**/*.rs"`"#]],
    );
    check(
        "intents: []\n---\nintents: []\n",
        &expect![[r#"
            Invalid active_intents.yaml: .orchestration/active_intents.yaml:3:1: a second document begins here
              hint: keep everything in one document: remove the `---` above"#]],
    );
}

#[test]
fn a_newer_format_is_refused_and_unknown_keys_are_warned_of() {
    check(
        "version: 2\nintents: []\n",
        &expect![[r#"
        Invalid active_intents.yaml: .orchestration/active_intents.yaml:1:10: format 2 is newer than this build's format 1
          hint: update steersman"#]],
    );
    check(
        "intents:\n  - id: INT-001\n    name: A\n    status: PENDING\n    owned_scope: [src/**]\n    constraint: [x]\n    priority: 1\n",
        &expect![[r#"
            1 intents
            warning: .orchestration/active_intents.yaml:6:5: INT-001: unknown key `constraint`
              hint: did you mean `constraints`?
            warning: .orchestration/active_intents.yaml:7:5: INT-001: unknown key `priority`
              hint: use one of `id`, `name`, `description`, `status`, `owned_scope`, `ownedScope`, `constraints`, `acceptance_criteria`, `acceptanceCriteria`, `metadata`"#]],
    );
}

#[test]
fn bytes_that_are_no_text_are_told_with_their_place() {
    let error = IntentsFile::parse(b"intents:\n  - id: \xff\n").unwrap_err();
    let excerpt = error.problems[0].excerpt.as_ref().unwrap();
    assert_eq!((excerpt.line, excerpt.column), (2, 9));
}

#[test]
fn a_bomb_of_nested_lists_is_refused() {
    let text = format!("intents: {}", "[".repeat(100_000));
    assert!(IntentsFile::parse(text.as_bytes()).is_err());
    let text: String = (0..5000).map(|n| format!("{}- \n", " ".repeat(n))).collect();
    assert!(IntentsFile::parse(text.as_bytes()).is_err());
}
