//! One entry of a tool list, and the calls it matches.

use event::{ToolCall, ToolKind};

use super::foreign_name;
use super::mcp::{self, McpName};
use crate::definition::Strictness;
use crate::tool_name::Builtin;

/// The meaning of an entry of a tool list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ToolPattern {
    /// `*`: every tool.
    Any,
    /// One or more groups of tools.
    Groups(Vec<Group>),
    /// Tools of MCP servers.
    Mcp(McpName),
    /// The tool of exactly this name; `*` in it is a wildcard.
    Named(String),
}

/// A group of tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Group {
    /// A built-in tool, under every host's name for it.
    Builtin(Builtin),
    /// A tool that starts another agent.
    Subagent,
    /// A tool that touches nothing but the conversation.
    Harmless,
}

impl ToolPattern {
    /// Parses an entry of the project's own format.
    pub fn new(entry: &str) -> Self {
        if entry == "*" {
            return Self::Any;
        }
        if let Some(builtin) = Builtin::from_name(entry) {
            return Self::Groups(vec![Group::Builtin(builtin)]);
        }
        if matches!(entry, "Task" | "Agent") {
            return Self::Groups(vec![Group::Subagent]);
        }
        match McpName::parse(entry) {
            Some(name) => Self::Mcp(name),
            None => Self::Named(entry.to_owned()),
        }
    }

    /// Parses an entry of a list that was written for another program.
    ///
    /// `Bash(git:*)` narrows a tool, which the host enforces. Returns `None` for an entry that would
    /// block only part of a tool.
    pub(super) fn foreign(entry: &str, is_blocked: bool) -> Option<Self> {
        let name = match entry.split_once('(') {
            Some(_) if is_blocked => return None,
            Some((name, _)) => name.trim(),
            None => entry,
        };
        Some(match Self::new(name) {
            Self::Named(_) | Self::Mcp(_) if foreign_name::groups(name).is_some() => {
                Self::Groups(foreign_name::groups(name).unwrap_or_default().to_vec())
            }
            pattern => pattern,
        })
    }

    pub(super) fn read(entry: &str, strictness: Strictness, is_blocked: bool) -> Option<Self> {
        match strictness {
            Strictness::Strict => Some(Self::new(entry)),
            Strictness::Foreign => Self::foreign(entry, is_blocked),
        }
    }

    /// Returns whether the entry blocks a call.
    pub(super) fn blocks(&self, call: &ToolCall, needs: &[Builtin]) -> bool {
        match (self, &call.kind) {
            (Self::Any, _) => true,
            (Self::Groups(groups), kind) => groups.iter().any(|group| match group {
                Group::Builtin(builtin) => needs.contains(builtin),
                Group::Subagent => *kind == ToolKind::Subagent,
                Group::Harmless => false,
            }),
            (Self::Mcp(name), ToolKind::Mcp { server, tool }) => name.may_name(server, tool),
            (Self::Mcp(_), _) => false,
            (Self::Named(name), _) => names(name, call),
        }
    }

    /// Returns whether the entry alone allows a call.
    pub(super) fn allows(&self, call: &ToolCall) -> bool {
        match (self, &call.kind) {
            (Self::Any, _) => true,
            (Self::Groups(groups), ToolKind::Subagent) => groups.contains(&Group::Subagent),
            (Self::Mcp(name), ToolKind::Mcp { server, tool }) => name.names(server, tool),
            (Self::Groups(_) | Self::Mcp(_), _) => false,
            (Self::Named(name), _) => names(name, call),
        }
    }

    /// Returns whether it allows a built-in tool.
    pub(super) fn has(&self, builtin: Builtin) -> bool {
        matches!(self, Self::Groups(groups) if groups.contains(&Group::Builtin(builtin)))
    }
}

fn names(name: &str, call: &ToolCall) -> bool {
    if name.contains('*') { mcp::fits(name, &call.name) } else { name == call.name }
}
