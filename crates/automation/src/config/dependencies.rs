//! Checks the dependencies between the automations of one file: every id exists, and none leads back to itself.

use std::collections::HashMap;

use config_file::{Report, Span, nearest};

use crate::{Automation, AutomationId};

/// Adds an error for each automation that depends on an unknown one or, by way of others, on itself.
pub(super) fn check(automations: &[(Automation, Span)], report: &mut Report<'_>) {
    let by_id: HashMap<&AutomationId, &Automation> = automations.iter().map(|(it, _)| (&it.id, it)).collect();
    for (automation, at) in automations {
        for id in automation.depends_on.iter().filter(|id| !by_id.contains_key(id)) {
            let message = format!("`{}` depends on the unknown automation `{id}`", automation.id);
            let known = by_id.keys().map(|it| it.as_str());
            report.error(*at, message).hint = Some(match nearest(id.as_str(), known) {
                Some(meant) => format!("did you mean `{meant}`?"),
                None => "name automations of the same file in `dependsOn`".to_owned(),
            });
        }
        if let Some(cycle) = cycle(automation, &by_id) {
            let ids: Vec<String> = cycle.iter().map(|it| format!("`{it}`")).collect();
            report.error(*at, format!("`{}` depends on itself: {}", automation.id, ids.join(" → "))).hint =
                Some("remove one of these dependencies".to_owned());
        }
    }
}

/// Returns the way from an automation back to itself.
fn cycle<'a>(
    start: &'a Automation,
    by_id: &HashMap<&'a AutomationId, &'a Automation>,
) -> Option<Vec<&'a AutomationId>> {
    // The automation that led to each visited one.
    let mut led_by: HashMap<&AutomationId, &AutomationId> = HashMap::new();
    let mut open = vec![start];
    while let Some(automation) = open.pop() {
        for next in automation.depends_on.iter().filter_map(|id| by_id.get(id)) {
            if next.id == start.id {
                let mut way = vec![&start.id];
                let mut last = &automation.id;
                while *last != start.id {
                    way.push(last);
                    last = led_by.get(last)?;
                }
                way.push(&start.id);
                way.reverse();
                return Some(way);
            }
            if !led_by.contains_key(&next.id) {
                led_by.insert(&next.id, &automation.id);
                open.push(next);
            }
        }
    }
    None
}
