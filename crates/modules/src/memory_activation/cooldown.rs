//! Limits how often a rule fires, with pointers in the state.

use project_config::{FollowupRule, OncePer};
use serde_json::{Map, Value, json};

use crate::Context;

/// Returns whether a rule has fired too recently to fire again.
pub(super) fn holds_back(context: &Context<'_>, rule: &FollowupRule) -> bool {
    let Some(last) = context.state.memory.get("fired").and_then(|fired| fired.get(&rule.id)) else {
        return false;
    };
    let once = match rule.cooldown.once_per {
        None => false,
        Some(OncePer::Session) => true,
        Some(OncePer::Work) => last["work"] == context.ids.work.to_string(),
    };
    let since = context.ids.run.at_ms.saturating_sub(last["ts"].as_u64().unwrap_or(0));
    let too_soon = rule.cooldown.seconds.is_some_and(|seconds| since < seconds.saturating_mul(1000));
    once || too_soon
}

/// Returns the patch that records a rule as fired; empty for a rule without a cooldown.
pub(super) fn fired(context: &Context<'_>, rule: &FollowupRule) -> Map<String, Value> {
    if rule.cooldown.once_per.is_none() && rule.cooldown.seconds.is_none() {
        return Map::new();
    }
    let last = json!({"work": context.ids.work.to_string(), "ts": context.ids.run.at_ms});
    Map::from_iter([("memory".to_owned(), json!({"fired": {rule.id.as_str(): last}}))])
}
