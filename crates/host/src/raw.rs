//! The contract's own words, for scripts, editors and tests.
//!
//! What goes in is spelled like VS Code's payloads, in `snake_case` or camelCase. What
//! comes out is the verdict as the contract's modules would write it (§7, §9):
//! `decision` is always there and says `allow` when nobody objects, `reason` says why
//! for an ask and a deny, and `denyReason` repeats it for a deny under the name the
//! contract gives it.

use event::{Decision, Verdict};
use serde::Serialize;
use serde_json::{Map, Value};

use crate::{Moment, claude_code};

/// Raw payloads may name any event of Claude Code; those of the contract are among them.
pub(crate) const EVENTS: &[(&str, Moment)] = claude_code::EVENTS;

/// What may be sent as `raw`: the input schema of the contract.
///
/// Every name is accepted in camelCase too. Nothing is required, because the command
/// line may name the event; an event about a tool call needs `tool_name`.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(title = "hook-input"))]
pub struct RawInputWire {
    /// Which of the eight events; may be left to the command line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hook_event_name: Option<String>,
    /// The session's id, any text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session_id: Option<String>,
    /// The folder the agent works in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cwd: Option<String>,
    /// Where the conversation is kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub transcript_path: Option<String>,
    /// When it happened, ISO 8601.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timestamp: Option<String>,
    /// The model behind the agent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The host's permission mode.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub permission_mode: Option<String>,
    /// The subagent's id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent_id: Option<String>,
    /// The subagent's role.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent_type: Option<String>,
    /// `SessionStart`: why it begins.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// `UserPromptSubmit`: what was typed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt: Option<String>,
    /// `PreToolUse`, `PostToolUse`: the tool.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_name: Option<String>,
    /// `PreToolUse`, `PostToolUse`: its input; an object, the JSON of one, or a patch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_input: Option<Value>,
    /// `PreToolUse`, `PostToolUse`: the call's id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_use_id: Option<String>,
    /// `PostToolUse`: what the tool gave back.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_response: Option<Value>,
    /// `PostToolUse`: what went wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// `PreCompact`: `manual` or `auto`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trigger: Option<String>,
    /// `PreCompact`: what the summary shall keep.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub custom_instructions: Option<String>,
    /// `Stop`, `SubagentStop`: a hook has kept it going already.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stop_hook_active: Option<bool>,
    /// `Stop`, `SubagentStop`: the last thing it said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_assistant_message: Option<String>,
}

/// What is printed for `raw`: the output schema of the contract.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(title = "hook-output"))]
pub struct RawOutputWire {
    /// Whether it may go on.
    pub decision: RawDecisionWire,
    /// Why it is denied or asked about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Why it is denied, under the contract's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deny_reason: Option<String>,
    /// The complete input the tool shall run with instead.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub updated_input: Option<Map<String, Value>>,
    /// Texts for the model.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub additional_context: Vec<RawContextWire>,
    /// Texts for the person.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// The contract's three decisions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum RawDecisionWire {
    /// It may go on, or nobody objects.
    Allow,
    /// A person has to decide.
    Ask,
    /// It may not.
    Deny,
}

/// A text for the model and what it is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RawContextWire {
    /// What it is about.
    pub key: String,
    /// The text.
    pub value: String,
}

impl From<&Verdict> for RawOutputWire {
    fn from(verdict: &Verdict) -> Self {
        let decision = match verdict.decision {
            Decision::Abstain | Decision::Allow => RawDecisionWire::Allow,
            Decision::Ask { .. } => RawDecisionWire::Ask,
            Decision::Deny { .. } => RawDecisionWire::Deny,
        };
        let denied = verdict.decision.is_deny();
        let reason = verdict.decision.reason().map(str::to_owned);
        let note =
            |note: &event::ContextNote| RawContextWire { key: note.key.clone(), value: note.value.clone() };
        Self {
            decision,
            deny_reason: reason.clone().filter(|_| denied),
            reason,
            updated_input: verdict.rewrite.clone().filter(|_| !denied),
            additional_context: verdict.context.iter().map(note).collect(),
            warnings: verdict.warnings.clone(),
        }
    }
}

pub(crate) fn answer(verdict: &Verdict) -> Map<String, Value> {
    match serde_json::to_value(RawOutputWire::from(verdict)) {
        Ok(Value::Object(answer)) => answer,
        // A struct of texts and JSON values becomes an object; there is no other case.
        _ => Map::new(),
    }
}
