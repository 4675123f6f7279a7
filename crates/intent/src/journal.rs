//! What the session's journal says about intents: one type per kind of record.
//!
//! The trace has exactly the document's fields. What blame and statistics need beyond them stands
//! in the journal of the session, in these records; whoever writes or reads one goes by its type.

use event::LineKind;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::trace::{Edit, Hunk, LineMarks, MutationClass};
use crate::{ContentHash, IntentId};

/// A record of one kind.
pub trait JournalRecord: Serialize + for<'de> Deserialize<'de> {
    /// The `type` of its line.
    const KIND: LineKind;

    /// Returns the `data` of its line.
    fn to_data(&self) -> Value {
        // Texts, numbers and lists always serialize.
        serde_json::to_value(self).unwrap_or_default()
    }

    /// Reads the `data` of a line of this kind.
    fn from_data(data: &Value) -> Option<Self> {
        Self::deserialize(data).ok()
    }
}

/// A call was refused for the sake of an intent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Denied {
    /// The intent in force; none if that was the trouble.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub intent_id: Option<IntentId>,
    /// Why.
    pub why: DenialKind,
    /// What it was about; not every path if there were many.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<String>,
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
    /// A rule of `.intentignore` keeps everybody from a file.
    Ignored,
    /// A file is not as the agent last saw it.
    Stale,
    /// The file of intents is broken.
    InvalidFile,
    /// The intent that was asked for cannot be selected.
    NotSelectable,
}

/// A call wrote a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct FileWritten {
    /// The intent it was written for.
    pub intent_id: IntentId,
    /// The file, relative to the workspace.
    pub file: String,
    /// Whether the file was new.
    pub class: MutationClass,
    /// The content before; none if there was no file or it is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<ContentHash>,
    /// The content after.
    pub after: ContentHash,
    /// How the lines moved: old start, old count, new start, new count, each from zero. Absent
    /// where that is not known or takes too much room.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hunks: Option<Vec<[usize; 4]>>,
    /// Marks of the lines after, six hexadecimal digits each, by which they are known again when somebody
    /// else has changed the file. Absent where they take too much room.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub marks: Option<String>,
}

/// A call deleted a file or a folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct FileDeleted {
    /// The intent it was deleted for.
    pub intent_id: IntentId,
    /// The file, relative to the workspace.
    pub file: String,
    /// What it held; none if that is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<ContentHash>,
}

/// Something else than what a call said is on disk: another writer was there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct WriteConflict {
    /// The intent it was written for.
    pub intent_id: IntentId,
    /// The file, relative to the workspace.
    pub file: String,
    /// What the call said it would hold.
    pub announced: ContentHash,
    /// What it holds.
    pub found: ContentHash,
}

/// Files changed that the intent does not include.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ScopeDrift {
    /// The intent in force; none if no intent was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub intent_id: Option<IntentId>,
    /// The files; not every one if there were many.
    pub files: Vec<DriftedFile>,
    /// How many more there were.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub more: usize,
    /// Whether everything was looked at.
    pub complete: bool,
}

/// One file that changed without having been asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DriftedFile {
    /// The file, relative to the workspace.
    pub file: String,
    /// Why it may not be written.
    pub why: String,
    /// How to undo the change.
    pub undo: String,
}

/// The session works under another intent from here on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct IntentSelected {
    /// The intent.
    pub intent_id: IntentId,
    /// The one before; none if there was none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<IntentId>,
    /// Whether the session asked for it or the workspace's default became its own.
    pub by: SelectedBy,
}

/// Who selected an intent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum SelectedBy {
    /// The agent, by calling `select_active_intent`.
    Session,
    /// A person, by `steersman intent select`.
    Workspace,
}

/// The trace could not be appended to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct TraceDelayed {
    /// How many records wait.
    pub n_records: usize,
    /// Whether they lie in the session's spool; otherwise only the call's before-image is left,
    /// and they are made anew from it.
    pub spooled: bool,
    /// What the system said; nothing if others held the trace too long.
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

impl JournalRecord for IntentSelected {
    const KIND: LineKind = LineKind::IntentSelected;
}

impl JournalRecord for TraceDelayed {
    const KIND: LineKind = LineKind::TraceDelayed;
}

/// Edits of more places than this are recorded without them.
const MAX_HUNKS: usize = 200;

impl FileWritten {
    /// Returns hunks as the record keeps them; nothing if there are too many.
    pub fn kept(hunks: &[Hunk]) -> Option<Vec<[usize; 4]>> {
        let numbers = |it: &Hunk| [it.old_start, it.old_lines, it.new_start, it.new_lines];
        (hunks.len() <= MAX_HUNKS).then(|| hunks.iter().map(numbers).collect())
    }

    /// Returns how the lines moved, as blame wants it.
    pub fn edit(&self) -> Option<Edit> {
        let hunk = |&[old_start, old_lines, new_start, new_lines]: &[usize; 4]| Hunk {
            old_start,
            old_lines,
            new_start,
            new_lines,
        };
        // A file that was there with a content nobody knows is not one that was not there.
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
        let denied = Denied { intent_id: None, why: DenialKind::NoIntent, files: Vec::new() };
        assert_eq!(denied.to_data(), serde_json::json!({"why": "no-intent"}));
    }
}
