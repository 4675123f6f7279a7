//! Qwen Code: Claude Code's names and shape, of which it reads less.

use serde_json::{Map, Value};

use crate::plan::Plan;
use crate::{Moment, Wire, claude_code, claude_shape};

/// Qwen took its event names over from Claude Code.
pub(crate) const EVENTS: &[(&str, Moment)] = claude_code::EVENTS;

pub(crate) fn answer(wire: &Wire, plan: &Plan) -> Map<String, Value> {
    claude_shape::answer(wire, plan)
}
