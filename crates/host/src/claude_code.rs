//! Claude Code: its events; its answers have the shape of [`claude_shape`].

use serde_json::{Map, Value};

use crate::supported_verdict::SupportedVerdict;
use crate::{EventKind, ReplyTarget, claude_shape};

/// All events in Claude Code's hooks reference.
pub(crate) const EVENTS: &[(&str, EventKind)] = &[
    ("SessionStart", EventKind::SessionStart),
    ("UserPromptSubmit", EventKind::UserPromptSubmit),
    ("PreToolUse", EventKind::PreToolUse),
    ("PostToolUse", EventKind::PostToolUse),
    ("PostToolUseFailure", EventKind::PostToolUseFailure),
    ("PreCompact", EventKind::PreCompact),
    ("Stop", EventKind::Stop),
    ("SubagentStart", EventKind::SubagentStart),
    ("SubagentStop", EventKind::SubagentStop),
    ("ConfigChange", EventKind::Other),
    ("CwdChanged", EventKind::Other),
    ("DirectoryAdded", EventKind::Other),
    ("Elicitation", EventKind::Other),
    ("ElicitationResult", EventKind::Other),
    ("FileChanged", EventKind::Other),
    ("InstructionsLoaded", EventKind::Other),
    ("MessageDisplay", EventKind::Other),
    ("Notification", EventKind::Other),
    ("PermissionDenied", EventKind::Other),
    ("PermissionRequest", EventKind::PermissionRequest),
    ("PostCompact", EventKind::Other),
    ("PostToolBatch", EventKind::Other),
    ("SessionEnd", EventKind::Other),
    ("Setup", EventKind::Other),
    ("StopFailure", EventKind::Other),
    ("TaskCompleted", EventKind::Other),
    ("TaskCreated", EventKind::Other),
    ("TeammateIdle", EventKind::Other),
    ("UserPromptExpansion", EventKind::Other),
    ("WorktreeCreate", EventKind::Other),
    ("WorktreeRemove", EventKind::Other),
];

pub(crate) fn answer(target: &ReplyTarget, supported: &SupportedVerdict) -> Map<String, Value> {
    claude_shape::answer(target, supported)
}
