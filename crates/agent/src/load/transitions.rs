//! Reads the transitions of an agent.

use crate::definition::{CustomTransition, Transitions};
use crate::fields::{Fields, Written};
use crate::report::Report;
use crate::source::Mark;
use crate::workflow::{Condition, ConditionError};
use crate::yaml::{Data, Node};

pub(crate) const TRANSITIONS_KEYS: &[&str] = &["onSuccess", "onFailure", "onMaxIterations", "custom"];
pub(crate) const CUSTOM_KEYS: &[&str] = &["condition", "target"];

/// Reads them, and lists every agent they name with the field it stands in.
pub(super) fn read(
    agent: &Fields<'_>,
    report: &mut Report<'_>,
) -> (Option<Transitions>, Vec<(String, Written)>) {
    let mut targets = Vec::new();
    let Some(node) = agent.get("transitions") else {
        let problem = report.error(agent.at(), "`transitions` is missing");
        problem.expected = Some("`transitions:` with `onSuccess: …` below it".to_owned());
        problem.hint = Some("`onSuccess: complete` ends the workflow after this agent".to_owned());
        return (None, targets);
    };
    let Some(fields) = Fields::of(node, "transitions", TRANSITIONS_KEYS, report) else {
        return (None, targets);
    };
    let on_success = fields.required_text("onSuccess", report);
    let on_failure = fields.text("onFailure", report);
    let on_max_iterations = fields.text("onMaxIterations", report);
    let singles =
        [("onSuccess", &on_success), ("onFailure", &on_failure), ("onMaxIterations", &on_max_iterations)];
    for (key, written) in singles {
        targets.extend(written.clone().map(|it| (fields.name(key), it)));
    }
    let custom = fields.get("custom").map(|it| custom(it, &mut targets, report)).unwrap_or_default();
    let transitions = on_success.map(|on_success| Transitions {
        on_success: on_success.text,
        on_failure: on_failure.map(|it| it.text),
        on_max_iterations: on_max_iterations.map(|it| it.text),
        custom,
    });
    (transitions, targets)
}

fn custom(
    node: &Node,
    targets: &mut Vec<(String, Written)>,
    report: &mut Report<'_>,
) -> Vec<CustomTransition> {
    let Data::List(items) = &node.data else {
        let problem = report.error(node.at, format!("`transitions.custom` is {}", node.kind()));
        problem.expected = Some("a list of `condition` and `target`".to_owned());
        return Vec::new();
    };
    let mut transitions = Vec::new();
    for (index, item) in items.iter().enumerate() {
        let path = format!("transitions.custom[{index}]");
        let Some(fields) = Fields::of(item, &path, CUSTOM_KEYS, report) else { continue };
        let condition = fields.required_text("condition", report).and_then(|written| {
            let inside = fields.get("condition").map_or(0, |it| lead(it, &written.text));
            condition(&written, inside, report)
        });
        let target = fields.required_text("target", report);
        targets.extend(target.clone().map(|it| (fields.name("target"), it)));
        if let (Some(condition), Some(target)) = (condition, target) {
            transitions.push(CustomTransition { condition, target: target.text });
        }
    }
    transitions
}

fn condition(written: &Written, lead: usize, report: &mut Report<'_>) -> Option<Condition> {
    match written.text.parse::<Condition>() {
        Ok(condition) => Some(condition),
        Err(ConditionError { column, width, message, expected, hint }) => {
            let at = Mark { line: written.at.line, column: written.at.column + lead + column, width };
            let problem = report.error(at, message);
            problem.expected = Some(expected);
            problem.hint = hint;
            None
        }
    }
}

/// Returns how many characters stand before the text itself: a quote, or nothing.
pub(super) fn lead(node: &Node, text: &str) -> usize {
    let quoted = node.at.width == text.chars().count() + 2;
    usize::from(quoted && matches!(node.data, Data::Scalar { plain: false, .. }))
}
