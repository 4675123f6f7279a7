//! Tests of the drawings of transitions.

use agent::graph::{mermaid, svg, text};
use expect_test::expect;

use crate::project::agent_set;

fn project() -> agent::AgentSet {
    agent_set(&[
        (
            "plan.yaml",
            "name: plan\ndisplayName: The <Planner>\nsystemPrompt: x\ntransitions:\n  onSuccess: code\n  onMaxIterations: code\n  custom:\n  - {condition: \"output contains '\\\"x\\\"'\", target: complete}\nlimits: {maxIterations: 5}\n",
        ),
        ("code.yaml", "name: code\nsystemPrompt: x\ntransitions: {onSuccess: complete, onFailure: code}\n"),
    ])
}

#[test]
fn as_text() {
    expect![[r#"
        code
        ├─ success ─▶ complete
        └─ failure ─▶ code (itself)

        plan (first) [at most 5]
        ├─ output contains '"x"' ─▶ complete
        ├─ success ───────────────▶ code
        └─ max iterations ────────▶ code
    "#]]
    .assert_eq(&text(&project().agents, Some("plan")));
}

#[test]
fn as_mermaid() {
    expect![[r#"
        flowchart TD
            start(( )) --> a1
            a0["code"]
            a1["The #lt;Planner#gt;"]
            done(["complete"])
            a0 -->|"success"| done
            a0 -.->|"failure"| a0
            a1 -->|"output contains '#quot;x#quot;'"| done
            a1 -->|"success"| a0
            a1 -.->|"max iterations"| a0
    "#]]
    .assert_eq(&mermaid(&project().agents, Some("plan")));
}

#[test]
fn as_svg_in_which_every_name_is_data() {
    let picture = svg(&project().agents, Some("plan"));
    assert!(picture.contains(">The &lt;Planner&gt;</text>"));
    assert!(!picture.contains("<Planner>"));
    assert_eq!(picture.matches("<path d=\"M").count(), 6);
    expect![[r#"<svg xmlns="http://www.w3.org/2000/svg" width="511" height="300" viewBox="0 0 511 300" font-family="sans-serif" font-size="13" role="img" aria-label="agents and their transitions">"#]].assert_eq(picture.lines().next().unwrap());
}

#[test]
fn of_no_agents_at_all() {
    assert_eq!(text(&agent_set(&[]).agents, None), "");
    assert!(svg(&agent_set(&[]).agents, None).contains("complete"));
}
