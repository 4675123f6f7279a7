//! Describes a tool call by its name and input.
//!
//! One table per host lists the host's tools and the fields of their inputs; the input of an unknown
//! tool is searched for the fields that most tools use.

mod claude_code;
mod codex;
mod copilot;
mod cursor;
mod fallback;
mod gemini;
mod input_facts;
mod mcp;
mod narrow;
mod patch;
mod qwen;
mod reach;
mod tool;
mod vscode;

use event::{Access, ToolCall, ToolKind};
use serde_json::{Map, Value};

pub use narrow::{SearchBounds, narrow};
pub use reach::{Reach, reach};

use crate::{Host, lenient_json};
use input_facts::InputFacts;
use tool::Tool;

/// The data about a call besides its input.
pub(crate) struct Source<'a> {
    /// The tool, in the host's spelling.
    pub(crate) name: &'a str,
    /// The host's id of the call.
    pub(crate) id: Option<String>,
    /// Server and tool, if the payload identifies an MCP tool.
    pub(crate) mcp: Option<(&'a str, &'a str)>,
}

impl<'a> Source<'a> {
    pub(crate) const fn named(name: &'a str, id: Option<String>) -> Self {
        Self { name, id, mcp: None }
    }
}

/// Returns the names of all known tools of a host, in its own spelling.
pub fn tool_names(host: Host) -> impl Iterator<Item = &'static str> {
    tables(host).iter().flat_map(|table| table.iter()).flat_map(|tool| tool.names).copied()
}

/// Describes a call of which only the name and the input are known, such as one from a journal.
pub fn tool_call(host: Host, name: &str, input: Value) -> ToolCall {
    call(host, Source::named(name, None), input)
}

/// Returns whether a host has a known tool of this name.
pub(crate) fn is_known(host: Host, name: &str) -> bool {
    find(host, name).is_some()
}

/// Fields of a command's input that change nothing about what it runs and where.
const ABOUT_THE_RUN: [&str; 14] = [
    "description",
    "explanation",
    "goal",
    "timeout",
    "timeout_ms",
    "run_in_background",
    "is_background",
    "isBackground",
    "block_until_ms",
    "initial_wait",
    "mode",
    "sandbox_permissions",
    "shellId",
    "sessionId",
];

/// Returns whether every field of the input of a command is understood. WHY: a field that no table lists may name another
/// folder, another shell or more variables.
pub fn is_understood(host: Host, call: &ToolCall) -> bool {
    let Some(fields) = call.input.as_object() else { return true };
    let tool = find(host, &call.name);
    let is_listed = |name: &str| {
        let mut fields = tool.into_iter().flat_map(|tool| tool.fields);
        fields.any(|field| field.place().is_some_and(|place| place == name))
    };
    fields.iter().all(|(name, value)| {
        let is_nothing = matches!(value, Value::Null | Value::Bool(false)) || value.as_str() == Some("");
        is_nothing || ABOUT_THE_RUN.contains(&name.as_str()) || is_listed(name)
    })
}

/// Unwraps a tool's input: some hosts send its JSON as a string. A string that is not JSON, such as a
/// bare patch, stays a string.
pub(crate) fn input(sent: Option<&Value>) -> Value {
    match sent {
        None | Some(Value::Null) => Value::Object(Map::new()),
        Some(Value::String(text)) if text.trim_start().starts_with(['{', '"']) => {
            lenient_json(text.as_bytes()).unwrap_or_else(|_| Value::String(text.clone()))
        }
        Some(value) => value.clone(),
    }
}

/// Describes a call.
pub(crate) fn call(host: Host, source: Source<'_>, input: Value) -> ToolCall {
    let (kind, facts) = describe(host, &source, &input);
    ToolCall {
        id: source.id,
        name: source.name.to_owned(),
        kind,
        touches: facts.touches,
        command: facts.command,
        content: facts.content,
        input,
    }
}

fn describe(host: Host, source: &Source<'_>, input: &Value) -> (ToolKind, InputFacts) {
    let row = if source.mcp.is_some() { None } else { find(host, source.name) };
    if let Some(tool) = row {
        let (kind, mut facts) = tool.read(input);
        // The host may have renamed a field since the table was written.
        if facts.touches.is_empty() {
            match kind {
                ToolKind::Write => fallback::paths(input, Access::Write, &mut facts),
                ToolKind::Read => fallback::paths(input, Access::Read, &mut facts),
                ToolKind::Shell if facts.command.is_none() => {
                    fallback::command(source.name, input, &mut facts);
                }
                _ => {}
            }
        }
        return (kind, facts);
    }
    match source.mcp.or_else(|| mcp::split(host, source.name)) {
        Some((server, tool)) => {
            let kind = ToolKind::Mcp { server: server.to_owned(), tool: tool.to_owned() };
            (kind, fallback::read(tool, input))
        }
        None => (ToolKind::Unknown, fallback::read(source.name, input)),
    }
}

fn find(host: Host, name: &str) -> Option<&'static Tool> {
    tables(host).iter().flat_map(|table| table.iter()).find(|tool| tool.names.contains(&name))
}

/// Returns a host's own table, then those of programs with which it shares tools or can be confused.
const fn tables(host: Host) -> &'static [&'static [Tool]] {
    match host {
        Host::VsCode => &[vscode::TOOLS, copilot::TOOLS],
        Host::ClaudeCode => &[claude_code::TOOLS],
        Host::CopilotCli => &[copilot::TOOLS, vscode::TOOLS],
        Host::Codex => &[codex::TOOLS],
        Host::Gemini => &[gemini::TOOLS],
        Host::Cursor => &[cursor::TOOLS],
        Host::Qwen => &[qwen::TOOLS, gemini::TOOLS],
        Host::Raw => &[
            vscode::TOOLS,
            claude_code::TOOLS,
            copilot::TOOLS,
            codex::TOOLS,
            gemini::TOOLS,
            cursor::TOOLS,
            qwen::TOOLS,
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_table_names_a_tool_twice() {
        for table in tables(Host::Raw) {
            let mut names: Vec<_> = table.iter().flat_map(|tool| tool.names).collect();
            let n_names = names.len();
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), n_names, "{names:?}");
        }
    }

    #[test]
    fn every_hosts_names_are_known_to_it() {
        for host in Host::ALL {
            assert!(tool_names(host).count() > 10, "{host}");
            assert!(tool_names(host).all(|name| is_known(host, name)), "{host}");
        }
    }
}
