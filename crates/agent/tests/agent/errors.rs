//! Tests of error messages.

use expect_test::{Expect, expect};

use crate::project::{load_text, shown};

fn check(file: &str, text: &str, expected: &Expect) {
    let loaded = load_text(file, text);
    assert_eq!(loaded.document.is_none(), loaded.problems.iter().any(config_file::Problem::is_error));
    expected.assert_eq(&shown(&loaded));
}

#[test]
fn several_mistakes_are_told_at_once_each_with_its_place() {
    check(
        ".rawko/agents/planner.yaml",
        "name: 1planner\nsystemPrompt: ''\ntools:\n  allowed: [Read, Grpe]\n  blocked: Write\n  bashFilter:\n    blockedPatterns:\n      - \"rm (\"\n      - a(?=b)\nlimits:\n  maxIterations: 0\n  timeout: soon\nprovider:\n  name: cloude\ntransitions:\n  onSucess: x\n",
        &expect![[r#"
            error: `name` must begin with a letter and have only letters, numbers, `-` and `_`, not be `1planner`
              --> .rawko/agents/planner.yaml:1:7
               |
             1 | name: 1planner
               |       ^^^^^^^^
            hint: write `planner`; put other names into `displayName`

            error: `systemPrompt` must not be empty
              --> .rawko/agents/planner.yaml:2:15
               |
             2 | systemPrompt: ''
               |               ^^

            error: unknown tool `Grpe`
              --> .rawko/agents/planner.yaml:4:19
               |
             4 |   allowed: [Read, Grpe]
               |                   ^^^^
            hint: did you mean `Grep`?

            error: `tools.blocked` must be an array of strings, not a string
              --> .rawko/agents/planner.yaml:5:12
               |
             5 |   blocked: Write
               |            ^^^^^
            hint: write `[Write]`

            error: `rm (` is not a regular expression: unclosed group
              --> .rawko/agents/planner.yaml:8:13
               |
             8 |       - "rm ("
               |             ^
            hint: write a backslash before a literal bracket

            error: `a(?=b)` is not a regular expression: look-around, including look-ahead and look-behind, is not supported
              --> .rawko/agents/planner.yaml:9:10
               |
             9 |       - a(?=b)
               |          ^
            hint: remove look-around and back-references: patterns run in linear time

            error: `limits.maxIterations` must be a whole number above zero, not 0
               --> .rawko/agents/planner.yaml:11:18
                |
             11 |   maxIterations: 0
                |                  ^

            error: `limits.timeout` must be a whole number above zero, not a string
               --> .rawko/agents/planner.yaml:12:12
                |
             12 |   timeout: soon
                |            ^^^^

            error: `provider.name` must be one of `claude`, `copilot`, `codex`, `gemini`, `command`, not `cloude`
               --> .rawko/agents/planner.yaml:14:9
                |
             14 |   name: cloude
                |         ^^^^^^
            hint: did you mean `claude`?

            warning: unknown key `transitions.onSucess`
               --> .rawko/agents/planner.yaml:16:3
                |
             16 |   onSucess: x
                |   ^^^^^^^^
            hint: did you mean `onSuccess`?

            error: missing key `transitions.onSuccess`
               --> .rawko/agents/planner.yaml:16:3
                |
             16 |   onSucess: x
                |   ^
            hint: add `onSuccess: …`
        "#]],
    );
}

#[test]
fn a_condition_is_told_with_its_column() {
    check(
        "a.yaml",
        "name: a\nsystemPrompt: x\ntransitions:\n  onSuccess: complete\n  custom:\n    - condition: \"output contians 'x'\"\n      target: a\n    - condition: output contains 'x' or\n      target: a\n    - condition: output matches '(x'\n      target: a\n    - condition: maybe\n    - { condition: \"output equals 'x\", target: a }\n",
        &expect![[r#"
            error: unexpected `contians`
              --> a.yaml:6:26
               |
             6 |     - condition: "output contians 'x'"
               |                          ^^^^^^^^
            expected: `contains`, `matches` or `equals`
            hint: did you mean `contains`?

            error: the condition ends here
              --> a.yaml:8:40
               |
             8 |     - condition: output contains 'x' or
               |                                        ^
            expected: `output`, `not` or `(`
            hint: write a condition like `output contains 'needs research'`

            error: invalid pattern: unclosed group
               --> a.yaml:10:34
                |
             10 |     - condition: output matches '(x'
                |                                  ^
            expected: a regular expression
            hint: write a backslash before a literal bracket

            error: missing key `transitions.custom[3].target`
               --> a.yaml:12:7
                |
             12 |     - condition: maybe
                |       ^
            hint: add `target: …`

            error: unexpected `maybe`
               --> a.yaml:12:18
                |
             12 |     - condition: maybe
                |                  ^^^^^
            expected: `output`, `not` or `(`
            hint: write a condition like `output contains 'needs research'`

            error: the string has no end
               --> a.yaml:13:35
                |
             13 |     - { condition: "output equals 'x", target: a }
                |                                   ^^
            expected: a closing '
        "#]],
    );
}

#[test]
fn what_is_missing_or_is_no_mapping_is_told() {
    check(
        "a.yaml",
        "displayName: 5\n",
        &expect![[r#"
            error: missing key `name`
              --> a.yaml:1:1
               |
             1 | displayName: 5
               | ^
            hint: add `name: …`

            error: missing key `systemPrompt`
              --> a.yaml:1:1
               |
             1 | displayName: 5
               | ^
            hint: add `systemPrompt: …`

            error: missing key `transitions`
              --> a.yaml:1:1
               |
             1 | displayName: 5
               | ^
            hint: add `transitions:` with `onSuccess: complete` below it to end the workflow after this agent

            error: `displayName` must be a string, not a number
              --> a.yaml:1:14
               |
             1 | displayName: 5
               |              ^
            hint: put it in quotes: `"5"`
        "#]],
    );
    check(
        "a.yaml",
        "- a\n- b\n",
        &expect![[r#"
            error: the file must be a mapping, not an array
              --> a.yaml:1:1
               |
             1 | - a
               | ^^^
        "#]],
    );
    check(
        "a.yaml",
        "",
        &expect![[r#"
            error: missing key `name`
              --> a.yaml:1:1
               |
             1 |
               | ^
            hint: add `name: …`

            error: missing key `systemPrompt`
              --> a.yaml:1:1
               |
             1 |
               | ^
            hint: add `systemPrompt: …`

            error: missing key `transitions`
              --> a.yaml:1:1
               |
             1 |
               | ^
            hint: add `transitions:` with `onSuccess: complete` below it to end the workflow after this agent
        "#]],
    );
    check(
        "a.yaml",
        "name: complete\nsystemPrompt: x\ntransitions: {onSuccess: complete}\n",
        &expect![[r#"
            error: `name` must not be `complete`, the target that ends a workflow
              --> a.yaml:1:7
               |
             1 | name: complete
               |       ^^^^^^^^
            hint: choose another name
        "#]],
    );
}

#[test]
fn yaml_itself_is_told_like_the_rest() {
    check(
        "a.yaml",
        "name: a\n\tsystemPrompt: b\n",
        &expect![[r#"
            error: cannot parse YAML: while scanning a plain scalar, found a tab
              --> a.yaml:1:7
               |
             1 | name: a
               |       ^
            hint: indent with spaces
        "#]],
    );
    check(
        "a.yaml",
        "name: a\nsystemPrompt: say: this\n",
        &expect![[r#"
            error: cannot parse YAML: mapping values are not allowed in this context
              --> a.yaml:2:18
               |
             2 | systemPrompt: say: this
               |                  ^
            hint: quote the string, or write it below a `|`: it contains a colon
        "#]],
    );
    check(
        "a.yaml",
        "name: a\nname: b\nsystemPrompt: x\ntransitions: {onSuccess: complete}\n",
        &expect![[r#"
            error: duplicate key `name`, first in line 1
              --> a.yaml:2:1
               |
             2 | name: b
               | ^^^^
            hint: remove one of them
        "#]],
    );
}

#[test]
fn a_markdown_agent_without_fields_or_prompt_is_told() {
    check(
        ".rawko/agents/a.md",
        "# Just text\n",
        &expect![[r#"
            error: the file must begin with front matter
              --> .rawko/agents/a.md:1:1
               |
             1 | # Just text
               | ^^^
            hint: write `---`, the fields as YAML, `---`, and the prompt below
        "#]],
    );
    check(
        ".rawko/agents/a.md",
        "---\nname: a\n",
        &expect![[r#"
            error: the front matter that begins here has no end
              --> .rawko/agents/a.md:1:1
               |
             1 | ---
               | ^^^
            hint: add a line of `---` below it
        "#]],
    );
    check(
        ".rawko/agents/a.md",
        "---\nname: a\ntransitions: {onSuccess: complete}\n---\n\n",
        &expect![[r#"
            error: the text below the front matter must not be empty
              --> .rawko/agents/a.md:2:1
               |
             2 | name: a
               | ^
            hint: write the system prompt below the second `---`
        "#]],
    );
}

#[test]
fn limits_are_told_by_their_name() {
    let long = "x".repeat(501);
    check(
        "a.agent.md",
        &format!("---\nid: Not_an_id\ndescription: {long}\n---\nx"),
        &expect![[r#"
            error: `id` must be lower-case letters, numbers and hyphens, not `Not_an_id`
              --> a.agent.md:2:5
               |
             2 | id: Not_an_id
               |     ^^^^^^^^^
            hint: write `not-an-id`

            error: `description` must have at most 500 characters (MAX_AGENT_DESCRIPTION_LENGTH), not 501
              --> a.agent.md:3:14
               |
             3 | description: xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…
               |              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
            hint: shorten it
        "#]],
    );
}
