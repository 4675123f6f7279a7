//! A file of a format that a newer build wrote.

use std::fmt;

use crate::{JsonDialect, Report, Span, parse_json};

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

    /// Returns the format in a JSON text if it is newer than `ours`. Every edit of one of steersman's own files checks
    /// this first: a build does not know what its edit means in a newer format.
    pub fn of_json(text: &str, ours: u64) -> Option<Self> {
        let root = parse_json(text, JsonDialect::WithComments).ok()??;
        let version =
            ["version", "schemaVersion"].into_iter().filter_map(|key| root.get(key)?.as_integer()).max()?;
        let found = u64::try_from(version).ok()?;
        (found > ours).then_some(Self { found, ours })
    }

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_newer_format_is_found() {
        for text in ["", "[]", "{", "{}", r#"{"version": 0}"#, r#"{"version": 1}"#, r#"{"version": "2"}"#] {
            assert_eq!(NewerFormat::of_json(text, 1), None, "{text}");
        }
        for text in ["{ // a comment\n \"version\": 2,}", r#"{"version": 1, "schemaVersion": 2}"#] {
            assert_eq!(NewerFormat::of_json(text, 1), Some(NewerFormat { found: 2, ours: 1 }), "{text}");
        }
    }
}
