//! One thing to tidy: where it is, what it is, what to do.

use std::fmt;

/// What a rule found.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Finding {
    /// The file, relative to the root of the checkout.
    pub(crate) path: String,
    /// The line, counted from 1.
    pub(crate) line: usize,
    /// What is there.
    pub(crate) what: String,
    /// What to do about it.
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

/// Returns `line: what` of each finding, which is what the tests of the rules compare.
#[cfg(test)]
pub(crate) fn briefly(findings: &[Finding]) -> Vec<String> {
    findings.iter().map(|it| format!("{}: {}", it.line, it.what)).collect()
}
