//! Which tools of the specification an agent may use at all.

use super::tool_pattern::ToolPattern;
use crate::definition::Tools;
use crate::tool_name::Builtin;

/// Returns them in the order of the specification. What may be run in a shell is another question.
pub fn usable(tools: &Tools) -> Vec<Builtin> {
    let names = |entries: &[String], is_blocked: bool, builtin: Builtin| {
        let patterns = entries.iter().filter_map(|it| ToolPattern::read(it, tools.strictness, is_blocked));
        patterns.into_iter().any(|it| it == ToolPattern::Any || it.has(builtin))
    };
    let is_usable = |builtin: &Builtin| {
        let is_allowed = tools.allowed.as_ref().is_none_or(|listed| names(listed, false, *builtin));
        is_allowed && !names(&tools.blocked, true, *builtin)
    };
    Builtin::ALL.into_iter().filter(is_usable).collect()
}
