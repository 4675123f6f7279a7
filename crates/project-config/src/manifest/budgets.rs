//! The time budget of each event (contract §8.2).

use std::time::Duration;

use event::EventName;
use serde::{Deserialize, Serialize};

/// Milliseconds per event; the contract's value where the manifest has none.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "PascalCase", default)]
#[expect(missing_docs, reason = "each field is the event of that name")]
pub struct Budgets {
    pub session_start: Option<u32>,
    pub user_prompt_submit: Option<u32>,
    pub pre_tool_use: Option<u32>,
    pub post_tool_use: Option<u32>,
    pub pre_compact: Option<u32>,
    pub stop: Option<u32>,
    pub subagent_start: Option<u32>,
    pub subagent_stop: Option<u32>,
}

/// A smaller budget would end normal runs.
const AT_LEAST_MS: u32 = 10;

impl Budgets {
    /// Returns the budget of a run for this event.
    pub fn of(&self, event: EventName) -> Duration {
        let (set, default_ms) = match event {
            EventName::SessionStart => (self.session_start, 5000),
            EventName::UserPromptSubmit => (self.user_prompt_submit, 1000),
            EventName::PreToolUse => (self.pre_tool_use, 300),
            EventName::PostToolUse => (self.post_tool_use, 500),
            EventName::PreCompact => (self.pre_compact, 1000),
            EventName::Stop => (self.stop, 5000),
            EventName::SubagentStart => (self.subagent_start, 1000),
            EventName::SubagentStop => (self.subagent_stop, 1000),
        };
        Duration::from_millis(u64::from(set.unwrap_or(default_ms).max(AT_LEAST_MS)))
    }
}
