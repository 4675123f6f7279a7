//! Limits how often hooks may keep an agent from stopping.
//!
//! WHY: a module that denies every stop keeps the agent busy forever. Some hosts have a limit (Claude Code and
//! Copilot eight, Cursor five); Codex, Gemini, Qwen and VS Code continue without end.

use event::{Decision, Detail, Event};
use host::{ReplyTarget, Verb};
use project_config::Manifest;
use serde_json::{Map, Value, json};
use session::{Ids, State, patch_of_core, reason_hash};

use crate::merged_verdict::MergedVerdict;

/// The limit without a setting: enough for an agent to repair what a module objects to.
const DEFAULT_LIMIT: u32 = 5;

/// The inputs of the limit.
pub(crate) struct StopLimit<'a> {
    /// The event.
    pub event: &'a Event,
    /// The host and its event.
    pub target: &'a ReplyTarget,
    /// The project's settings.
    pub manifest: &'a Manifest,
    /// The ids of the run.
    pub ids: Ids,
    /// The state before the event.
    pub state: &'a State,
}

/// How often the agent has been kept from stopping, after this event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TimesKept(u64);

impl StopLimit<'_> {
    /// Lets the agent stop if hooks have kept it from stopping too often in this turn, and warns the first time.
    /// Returns the new count; `None` if it stays the same.
    pub(crate) fn apply(&self, merged: &mut MergedVerdict) -> Option<TimesKept> {
        let kept_going = match &self.event.detail {
            Detail::Stop { kept_going, .. } | Detail::SubagentStop { kept_going, .. } => *kept_going,
            _ => return None,
        };
        if !merged.verdict.decision.is_deny() || !host::can(self.target, Verb::Deny) {
            return None;
        }
        let kept = self.state.core.times_kept(self.ids.agent, self.ids.turn, kept_going);
        let limit = u64::from(self.manifest.max_kept_stops.unwrap_or(DEFAULT_LIMIT));
        if limit == 0 || kept < limit {
            return Some(TimesKept(kept + 1));
        }
        let module = merged.decided_by.take().unwrap_or_default();
        let part = format!(
            "`{module}` kept the agent from stopping {limit} times in a row; now the agent stops \
             (`maxKeptStops` in the manifest)"
        );
        merged.verdict.decision = Decision::Abstain;
        let is_first = kept == limit;
        if is_first {
            merged.ignore(part);
        } else {
            merged.ignored.push(part);
        }
        is_first.then_some(TimesKept(kept + 1))
    }
}

impl TimesKept {
    /// Returns the patch to the state. `reason` is the reason as the host receives it.
    pub(crate) fn patch(self, ids: Ids, reason: Option<&str>) -> Map<String, Value> {
        let (reason, n_lines) = reason.map(reason_hash).unwrap_or_default();
        let entry = json!({"turn": ids.turn, "count": self.0, "reason": reason, "lines": n_lines});
        patch_of_core([("keptStops", Value::Object(Map::from_iter([(ids.agent.to_string(), entry)])))])
    }
}
