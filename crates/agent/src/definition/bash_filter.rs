//! What an agent may run in a shell.

use crate::pattern::Pattern;

/// A filter over command lines.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct BashFilter {
    /// The only programs that may run; empty is any.
    pub allowed_commands: Vec<String>,
    /// What must not be found in a line or a command of it.
    pub blocked_patterns: Vec<Pattern>,
}

impl BashFilter {
    /// Returns whether it lets everything pass.
    pub fn is_empty(&self) -> bool {
        self.allowed_commands.is_empty() && self.blocked_patterns.is_empty()
    }
}
