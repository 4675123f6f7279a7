//! How problems are told.

use expect_test::{Expect, expect};

use crate::project::{load_text, shown};

fn check(file: &str, text: &str, expected: &Expect) {
    let loaded = load_text(file, text);
    assert_eq!(loaded.document.is_none(), loaded.problems.iter().any(agent::Problem::is_error));
    expected.assert_eq(&shown(&loaded));
}

#[test]
fn several_mistakes_are_told_at_once_each_with_its_place() {
    check(
        ".rawko/agents/planner.yaml",
        "name: 1planner\nsystemPrompt: ''\ntools:\n  allowed: [Read, Grpe]\n  blocked: Write\n  bashFilter:\n    blockedPatterns:\n      - \"rm (\"\n      - a(?=b)\nlimits:\n  maxIterations: 0\n  timeout: soon\nprovider:\n  name: cloude\ntransitions:\n  onSucess: x\n",
        &expect![[r#"
            error: `1planner` is no name of an agent
              --> .rawko/agents/planner.yaml:1:7
              |
            1 | name: 1planner
              |       ^^^^^^^^
            expected: a letter, then only letters, numbers, hyphens and underscores
            hint: `planner` would do; `displayName` may be any text

            error: `systemPrompt` is empty
              --> .rawko/agents/planner.yaml:2:15
              |
            2 | systemPrompt: ''
              |               ^^
            expected: a text

            error: unknown tool `Grpe`
              --> .rawko/agents/planner.yaml:4:19
              |
            4 |   allowed: [Read, Grpe]
              |                   ^^^^
            expected: a built-in tool, a tool of a host, `mcp__server__tool`, or one of `tools.custom`
            hint: did you mean `Grep`?

            error: `tools.blocked` is a text
              --> .rawko/agents/planner.yaml:5:12
              |
            5 |   blocked: Write
              |            ^^^^^
            expected: a list of texts
            hint: write `[Write]`

            error: the pattern `rm (` is not valid: unclosed group
              --> .rawko/agents/planner.yaml:8:13
              |
            8 |       - "rm ("
              |             ^
            expected: a regular expression
            hint: put a backslash before a bracket that is meant as itself

            error: the pattern `a(?=b)` is not valid: look-around, including look-ahead and look-behind, is not supported
              --> .rawko/agents/planner.yaml:9:10
              |
            9 |       - a(?=b)
              |          ^
            expected: a regular expression
            hint: patterns run in linear time: no look-around, no back-references

            error: `limits.maxIterations` is not above zero
              --> .rawko/agents/planner.yaml:11:18
               |
            11 |   maxIterations: 0
               |                  ^
            expected: a whole number above zero

            error: `limits.timeout` is a text
              --> .rawko/agents/planner.yaml:12:12
               |
            12 |   timeout: soon
               |            ^^^^
            expected: a whole number above zero

            error: `provider.name` is `cloude`
              --> .rawko/agents/planner.yaml:14:9
               |
            14 |   name: cloude
               |         ^^^^^^
            expected: one of `claude`, `copilot`, `codex`, `gemini`, `command`
            hint: did you mean `claude`?

            warning: unknown key `transitions.onSucess`
              --> .rawko/agents/planner.yaml:16:3
               |
            16 |   onSucess: x
               |   ^^^^^^^^
            expected: one of `onSuccess`, `onFailure`, `onMaxIterations`, `custom`
            hint: did you mean `onSuccess`?

            error: `transitions.onSuccess` is missing
              --> .rawko/agents/planner.yaml:16:3
               |
            16 |   onSucess: x
               |   ^
            expected: `onSuccess: …`
        "#]],
    );
}

#[test]
fn a_condition_is_told_with_its_column() {
    check(
        "a.yaml",
        "name: a\nsystemPrompt: x\ntransitions:\n  onSuccess: complete\n  custom:\n    - condition: \"output contians 'x'\"\n      target: a\n    - condition: output contains 'x' or\n      target: a\n    - condition: output matches '(x'\n      target: a\n    - condition: maybe\n    - { condition: \"output equals 'x\", target: a }\n",
        &expect![[r#"
            error: `contians` is not understood
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
            hint: a condition looks like `output contains 'needs research'`

            error: the pattern is not valid: unclosed group
              --> a.yaml:10:34
               |
            10 |     - condition: output matches '(x'
               |                                  ^
            expected: a regular expression
            hint: put a backslash before a bracket that is meant as itself

            error: `transitions.custom[3].target` is missing
              --> a.yaml:12:7
               |
            12 |     - condition: maybe
               |       ^
            expected: `target: …`

            error: `maybe` is not understood
              --> a.yaml:12:18
               |
            12 |     - condition: maybe
               |                  ^^^^^
            expected: `output`, `not` or `(`
            hint: a condition looks like `output contains 'needs research'`

            error: the text has no end
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
        error: `name` is missing
          --> a.yaml:1:1
          |
        1 | displayName: 5
          | ^
        expected: `name: …`

        error: `systemPrompt` is missing
          --> a.yaml:1:1
          |
        1 | displayName: 5
          | ^
        expected: `systemPrompt: …`

        error: `transitions` is missing
          --> a.yaml:1:1
          |
        1 | displayName: 5
          | ^
        expected: `transitions:` with `onSuccess: …` below it
        hint: `onSuccess: complete` ends the workflow after this agent

        error: `displayName` is a number
          --> a.yaml:1:14
          |
        1 | displayName: 5
          |              ^
        expected: a text
        hint: put it in quotes: `"5"`
    "#]],
    );
    check(
        "a.yaml",
        "- a\n- b\n",
        &expect![[r#"
        error: the file is a list
          --> a.yaml:1:1
          |
        1 | - a
          | ^
        expected: a mapping: `key: value`
    "#]],
    );
    check(
        "a.yaml",
        "",
        &expect![[r#"
            error: `name` is missing
              --> a.yaml:1:1
              |
            1 |
              | ^
            expected: `name: …`

            error: `systemPrompt` is missing
              --> a.yaml:1:1
              |
            1 |
              | ^
            expected: `systemPrompt: …`

            error: `transitions` is missing
              --> a.yaml:1:1
              |
            1 |
              | ^
            expected: `transitions:` with `onSuccess: …` below it
            hint: `onSuccess: complete` ends the workflow after this agent
        "#]],
    );
    check(
        "a.yaml",
        "name: complete\nsystemPrompt: x\ntransitions: {onSuccess: complete}\n",
        &expect![[r#"
        error: `complete` is not for agents
          --> a.yaml:1:7
          |
        1 | name: complete
          |       ^^^^^^^^
        hint: it is the target that ends a workflow: choose another name
    "#]],
    );
}

#[test]
fn yaml_itself_is_told_like_the_rest() {
    check(
        "a.yaml",
        "name: a\n\tsystemPrompt: b\n",
        &expect![[r#"
        error: while scanning a plain scalar, found a tab
          --> a.yaml:1:7
          |
        1 | name: a
          |       ^
        hint: indent with blanks
    "#]],
    );
    check(
        "a.yaml",
        "name: a\nsystemPrompt: say: this\n",
        &expect![[r#"
        error: mapping values are not allowed in this context
          --> a.yaml:2:18
          |
        2 | systemPrompt: say: this
          |                  ^
        hint: put the text in quotes, or below a `|`: it has a colon in it
    "#]],
    );
    check(
        "a.yaml",
        "name: a\nname: b\nsystemPrompt: x\ntransitions: {onSuccess: complete}\n",
        &expect![[r#"
            error: `name` is there twice, first in line 1
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
        error: the file does not begin with its fields
          --> .rawko/agents/a.md:1:1
          |
        1 | # Just text
          | ^^^
        expected: `---`, the fields as YAML, `---`
    "#]],
    );
    check(
        ".rawko/agents/a.md",
        "---\nname: a\n",
        &expect![[r#"
        error: the fields begin here and do not end
          --> .rawko/agents/a.md:1:1
          |
        1 | ---
          | ^^^
        expected: a line of `---` below them
    "#]],
    );
    check(
        ".rawko/agents/a.md",
        "---\nname: a\ntransitions: {onSuccess: complete}\n---\n\n",
        &expect![[r#"
        error: the text below the fields is empty
          --> .rawko/agents/a.md:2:1
          |
        2 | name: a
          | ^
        expected: the system prompt
        hint: write it below the second `---`
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
        error: `Not_an_id` is no id
          --> a.agent.md:2:5
          |
        2 | id: Not_an_id
          |     ^^^^^^^^^
        expected: lower-case letters, numbers and hyphens
        hint: `not-an-id` would do

        error: the description has 501 characters, more than the 500 of MAX_AGENT_DESCRIPTION_LENGTH
          --> a.agent.md:3:14
          |
        3 | description: xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…
          |              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
        hint: shorten it
    "#]],
    );
}
