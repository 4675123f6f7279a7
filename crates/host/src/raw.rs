//! The contract's own format, for scripts, editors and tests.
//!
//! The input is spelled like VS Code's payloads, in `snake_case` or camelCase. The output is the
//! verdict as the contract's modules would write it (§7, §9): `decision` always exists and is `allow`
//! if no module objects, `reason` explains an ask or a deny, and `denyReason` repeats it for a deny
//! under the contract's name.

use event::{Decision, Verdict};
use serde::Serialize;
use serde_json::{Map, Value};

use crate::{EventKind, claude_code};

/// Raw payloads may name any event of Claude Code, which include the contract's.
pub(crate) const EVENTS: &[(&str, EventKind)] = claude_code::EVENTS;

/// The input of `raw`: the input schema of the contract.
///
/// Every name is accepted in camelCase too. Nothing is required, because the command line may name
/// the event; an event about a tool call needs `tool_name`.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(title = "hook-input"))]
pub struct RawInputWire {
    /// One of the eight events; optional if the command line names it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hook_event_name: Option<String>,
    /// The session's id, any string.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session_id: Option<String>,
    /// The folder the agent works in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cwd: Option<String>,
    /// The file of the conversation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub transcript_path: Option<String>,
    /// The time of the event, ISO 8601.
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
    /// `SessionStart`: the reason of the start.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// `UserPromptSubmit`: the prompt.
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
    /// `PostToolUse`: the tool's result.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_response: Option<Value>,
    /// `PostToolUse`: the error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// `PreCompact`: `manual` or `auto`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trigger: Option<String>,
    /// `PreCompact`: instructions for the summary.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub custom_instructions: Option<String>,
    /// `Stop`, `SubagentStop`: whether a hook has already made it continue.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stop_hook_active: Option<bool>,
    /// `Stop`, `SubagentStop`: the agent's last message.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_assistant_message: Option<String>,
}

/// The output of `raw`: the output schema of the contract.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(title = "hook-output"))]
pub struct RawOutputWire {
    /// The decision.
    pub decision: RawDecisionWire,
    /// The reason of an ask or a deny.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The reason of a deny, under the contract's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deny_reason: Option<String>,
    /// The complete input with which the tool runs instead.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub updated_input: Option<Map<String, Value>>,
    /// Context for the model.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub additional_context: Vec<RawContextWire>,
    /// Messages for the user.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// The tool's result as the model shall read it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub updated_output: Option<Value>,
    /// Why the agent's turn must end now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stop_reason: Option<String>,
}

/// The contract's three decisions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum RawDecisionWire {
    /// The call may proceed, or no module objects.
    Allow,
    /// The user must decide.
    Ask,
    /// The call must not proceed.
    Deny,
}

/// A string for the model with its topic.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RawContextWire {
    /// The topic.
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
            updated_output: verdict.replacement.as_ref().map(|replacement| replacement.response.clone()),
            stop_reason: verdict.end_turn.clone(),
        }
    }
}

pub(crate) fn answer(verdict: &Verdict) -> Map<String, Value> {
    match serde_json::to_value(RawOutputWire::from(verdict)) {
        Ok(Value::Object(answer)) => answer,
        // A struct of strings and JSON values always serializes to an object.
        _ => Map::new(),
    }
}
