//! One finding: its place, its description and a hint.

use std::fmt;

/// A violation of a rule.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Finding {
    /// The file, relative to the root of the checkout.
    pub(crate) path: String,
    /// The line, counted from 1.
    pub(crate) line: usize,
    /// The violation.
    pub(crate) what: String,
    /// The fix.
    pub(crate) hint: &'static str,
}

impl Finding {
    /// Returns a finding at one line of a file.
    pub(crate) fn new(path: &str, line: usize, what: impl Into<String>, hint: &'static str) -> Self {
        Self { path: path.to_owned(), line, what: what.into(), hint }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}\n  hint: {}", self.path, self.line, self.what, self.hint)
    }
}

/// Returns `line: what` of each finding, for the tests of the rules.
#[cfg(test)]
pub(crate) fn briefly(findings: &[Finding]) -> Vec<String> {
    findings.iter().map(|it| format!("{}: {}", it.line, it.what)).collect()
}
