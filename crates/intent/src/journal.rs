//! The session journal's records about intents: one type per kind of record.
//!
//! The trace has exactly the specification's fields. The additional data that blame and statistics
//! need is in the session's journal, in these records; writers and readers use the same types.

use event::LineKind;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::trace::{Edit, Hunk, LineMarks, MutationClass};
use crate::{ContentHash, FileSystemTime, IntentId};

/// A record of one kind.
pub trait JournalRecord: Serialize + for<'de> Deserialize<'de> {
    /// The `type` of its line.
    const KIND: LineKind;

    /// Returns the `data` of its line.
    fn to_data(&self) -> Value {
        // Strings, numbers and arrays always serialize.
        serde_json::to_value(self).unwrap_or_default()
    }

    /// Parses the `data` of a line of this kind.
    fn from_data(data: &Value) -> Option<Self> {
        Self::deserialize(data).ok()
    }
}

/// A call was refused because of an intent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Denied {
    /// The active intent; `None` if no intent was selected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub intent_id: Option<IntentId>,
    /// The reason.
    pub why: DenialKind,
    /// The paths at fault; not all of them if there are many.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<String>,
    /// Whether the call passed, because intents only observe here.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub observed: bool,
}

/// Why a call was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum DenialKind {
    /// No intent was selected.
    NoIntent,
    /// The intent does not include a file.
    OutOfScope,
    /// A file governs the agent.
    Protected,
    /// A rule of `.intentignore` protects a file.
    Ignored,
    /// A file changed since the agent last saw it.
    Stale,
    /// The intents file is invalid.
    InvalidFile,
    /// The requested intent cannot be selected.
    NotSelectable,
}

/// A call wrote a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct FileWritten {
    /// The intent of the write.
    pub intent_id: IntentId,
    /// The file, relative to the workspace.
    pub file: String,
    /// Whether the file was new.
    pub class: MutationClass,
    /// The hash of the content before; `None` if the file did not exist or its content is unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<ContentHash>,
    /// The hash of the content after.
    pub after: ContentHash,
    /// The changed lines: old start, old count, new start, new count, each from zero. Absent if
    /// unknown or too large.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hunks: Option<Vec<[usize; 4]>>,
    /// Marks of the lines after the write, six hexadecimal digits each, which identify them after
    /// another writer changes the file. Absent if too large.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub marks: Option<String>,
    /// A hash of the line in the trace, which proves every field of that line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<String>,
}

/// A call deleted a file or a folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct FileDeleted {
    /// The intent of the deletion.
    pub intent_id: IntentId,
    /// The file, relative to the workspace.
    pub file: String,
    /// The hash of its content; `None` if unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<ContentHash>,
}

/// The content on disk differs from the call's input: another process wrote the file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct WriteConflict {
    /// The intent of the write.
    pub intent_id: IntentId,
    /// The file, relative to the workspace.
    pub file: String,
    /// The hash of the content in the call's input.
    pub announced: ContentHash,
    /// The hash of the content on disk.
    pub found: ContentHash,
}

/// Files changed that the intent does not include.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ScopeDrift {
    /// The active intent; `None` without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub intent_id: Option<IntentId>,
    /// The files; not all of them if there are many.
    pub files: Vec<DriftedFile>,
    /// The number of further files.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub more: usize,
    /// Whether the scan was complete.
    pub complete: bool,
}

/// A file that changed although the intent does not include it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DriftedFile {
    /// The file, relative to the workspace.
    pub file: String,
    /// Why it must not be written.
    pub why: String,
    /// How to undo the change.
    pub undo: String,
}

/// A call that may write was permitted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct CallPending {
    /// The key of the pending call.
    pub key: String,
    /// When it began, on the clock of the file system, in nanoseconds.
    pub began_ns: u64,
    /// A hash of the stored call.
    pub hash: String,
    /// Whether it may change more than the files that it names.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub changes_more: bool,
    /// A hash of the record of the folders, if this call wrote it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folders: Option<String>,
}

/// A call undoes changes out of scope, as a report suggested.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct DriftUndone {
    /// The active intent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub intent_id: Option<IntentId>,
    /// The files that it restores or removes.
    pub files: Vec<String>,
}

/// A call may write files below the system's temp folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct TempWritten {
    /// The active intent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub intent_id: Option<IntentId>,
    /// The files; not all of them if there are many.
    pub files: Vec<String>,
}

/// A record of steersman was changed by another program. steersman does not believe it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Forged {
    /// The record.
    pub what: String,
    /// How it contradicts the journal.
    pub why: String,
}

/// A scan for changes ran out of time; the next event continues it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ScanIncomplete {
    /// The active intent; `None` without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub intent_id: Option<IntentId>,
    /// The number of entries that the scan compared.
    pub n_entries: usize,
    /// The number of changed files that it found.
    pub n_changed: usize,
    /// The number of changed files and folders that are not compared with the scope yet.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub n_unjudged: usize,
    /// The number of changed files in scope that are not traced yet.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub n_untraced: usize,
    /// The number of folders that it did not visit.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub n_unvisited: usize,
    /// Some of these folders.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unvisited: Vec<String>,
}

/// A call wrote a file that is too large to hash, so that the trace has no line about it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct FileUntraced {
    /// The intent of the write.
    pub intent_id: IntentId,
    /// The file, relative to the workspace.
    pub file: String,
}

/// A search for changes has ended: the journal has the records from which the next one begins.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ScanEnded {
    /// A hash of the record of the search.
    pub coverage: String,
    /// A hash of the record of the folders; absent if it was not written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folders: Option<String>,
}

/// The session works under another intent from now on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct IntentSelected {
    /// The intent.
    pub intent_id: IntentId,
    /// The previous intent; `None` without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<IntentId>,
    /// Whether the session selected it or took over the workspace's default.
    pub by: SelectedBy,
}

/// The origin of a selection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum SelectedBy {
    /// The agent, by calling `select_active_intent`.
    Session,
    /// The user, with `steersman intent select`.
    Workspace,
}

/// The run appends lines to the trace once the journal has this record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct TraceStaged {
    /// The hash of the report with the lines, which is its name in the session's folder until it is applied.
    pub report: String,
    /// The number of lines.
    pub n_records: usize,
}

/// The trace cannot be appended to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct TraceDelayed {
    /// The number of pending records.
    pub n_records: usize,
    /// Whether they wait in the session's folder; otherwise only the call's before-image remains, from
    /// which they are recreated.
    pub staged: bool,
    /// The system's error; `None` if others held the lock of the trace too long.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

impl JournalRecord for Denied {
    const KIND: LineKind = LineKind::IntentDenied;
}

impl JournalRecord for FileWritten {
    const KIND: LineKind = LineKind::FileWritten;
}

impl JournalRecord for FileDeleted {
    const KIND: LineKind = LineKind::FileDeleted;
}

impl JournalRecord for WriteConflict {
    const KIND: LineKind = LineKind::WriteConflict;
}

impl JournalRecord for ScopeDrift {
    const KIND: LineKind = LineKind::ScopeDrift;
}

impl JournalRecord for CallPending {
    const KIND: LineKind = LineKind::CallPending;
}

impl JournalRecord for DriftUndone {
    const KIND: LineKind = LineKind::DriftUndone;
}

impl JournalRecord for TempWritten {
    const KIND: LineKind = LineKind::TempWritten;
}

impl JournalRecord for Forged {
    const KIND: LineKind = LineKind::Forged;
}

impl JournalRecord for ScanIncomplete {
    const KIND: LineKind = LineKind::ScanIncomplete;
}

impl JournalRecord for FileUntraced {
    const KIND: LineKind = LineKind::FileUntraced;
}

impl JournalRecord for ScanEnded {
    const KIND: LineKind = LineKind::ScanEnded;
}

impl JournalRecord for IntentSelected {
    const KIND: LineKind = LineKind::IntentSelected;
}

impl JournalRecord for TraceStaged {
    const KIND: LineKind = LineKind::TraceStaged;
}

impl JournalRecord for TraceDelayed {
    const KIND: LineKind = LineKind::TraceDelayed;
}

/// The most hunks that a record contains.
const MAX_HUNKS: usize = 200;

impl CallPending {
    /// Returns the record of a stored call.
    pub(crate) fn new(key: &str, began: FileSystemTime, body: &[u8]) -> Self {
        let began_ns = u64::try_from(began.nanoseconds()).unwrap_or(u64::MAX);
        Self {
            key: key.to_owned(),
            began_ns,
            hash: store::fingerprint([body]).short(),
            changes_more: false,
            folders: None,
        }
    }

    /// Returns whether both are about the same stored call.
    pub fn is_same_call(&self, other: &Self) -> bool {
        (&self.key, self.began_ns, &self.hash) == (&other.key, other.began_ns, &other.hash)
    }

    /// Returns when the call began.
    pub fn began(&self) -> FileSystemTime {
        FileSystemTime::at_nanoseconds(self.began_ns.into())
    }
}

impl FileWritten {
    /// Returns hunks in the form of the record. Returns `None` if there are too many.
    pub fn kept(hunks: &[Hunk]) -> Option<Vec<[usize; 4]>> {
        let numbers = |it: &Hunk| [it.old_start, it.old_lines, it.new_start, it.new_lines];
        (hunks.len() <= MAX_HUNKS).then(|| hunks.iter().map(numbers).collect())
    }

    /// Returns the change of lines for blame.
    pub fn edit(&self) -> Option<Edit> {
        let hunk = |&[old_start, old_lines, new_start, new_lines]: &[usize; 4]| Hunk {
            old_start,
            old_lines,
            new_start,
            new_lines,
        };
        // A modified file with unknown content is not a new file.
        if self.before.is_none() && self.class == MutationClass::Modify {
            return None;
        }
        let hunks = self.hunks.as_ref()?.iter().map(hunk).collect();
        let marks = self.marks.as_deref().and_then(LineMarks::parse);
        Some(Edit { before: self.before.clone(), hunks, marks })
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(number: &usize) -> bool {
    *number == 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::hunks;

    #[test]
    fn an_edit_survives_the_journal() {
        let moved = hunks(b"a\nb\n", b"a\nx\ny\n");
        let record = FileWritten {
            intent_id: IntentId::parse("INT-001").unwrap(),
            file: "src/a".into(),
            class: MutationClass::Modify,
            before: Some(ContentHash::of(b"a\nb\n")),
            after: ContentHash::of(b"a\nx\ny\n"),
            hunks: FileWritten::kept(&moved),
            marks: LineMarks::of(b"a\nx\ny\n").kept(),
            line: None,
        };
        let again = FileWritten::from_data(&record.to_data()).unwrap();
        assert_eq!(again, record);
        assert_eq!(again.edit().unwrap().hunks, moved);
        assert_eq!(again.edit().unwrap().marks, Some(LineMarks::of(b"a\nx\ny\n")));
        let unknown = FileWritten { before: None, ..record };
        assert_eq!(unknown.edit(), None, "a content nobody knows explains no line");
    }

    #[test]
    fn a_denial_says_why_in_one_word() {
        let denied =
            Denied { intent_id: None, why: DenialKind::NoIntent, files: Vec::new(), observed: false };
        assert_eq!(denied.to_data(), serde_json::json!({"why": "no-intent"}));
    }
}
