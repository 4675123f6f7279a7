//! Who is next.

use std::fmt::Write;
use std::time::Duration;

use agent::workflow::{Failure, Outcome, Progress, Step, Workflow};
use agent::{AgentSet, Constraints};
use proptest::prelude::*;

use crate::project::{agent_set, load_text};

const SECOND: Duration = Duration::from_secs(1);

/// Runs a workflow over outcomes (`+text` is success, `-` failure) and returns the way it took.
fn way(set: &AgentSet, constraints: Constraints, from: &str, outcomes: &[&str]) -> String {
    let workflow = Workflow { agents: &set.agents, constraints };
    let mut progress = Progress::from(from);
    let mut step = workflow.first(&mut progress);
    let mut way = Vec::new();
    let mut outcomes = outcomes.iter();
    loop {
        match step {
            Step::Run { agent, because } => {
                way.push(format!("{agent} ({because})"));
                let Some(outcome) = outcomes.next() else { return way.join(", ") };
                let outcome = match outcome.strip_prefix('+') {
                    Some(output) => Outcome::Success { output: output.to_owned() },
                    None => Outcome::Failure { reason: "broken".to_owned() },
                };
                step = workflow.next(&mut progress, &outcome, SECOND);
            }
            Step::Complete => way.push("complete".to_owned()),
            Step::Failed(ref failure) => way.push(failure.to_string()),
        }
        if !matches!(step, Step::Run { .. })
            && way
                .last()
                .is_some_and(|it| !it.contains('(') || it.contains("limits.") || it.contains("constraints."))
        {
            return way.join(", ");
        }
    }
}

fn agent(name: &str, rest: &str) -> String {
    format!("name: {name}\nsystemPrompt: x\n{rest}\n")
}

fn three() -> AgentSet {
    agent_set(&[
        (
            "plan.yaml",
            &agent(
                "plan",
                "transitions:\n  onSuccess: code\n  custom:\n  - {condition: \"output contains 'done'\", target: complete}\n  - {condition: \"output contains 'test'\", target: test}\nlimits: {maxIterations: 2}",
            ),
        ),
        (
            "code.yaml",
            &agent(
                "code",
                "transitions: {onSuccess: test, onFailure: plan}\nlimits: {timeout: 5000, maxTokens: 7}",
            ),
        ),
        (
            "test.yaml",
            &agent(
                "test",
                "transitions: {onSuccess: complete, onFailure: code, onMaxIterations: plan}\nlimits: {maxIterations: 1}",
            ),
        ),
    ])
}

#[test]
fn success_takes_the_first_custom_transition_that_applies_else_on_success() {
    let check = |outcomes: &[&str], expected: &str| {
        assert_eq!(way(&three(), Constraints::default(), "plan", outcomes), expected);
    };
    check(&["+ok"], "plan (the workflow begins), code (onSuccess)");
    check(&["+to test"], "plan (the workflow begins), test (output contains 'test')");
    check(&["+test is done"], "plan (the workflow begins), complete");
    check(&["+ok", "+ok", "+ok"], "plan (the workflow begins), code (onSuccess), test (onSuccess), complete");
}

#[test]
fn failure_goes_to_on_failure_which_is_the_agent_itself_by_default() {
    let check = |from: &str, outcomes: &[&str], expected: &str| {
        assert_eq!(way(&three(), Constraints::default(), from, outcomes), expected);
    };
    check("code", &["-"], "code (the workflow begins), plan (onFailure)");
    check("plan", &["-"], "plan (the workflow begins), plan (onFailure)");
}

#[test]
fn an_agent_that_may_not_run_again_hands_over_or_fails() {
    let check = |from: &str, outcomes: &[&str], expected: &str| {
        assert_eq!(way(&three(), Constraints::default(), from, outcomes), expected);
    };
    check("test", &["-", "+ok"], "test (the workflow begins), code (onFailure), plan (onMaxIterations)");
    check(
        "plan",
        &["-", "-"],
        "plan (the workflow begins), plan (onFailure), agent `plan` has run 2 iterations (limits.maxIterations) and has no `onMaxIterations` left",
    );
}

#[test]
fn the_projects_constraints_end_every_run() {
    let forever = agent_set(&[("a.yaml", &agent("a", "transitions: {onSuccess: a}"))]);
    let check = |constraints: Constraints, outcomes: &[&str], expected: &str| {
        assert!(way(&forever, constraints, "a", outcomes).ends_with(expected), "{expected}");
    };
    let default = Constraints::default();
    check(
        Constraints { max_iterations: 3, ..default },
        &["+"; 9],
        "3 iterations (constraints.maxIterations)",
    );
    check(default, &["-"; 9], "3 failures in a row (constraints.maxFailures); the last: broken");
    check(default, &["-", "-", "+", "-", "-"], "a (onFailure)");
    check(Constraints { timeout: 2 * SECOND, ..default }, &["+"; 9], "2000 ms (constraints.timeoutMs)");
}

#[test]
fn a_run_may_take_what_is_left_or_its_own_limit() {
    let set = three();
    let workflow = Workflow { agents: &set.agents, constraints: Constraints::default() };
    let mut progress = Progress::from("code");
    assert_eq!(workflow.allowance(&progress).timeout, Duration::from_secs(5));
    assert_eq!(workflow.allowance(&progress).max_tokens, Some(7));
    progress.elapsed = Duration::from_secs(597);
    assert_eq!(workflow.allowance(&progress).timeout, Duration::from_secs(3));
}

#[test]
fn an_agent_that_does_not_exist_is_a_failure_not_a_panic() {
    let set = three();
    let workflow = Workflow { agents: &set.agents, constraints: Constraints::default() };
    let gone = Step::Failed(Failure::UnknownAgent { agent: "gone".to_owned() });
    let mut progress = Progress::from("gone");
    assert_eq!(workflow.first(&mut progress), gone);
    assert_eq!(workflow.next(&mut progress, &Outcome::Success { output: String::new() }, SECOND), gone);
}

/// Any agent among five, with any transitions between them.
fn any_agent(index: usize) -> impl Strategy<Value = String> {
    let target = prop_oneof![(0..5_usize).prop_map(|it| format!("a{it}")), Just("complete".to_owned())];
    let maybe = proptest::option::of(target.clone());
    let custom = proptest::collection::vec(
        (prop_oneof!["output contains 'x'", "not output equals 'y'"], target.clone()),
        0..3,
    );
    let limit = proptest::option::of(1..4_u64);
    (target, maybe.clone(), maybe, custom, limit).prop_map(move |(success, failure, most, custom, limit)| {
        let mut text = format!("name: a{index}\nsystemPrompt: x\ntransitions:\n  onSuccess: {success}\n");
        text += &failure.map(|it| format!("  onFailure: {it}\n")).unwrap_or_default();
        text += &most.map(|it| format!("  onMaxIterations: {it}\n")).unwrap_or_default();
        if !custom.is_empty() {
            text += "  custom:\n";
        }
        for (condition, target) in custom {
            let _ = write!(text, "    - condition: \"{condition}\"\n      target: {target}\n");
        }
        text += &limit.map(|it| format!("limits:\n  maxIterations: {it}\n")).unwrap_or_default();
        text
    })
}

proptest! {
    #[test]
    fn whatever_validates_runs_to_an_end(
        agents in (any_agent(0), any_agent(1), any_agent(2), any_agent(3), any_agent(4)),
        script in proptest::collection::vec(proptest::option::of("[xy]{0,2}"), 1..60),
        limits in (1..60_u64, 1..6_u64),
    ) {
        let texts = [agents.0, agents.1, agents.2, agents.3, agents.4];
        let documents = texts.iter().map(|it| load_text("a.yaml", it).document.unwrap());
        let set = AgentSet::new(documents);
        prop_assert!(set.is_valid());
        let constraints = Constraints { max_iterations: limits.0, max_failures: limits.1, ..Constraints::default() };
        let workflow = Workflow { agents: &set.agents, constraints };
        let mut progress = Progress::from("a0");
        let mut step = workflow.first(&mut progress);
        let mut script = script.iter().cycle();
        let mut n_runs = 0;
        while let Step::Run { agent, .. } = &step {
            prop_assert!(set.agents.contains_key(agent));
            prop_assert_eq!(agent, &progress.agent);
            n_runs += 1;
            prop_assert!(n_runs <= limits.0, "runs beyond the limit");
            let own = set.agents[agent].limits.max_iterations;
            prop_assert!(own.is_none_or(|it| progress.runs_of_current() < it));
            let outcome = match script.next().unwrap() {
                Some(output) => Outcome::Success { output: output.clone() },
                None => Outcome::Failure { reason: "no".to_owned() },
            };
            step = workflow.next(&mut progress, &outcome, SECOND);
        }
    }
}
