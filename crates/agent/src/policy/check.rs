//! Judges a call: first blocked tools, then allowed tools, then shell commands.

use event::{ToolCall, ToolKind};
use shell::Place;

use super::permission::{Denial, Permission, Rule};
use super::shell_filter;
use super::tool_pattern::ToolPattern;
use crate::definition::{Definition, Strictness, Tools};
use crate::pattern::Pattern;
use crate::tool_name::Builtin;

/// The conditions of a call besides the agent's definition.
#[derive(Debug, Clone, Copy)]
pub struct CallContext<'a> {
    /// The folder in which a command line would run.
    pub place: Place<'a>,
    /// The project's patterns for every agent.
    pub global_blocked_patterns: &'a [Pattern],
}

impl<'a> CallContext<'a> {
    /// Returns conditions without patterns.
    pub fn at(place: Place<'a>) -> Self {
        Self { place, global_blocked_patterns: &[] }
    }
}

/// The agent that makes a call: its name and tools.
#[derive(Debug, Clone, Copy)]
pub(super) struct Subject<'a> {
    pub(super) name: &'a str,
    pub(super) tools: &'a Tools,
}

/// Judges a call by its agent's definition.
pub fn check(definition: &Definition, call: &ToolCall, terms: &CallContext<'_>) -> Permission {
    judge(Subject { name: &definition.name, tools: &definition.tools }, call, terms)
}

pub(super) fn judge(subject: Subject<'_>, call: &ToolCall, terms: &CallContext<'_>) -> Permission {
    let needs = needs(call);
    let denial = blocked(subject, call, &needs)
        .or_else(|| not_allowed(subject, call, &needs))
        .or_else(|| shell_filter::check(&subject.tools.bash_filter, call, terms));
    denial.map_or(Permission::Allowed, Permission::Denied)
}

/// Returns the built-in tools that a call amounts to.
fn needs(call: &ToolCall) -> Vec<Builtin> {
    let needs = Builtin::behind(&call.name, &call.kind);
    // A patch states whether it creates, removes or changes files.
    if call.kind == ToolKind::Write && needs.len() > 1 {
        let mut found = Vec::new();
        headers(&call.input, &mut found);
        if !found.is_empty() {
            found.sort_unstable();
            found.dedup();
            return found;
        }
    }
    needs
}

/// Collects the built-in tools for the headers of a patch, at any depth of the input.
fn headers(input: &serde_json::Value, found: &mut Vec<Builtin>) {
    match input {
        serde_json::Value::String(text) if text.contains("*** ") => {
            for line in text.lines().map(str::trim_start) {
                if line.starts_with("*** Update File:") {
                    found.push(Builtin::Edit);
                }
                let makes = ["*** Add File:", "*** Delete File:", "*** Move to:"];
                if makes.iter().any(|it| line.starts_with(it)) {
                    found.push(Builtin::Write);
                }
            }
        }
        serde_json::Value::Array(items) => items.iter().for_each(|it| headers(it, found)),
        serde_json::Value::Object(fields) => fields.values().for_each(|it| headers(it, found)),
        _ => {}
    }
}

fn blocked(subject: Subject<'_>, call: &ToolCall, needs: &[Builtin]) -> Option<Denial> {
    let Subject { name, tools } = subject;
    let entry = tools.blocked.iter().find(|entry| {
        ToolPattern::read(entry, tools.strictness, true).is_some_and(|it| it.blocks(call, needs))
    })?;
    Some(Denial {
        reason: format!("The agent `{name}` may not use the tool `{}`", call.name),
        instead: instead(tools),
        rule: Rule::Blocked(entry.clone()),
    })
}

fn not_allowed(subject: Subject<'_>, call: &ToolCall, needs: &[Builtin]) -> Option<Denial> {
    let Subject { name, tools } = subject;
    let listed = tools.allowed.as_ref()?;
    // WHY: a list of tools that touch something does not concern tools that touch nothing, and hosts
    // cannot end a plan or ask a question without these.
    if call.kind == ToolKind::Harmless {
        return None;
    }
    let patterns: Vec<ToolPattern> =
        listed.iter().filter_map(|it| ToolPattern::read(it, tools.strictness, false)).collect();
    let has = |builtin: &Builtin| patterns.iter().any(|it| it.has(*builtin));
    let by_builtins = match call.kind {
        ToolKind::Write | ToolKind::Shell => !needs.is_empty() && needs.iter().all(has),
        _ => needs.iter().any(has),
    };
    if by_builtins || patterns.iter().any(|it| it.allows(call)) {
        return None;
    }
    let may_hide = matches!(call.kind, ToolKind::Unknown | ToolKind::Mcp { .. })
        && patterns.iter().any(|it| matches!(it, ToolPattern::Named(_)));
    if tools.strictness == Strictness::Foreign && may_hide {
        return None;
    }
    Some(Denial {
        reason: format!("The agent `{name}` may not use the tool `{}`", call.name),
        instead: instead(tools),
        rule: Rule::Allowed,
    })
}

fn instead(tools: &Tools) -> String {
    let usable: Vec<&str> = match &tools.allowed {
        None => return "Use another tool, or leave this to an agent that may.".to_owned(),
        Some(listed) => listed.iter().filter(|it| !tools.blocked.contains(it)).map(String::as_str).collect(),
    };
    if usable.is_empty() {
        return "This agent may use no tools: answer in words.".to_owned();
    }
    format!("Use one of: {}; leave the rest to an agent that may.", usable.join(", "))
}
