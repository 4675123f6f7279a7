//! Claude Code: its events; its answers are the shape itself.

use serde_json::{Map, Value};

use crate::plan::Plan;
use crate::{Moment, Wire, claude_shape};

/// Every event of Claude Code's hooks reference.
pub(crate) const EVENTS: &[(&str, Moment)] = &[
    ("SessionStart", Moment::SessionStart),
    ("UserPromptSubmit", Moment::UserPromptSubmit),
    ("PreToolUse", Moment::PreToolUse),
    ("PostToolUse", Moment::PostToolUse),
    ("PostToolUseFailure", Moment::PostToolUseFailure),
    ("PreCompact", Moment::PreCompact),
    ("Stop", Moment::Stop),
    ("SubagentStart", Moment::SubagentStart),
    ("SubagentStop", Moment::SubagentStop),
    ("ConfigChange", Moment::Other),
    ("CwdChanged", Moment::Other),
    ("DirectoryAdded", Moment::Other),
    ("Elicitation", Moment::Other),
    ("ElicitationResult", Moment::Other),
    ("FileChanged", Moment::Other),
    ("InstructionsLoaded", Moment::Other),
    ("MessageDisplay", Moment::Other),
    ("Notification", Moment::Other),
    ("PermissionDenied", Moment::Other),
    ("PermissionRequest", Moment::Other),
    ("PostCompact", Moment::Other),
    ("PostToolBatch", Moment::Other),
    ("SessionEnd", Moment::Other),
    ("Setup", Moment::Other),
    ("StopFailure", Moment::Other),
    ("TaskCompleted", Moment::Other),
    ("TaskCreated", Moment::Other),
    ("TeammateIdle", Moment::Other),
    ("UserPromptExpansion", Moment::Other),
    ("WorktreeCreate", Moment::Other),
    ("WorktreeRemove", Moment::Other),
];

pub(crate) fn answer(wire: &Wire, plan: &Plan) -> Map<String, Value> {
    claude_shape::answer(wire, plan)
}
