//! Parses the transitions of an agent.

use crate::definition::{CustomTransition, Transitions};
use crate::workflow::{Condition, ConditionError};
use config_file::{Fields, LocatedString, Report};

/// Parses them, and lists every agent they refer to with its field.
pub(super) fn read(
    agent: &Fields<'_, '_>,
    report: &mut Report<'_>,
) -> (Option<Transitions>, Vec<(String, LocatedString)>) {
    let mut targets = Vec::new();
    let Some(fields) = agent.object("transitions", report) else { return (None, targets) };
    let on_success = fields.string("onSuccess", report);
    let on_failure = fields.string("onFailure", report);
    let on_max_iterations = fields.string("onMaxIterations", report);
    let singles =
        [("onSuccess", &on_success), ("onFailure", &on_failure), ("onMaxIterations", &on_max_iterations)];
    for (key, written) in singles {
        targets.extend(written.clone().map(|it| (fields.name(key), it)));
    }
    let custom = custom(&fields, &mut targets, report);
    let transitions = on_success.map(|on_success| Transitions {
        on_success: on_success.text,
        on_failure: on_failure.map(|it| it.text),
        on_max_iterations: on_max_iterations.map(|it| it.text),
        custom,
    });
    (transitions, targets)
}

fn custom(
    transitions: &Fields<'_, '_>,
    targets: &mut Vec<(String, LocatedString)>,
    report: &mut Report<'_>,
) -> Vec<CustomTransition> {
    let mut custom = Vec::new();
    for fields in transitions.objects("custom", report) {
        let condition = fields.string("condition", report).and_then(|it| condition(&it, report));
        let target = fields.string("target", report);
        targets.extend(target.clone().map(|it| (fields.name("target"), it)));
        if let (Some(condition), Some(target)) = (condition, target) {
            custom.push(CustomTransition { condition, target: target.text });
        }
    }
    custom
}

fn condition(written: &LocatedString, report: &mut Report<'_>) -> Option<Condition> {
    match written.text.parse::<Condition>() {
        Ok(condition) => Some(condition),
        Err(ConditionError { column, width, message, expected, hint }) => {
            let at = written.part(report.source(), column, width);
            let problem = report.error(at, message);
            problem.expected = Some(expected);
            problem.hint = hint;
            None
        }
    }
}
