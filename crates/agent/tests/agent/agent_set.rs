//! Tests of the agents of a project against each other.

use expect_test::{Expect, expect};

use agent::AgentSet;

use crate::project::{agent_set, load_text};

fn check(files: &[(&str, &str)], kept: &[&str], expected: &Expect) {
    let set = agent_set(files);
    assert_eq!(set.agents.keys().collect::<Vec<_>>(), kept);
    assert_eq!(set.is_valid(), !set.problems.iter().any(config_file::Problem::is_error));
    let told: Vec<_> = set.problems.iter().map(ToString::to_string).collect();
    expected.assert_eq(&told.join("\n"));
}

fn agent(name: &str, transitions: &str) -> String {
    format!("name: {name}\nsystemPrompt: x\ntransitions: {transitions}\n")
}

#[test]
fn an_unknown_target_is_an_error_and_the_others_stay() {
    check(
        &[
            ("a.yaml", &agent("a", "{onSuccess: devloper, onFailure: nobody}")),
            ("b.yaml", &agent("developer", "{onSuccess: complete}")),
        ],
        &["developer"],
        &expect![[r#"
            error: agent `a` references unknown agent `devloper` in `transitions.onSuccess`
              --> a.yaml:3:26
               |
             3 | transitions: {onSuccess: devloper, onFailure: nobody}
               |                          ^^^^^^^^
            expected: the name of an agent, or `complete`
            hint: did you mean `developer`?

            error: agent `a` references unknown agent `nobody` in `transitions.onFailure`
              --> a.yaml:3:47
               |
             3 | transitions: {onSuccess: devloper, onFailure: nobody}
               |                                               ^^^^^^
            expected: the name of an agent, or `complete`
            hint: use `a`, `developer`
        "#]],
    );
}

#[test]
fn whoever_names_a_broken_agent_is_left_out_too() {
    check(
        &[
            ("a.yaml", &agent("a", "{onSuccess: b}")),
            ("b.yaml", &agent("b", "{onSuccess: complete, onFailure: gone}")),
            ("c.yaml", &agent("c", "{onSuccess: complete}")),
        ],
        &["c"],
        &expect![[r#"
            error: agent `b` references unknown agent `gone` in `transitions.onFailure`
              --> b.yaml:3:47
               |
             3 | transitions: {onSuccess: complete, onFailure: gone}
               |                                               ^^^^
            expected: the name of an agent, or `complete`
            hint: use `a`, `b`, `c`

            error: agent `a` references unknown agent `b` in `transitions.onSuccess`
              --> a.yaml:3:26
               |
             3 | transitions: {onSuccess: b}
               |                          ^
            expected: the name of an agent, or `complete`
            hint: correct the errors of `b`
        "#]],
    );
}

#[test]
fn a_name_that_is_taken_is_an_error_naming_both_files() {
    check(
        &[
            (".rawko/agents/a.yaml", &agent("a", "{onSuccess: complete}")),
            (".rawko/agents/z.md", "---\nname: a\ntransitions: {onSuccess: complete}\n---\nx"),
            (".claude/agents/a.md", "---\nname: a\ndescription: x\n---\nx"),
        ],
        &["a"],
        &expect![[r#"
            error: the agent `a` is also defined in `.rawko/agents/a.yaml`
              --> .rawko/agents/z.md:2:7
               |
             2 | name: a
               |       ^
            hint: give one of them another name

            warning: the agent `a` is also defined in `.rawko/agents/a.yaml`
              --> .claude/agents/a.md:2:7
               |
             2 | name: a
               |       ^
            hint: remove one of them; the other one is used
        "#]],
    );
}

#[test]
fn circles_are_warned_of_once() {
    check(
        &[
            ("a.yaml", &agent("a", "{onSuccess: a}")),
            ("b.yaml", &agent("b", "{onSuccess: c}")),
            ("c.yaml", &agent("c", "{onSuccess: d}")),
            ("d.yaml", &agent("d", "{onSuccess: b}")),
            ("e.yaml", &agent("e", "{onSuccess: b}")),
        ],
        &["a", "b", "c", "d", "e"],
        &expect![[r#"
            warning: agent `a` transitions to itself on success (potential infinite loop)
              --> a.yaml:3:26
               |
             3 | transitions: {onSuccess: a}
               |                          ^
            hint: let one of them transition to `complete`; now only the limits end the workflow

            warning: the success transitions form a cycle: b → c → d → b
              --> b.yaml:3:26
               |
             3 | transitions: {onSuccess: c}
               |                          ^
            hint: let one of them transition to `complete`; now only the limits end the workflow
        "#]],
    );
}

#[test]
fn circles_through_any_transition_are_warned_of() {
    // The first agent also tries again by itself, which hides no circle; the last one says how its circle ends.
    check(
        &[
            ("a.yaml", &agent("a", "{onSuccess: b, onFailure: a}")),
            (
                "b.yaml",
                &agent(
                    "b",
                    r#"{onSuccess: complete, onFailure: c, custom: [{condition: "output contains 'x'", target: a}]}"#,
                ),
            ),
            ("c.yaml", &agent("c", "{onSuccess: complete, onMaxIterations: b}")),
            ("d.yaml", &agent("d", "{onSuccess: e}")),
            ("e.yaml", &agent("e", "{onSuccess: complete, onFailure: d, onMaxIterations: complete}")),
        ],
        &["a", "b", "c", "d", "e"],
        &expect![[r#"
            warning: the transitions form a cycle: a → b → a
              --> a.yaml:3:26
               |
             3 | transitions: {onSuccess: b, onFailure: a}
               |                          ^
            hint: give one of them an `onMaxIterations` that leaves the cycle; now only the limits end the workflow

            warning: the transitions form a cycle: b → c → b
              --> b.yaml:3:47
               |
             3 | transitions: {onSuccess: complete, onFailure: c, custom: [{condition: "output contains 'x'", target:…
               |                                               ^
            hint: give one of them an `onMaxIterations` that leaves the cycle; now only the limits end the workflow
        "#]],
    );
}

#[test]
fn a_target_whose_file_has_errors_is_no_unknown_name() {
    let documents = load_text("a.yaml", &agent("a", "{onSuccess: b}")).document;
    let set = AgentSet::beside_invalid(documents, &["b".to_owned()].into());
    let hints: Vec<_> = set.problems.iter().filter_map(|it| it.hint.clone()).collect();
    assert_eq!(hints, ["correct the errors of `b`"]);
}
