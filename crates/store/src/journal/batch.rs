//! The lines of one run, appended together.

use redact::{Redacted, RedactedJson};
use serde::Serialize;

/// Complete lines to append together.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Batch(String);

/// A record that may be written to a journal: each of its strings is redacted, one of our ids or a
/// constant.
pub trait Recordable: Serialize {}

impl Recordable for RedactedJson {}

impl Batch {
    /// Adds a record. Its JSON contains no line break.
    pub fn push(&mut self, record: &impl Recordable) {
        // Strings, numbers and maps with string keys always serialize.
        if let Ok(line) = serde_json::to_string(record) {
            self.0.push_str(&line);
            self.0.push('\n');
        }
    }

    /// Adds a line of a log for users, which is not a record.
    pub fn push_line(&mut self, line: &Redacted) {
        self.0.push_str(&line.as_str().replace(['\n', '\r'], " "));
        self.0.push('\n');
    }

    /// Returns whether the batch has no lines.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the lines as they are appended.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}
