//! Which tools an agent may use.

use super::BashFilter;

/// The tools of an agent.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Tools {
    /// The only tools it may use; `None` is any.
    pub allowed: Option<Vec<String>>,
    /// Tools it may not use, even if they are allowed.
    pub blocked: Vec<String>,
    /// What it may run in a shell.
    pub bash_filter: BashFilter,
    /// How names that no table knows are taken.
    pub strictness: Strictness,
}

/// How a list of allowed tools is taken when it names tools no table knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Strictness {
    /// Only what is listed may be used.
    #[default]
    Strict,
    /// The list was written for another program, which enforces it itself: a tool that
    /// may hide behind an unknown name passes, one that certainly does not is denied.
    Foreign,
}
