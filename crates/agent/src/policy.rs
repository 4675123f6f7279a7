//! Judges a tool call by the tools that its agent may use.
//!
//! INVARIANT: if a rule may or may not match a call, a block applies and an allowance does not.

mod check;
mod foreign_name;
mod mcp;
mod permission;
mod rules;
mod shell_filter;
mod tool_pattern;

use crate::definition::Tools;
use crate::tool_name::Builtin;

pub use check::{CallContext, check};
pub use permission::{Denial, Permission, Rule};
pub(crate) use rules::RulesRecord;
pub use rules::{AgentRules, Rules};
pub use tool_pattern::ToolPattern;

/// Returns the built-in tools that an agent may use, in the order of the specification, regardless
/// of the filter of shell commands.
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
