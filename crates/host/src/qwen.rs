//! Qwen Code: Claude Code's event names and answer format, of which it reads fewer fields.

use serde_json::{Map, Value};

use crate::supported_verdict::SupportedVerdict;
use crate::{EventKind, ReplyTarget, claude_code, claude_shape};

/// Qwen adopted its event names from Claude Code.
pub(crate) const EVENTS: &[(&str, EventKind)] = claude_code::EVENTS;

pub(crate) fn answer(target: &ReplyTarget, supported: &SupportedVerdict) -> Map<String, Value> {
    claude_shape::answer(target, supported)
}
