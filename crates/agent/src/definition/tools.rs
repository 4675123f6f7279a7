//! The tools that an agent may use.

use crate::pattern::Pattern;

/// The tools of an agent.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Tools {
    /// The only tools it may use; `None` means any.
    pub allowed: Option<Vec<String>>,
    /// Tools it may not use, even if they are allowed.
    pub blocked: Vec<String>,
    /// The commands it may run in a shell.
    pub bash_filter: BashFilter,
    /// The interpretation of unknown tool names.
    pub strictness: Strictness,
}

/// The interpretation of a list of allowed tools with unknown names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Strictness {
    /// Only the listed tools may be used.
    #[default]
    Strict,
    /// The list was written for another program, which enforces it itself: a tool passes if an
    /// unknown name may refer to it, and is denied otherwise.
    Foreign,
}

/// A filter over command lines.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct BashFilter {
    /// The only programs that may run; empty means any.
    pub allowed_commands: Vec<String>,
    /// Patterns that neither a line nor a command in it may match.
    pub blocked_patterns: Vec<Pattern>,
}

impl BashFilter {
    /// Returns whether it allows everything.
    pub fn is_empty(&self) -> bool {
        self.allowed_commands.is_empty() && self.blocked_patterns.is_empty()
    }
}
