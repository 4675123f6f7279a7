//! One line of the trace, with exactly the specification's fields.

use redact::Redacted;
use serde::{Deserialize, Serialize};
use store::{Recordable, Timestamp};

use super::LineRange;
use crate::{ContentHash, IntentId};

/// A write of one file by one call.
///
/// INVARIANT: the strings from a payload have passed the redaction filter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(title = "trace-record"))]
pub struct TraceRecord {
    /// The intent that authorized it.
    pub intent_id: IntentId,
    /// The hash of the bytes on disk after the write.
    pub content_hash: ContentHash,
    /// The file, relative to the workspace.
    pub file_path: String,
    /// Whether the file was new.
    pub mutation_class: MutationClass,
    /// The written lines, counted in the file after the write; absent if the previous content is
    /// unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line_ranges: Option<Vec<LineRange>>,
    /// The time of the write, in ISO 8601.
    pub timestamp: String,
    /// The tool, in the host's spelling.
    pub tool_name: String,
    /// The commit that was checked out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub git_sha: Option<String>,
}

impl Recordable for TraceRecord {}

/// Whether a write created or modified a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum MutationClass {
    /// The file did not exist before.
    Create,
    /// The file existed before.
    Modify,
}

/// Why a line is not a valid record.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadRecord {
    /// It is not JSON with these fields.
    #[error("not a trace record: {0}")]
    Shape(String),
    /// The path could lead out of the workspace.
    #[error("`{0}` is not a path relative to the workspace")]
    Path(String),
    /// The time is invalid.
    #[error("`{0}` is not a time in ISO 8601")]
    Time(String),
}

impl MutationClass {
    /// Returns the specification's name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Create => "CREATE",
            Self::Modify => "MODIFY",
        }
    }
}

impl TraceRecord {
    /// Creates a record; redacts path and tool.
    pub fn new(
        intent_id: IntentId,
        file_path: &event::RepoPath,
        tool_name: &str,
        at: Timestamp,
        written: super::FileChange,
    ) -> Self {
        Self {
            intent_id,
            content_hash: written.content_hash,
            file_path: Redacted::from_text(file_path.as_str()).into_string(),
            mutation_class: written.mutation_class,
            line_ranges: written.line_ranges,
            timestamp: at.to_string(),
            tool_name: Redacted::from_text(tool_name).into_string(),
            git_sha: None,
        }
    }

    /// Adds the checked-out commit.
    #[must_use]
    pub fn at_commit(mut self, sha: Option<String>) -> Self {
        self.git_sha = sha;
        self
    }

    /// Returns a hash of the line, for the journal.
    pub fn line_hash(&self) -> String {
        store::fingerprint([serde_json::to_vec(self).unwrap_or_default().as_slice()]).short()
    }

    /// Parses one line and checks it by the specification's rules.
    pub fn parse(line: &[u8]) -> Result<Self, BadRecord> {
        let record: Self =
            serde_json::from_slice(line).map_err(|error| BadRecord::Shape(error.to_string()))?;
        let path = record.file_path.as_str();
        let drive = matches!(path.as_bytes(), [letter, b':', ..] if letter.is_ascii_alphabetic());
        if path.is_empty() || path.starts_with('/') || drive || path.split('/').any(|part| part == "..") {
            return Err(BadRecord::Path(record.file_path));
        }
        if !is_time(&record.timestamp) {
            return Err(BadRecord::Time(record.timestamp));
        }
        Ok(record)
    }
}

/// Returns whether a string begins like `2026-02-16T10:30:00` and ends with a time zone.
fn is_time(text: &str) -> bool {
    let shape = b"dddd-dd-ddTdd:dd:dd";
    let bytes = text.as_bytes();
    let fits = |(byte, shape): (&u8, &u8)| if *shape == b'd' { byte.is_ascii_digit() } else { byte == shape };
    let begin = bytes.len() > shape.len() && bytes.iter().zip(shape).all(fits);
    begin
        && bytes[shape.len()..]
            .iter()
            .all(|b| b.is_ascii_digit() || matches!(b, b'.' | b':' | b'+' | b'-' | b'Z'))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str = r#"{"intent_id":"INT-001","content_hash":"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad","file_path":"src/components/Button.tsx","mutation_class":"MODIFY","line_ranges":[{"start":10,"end":25}],"timestamp":"2026-02-16T10:30:00Z","tool_name":"write_to_file","git_sha":"abc123def456"}"#;

    #[test]
    fn a_record_reads_and_writes_the_documents_fields_in_their_order() {
        let record = TraceRecord::parse(LINE.as_bytes()).unwrap();
        assert_eq!(record.line_ranges, Some(vec![LineRange { start: 10, end: 25 }]));
        assert_eq!(serde_json::to_string(&record).unwrap(), LINE);
    }

    #[test]
    fn what_breaks_the_documents_rules_is_no_record() {
        for (from, to) in [
            ("INT-001", "X-1"),
            ("ba7816bf", "xyz"),
            ("src/components", "/src/components"),
            ("src/components", "../components"),
            ("src/components", "C:/components"),
            ("MODIFY", "DELETE"),
            ("2026-02-16T10:30:00Z", "yesterday"),
            ("2026-02-16T10:30:00Z", "2026-02-16"),
            ("\"tool_name\"", "\"tool\""),
        ] {
            assert!(TraceRecord::parse(LINE.replace(from, to).as_bytes()).is_err(), "{from} -> {to}");
        }
    }
}
