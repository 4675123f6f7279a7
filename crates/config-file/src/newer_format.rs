//! A file of a format that a newer build wrote.

use std::fmt;

use crate::{Report, Span};

/// The format of a file that this build cannot read, because it does not know the meaning of its keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NewerFormat {
    /// The format of the file.
    pub found: u64,
    /// The newest format that this build reads.
    pub ours: u64,
}

impl NewerFormat {
    /// The way out for the user.
    pub const HINT: &str = "update steersman";

    /// Adds the error to a report, at the place of the version.
    pub fn report(self, at: Span, report: &mut Report<'_>) {
        report.error(at, self.to_string()).hint = Some(Self::HINT.to_owned());
    }
}

impl fmt::Display for NewerFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "format {} is newer than this build's format {}", self.found, self.ours)
    }
}
