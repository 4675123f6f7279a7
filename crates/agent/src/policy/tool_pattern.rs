//! One entry of a list of tools, and which calls it is about.

use event::{ToolCall, ToolKind};

use super::foreign_name;
use super::mcp::{self, McpName};
use crate::definition::Strictness;
use crate::tool_name::Builtin;

/// What an entry of a list of tools stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ToolPattern {
    /// `*`: every tool.
    Any,
    /// One or more sorts of tools.
    Groups(Vec<Group>),
    /// Tools of MCP servers.
    Mcp(McpName),
    /// The tool of this very name; `*` in it stands for anything.
    Named(String),
}

/// A sort of tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Group {
    /// A tool of the specification, under every host's name for it.
    Builtin(Builtin),
    /// A tool that starts another agent.
    Subagent,
    /// A tool that touches nothing but the conversation.
    Harmless,
}

impl ToolPattern {
    /// Reads an entry of the project's own format.
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

    /// Reads an entry of a list that was written for another program.
    ///
    /// `Bash(git:*)` narrows a tool; that the host enforces. `None` for an entry that would
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

    /// Returns whether it allows a tool of the specification.
    pub(super) fn has(&self, builtin: Builtin) -> bool {
        matches!(self, Self::Groups(groups) if groups.contains(&Group::Builtin(builtin)))
    }
}

fn names(name: &str, call: &ToolCall) -> bool {
    if name.contains('*') { mcp::fits(name, &call.name) } else { name == call.name }
}
