//! The lines of one run, which go out together.

use redact::{Redacted, RedactedJson};
use serde::Serialize;

/// Whole lines that shall be appended together.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Batch(String);

/// What may stand in a journal: every text in it is redacted, one of our own ids or a constant.
pub trait Recordable: Serialize {}

impl Recordable for RedactedJson {}

impl Batch {
    /// Adds one record. JSON as it is written here has no line break in it.
    pub fn push(&mut self, record: &impl Recordable) {
        // Strings, numbers and maps with text for keys always serialize.
        if let Ok(line) = serde_json::to_string(record) {
            self.0.push_str(&line);
            self.0.push('\n');
        }
    }

    /// Adds one line that is no record, for a log that people read.
    pub fn push_line(&mut self, line: &Redacted) {
        self.0.push_str(&line.as_str().replace(['\n', '\r'], " "));
        self.0.push('\n');
    }

    /// Returns whether there is nothing to write.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the lines as they will stand in the file.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}
