//! Determines the author of each current line.
//!
//! A record names the lines it wrote as they were numbered right after the write. The specification's
//! fields do not tell how later writes moved them. So:
//!
//! - with the hunks of a write ([`Evidence::edit`], from the session's journal) lines are moved
//!   exactly. The hash shows that another writer changed the file in between; both contents or,
//!   without them, the line marks in the journal show which lines;
//! - without them, a write is assumed to have replaced as many lines as it wrote. Lines of older
//!   writes are then uncertain: the write is right, the line may be off;
//! - changes after the newest record are found by a diff with the content of that record
//!   ([`Evidence::content`], for example from git) or with its line marks, and are attributed to a
//!   person. Without both, no line is certain.

use super::line_diff::{hunks_between, lines};
use super::{Hunk, LineMarks, MutationClass, TraceRecord, hunks};
use crate::ContentHash;

/// Data beyond the trace.
pub trait Evidence {
    /// Returns how the write that led to this content changed the lines.
    fn edit(&self, after: &ContentHash) -> Option<Edit>;

    /// Returns how the write that led to this content of this file changed the lines. Two files may have the same
    /// content: a renamed one has that of the other.
    fn edit_of(&self, _file: &str, after: &ContentHash) -> Option<Edit> {
        self.edit(after)
    }

    /// Returns the file that the call of a record moved to its path as it was. Returns `None` if it moved none there.
    fn moved_here(&self, _record: &TraceRecord) -> Option<MovedFile> {
        None
    }

    /// Returns a content by its hash.
    fn content(&self, hash: &ContentHash) -> Option<Vec<u8>>;
}

/// A file that a call moved without a change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MovedFile {
    /// The marks of its lines; `None` if the journal has none.
    pub marks: Option<LineMarks>,
}

/// The change of a file by one write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// The hash of the content before; `None` if the file was new.
    pub before: Option<ContentHash>,
    /// The changed lines.
    pub hunks: Vec<Hunk>,
    /// Marks of the lines after the write.
    pub marks: Option<LineMarks>,
}

/// No data beyond the trace.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoEvidence;

impl Evidence for NoEvidence {
    fn edit(&self, _after: &ContentHash) -> Option<Edit> {
        None
    }

    fn content(&self, _hash: &ContentHash) -> Option<Vec<u8>> {
        None
    }
}

/// The author of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Author<'a> {
    /// An agent, in the call of this record.
    Agent {
        /// The record.
        record: &'a TraceRecord,
        /// Whether the attribution of this line is certain.
        certain: bool,
    },
    /// No record explains the line: a person, or a program that was not traced.
    Person,
}

/// Returns the author of each line of the current content. `history` is oldest first.
pub fn blame<'a>(history: &'a [TraceRecord], now: &[u8], evidence: &dyn Evidence) -> Vec<Author<'a>> {
    let mut authors: Vec<Author<'a>> = Vec::new();
    let mut content: Option<&ContentHash> = None;
    let mut marks: Option<LineMarks> = None;
    let mut path = "";
    for record in history {
        let edit = evidence.edit_of(&record.file_path, &record.content_hash);
        // Renamed, or written as it was: every line keeps its author.
        if content == Some(&record.content_hash) {
            path = &record.file_path;
            continue;
        }
        let is_renamed = !path.is_empty() && path != record.file_path;
        if let Some(moved) = evidence.moved_here(record) {
            // Without an earlier record every line is a person's, who may also have changed the file since that record.
            match (&marks, &moved.marks) {
                (Some(then), Some(now)) => {
                    authors =
                        replaced(&authors, &hunks_between(&then.numbers(), &now.numbers()), Author::Person);
                }
                _ => doubt(&mut authors),
            }
            (marks, content, path) = (moved.marks, Some(&record.content_hash), record.file_path.as_str());
            continue;
        }
        path = &record.file_path;
        let agent = Author::Agent { record, certain: true };
        if let Some(edit) = edit {
            if let (true, Some(then), Some(now)) = (is_renamed && edit.before.is_none(), &marks, &edit.marks)
            {
                // Renamed and changed by one call: only the changed lines are its own.
                authors = replaced(&authors, &hunks_between(&then.numbers(), &now.numbers()), agent);
                marks = edit.marks;
                content = Some(&record.content_hash);
                continue;
            }
            if edit.before.is_none() {
                authors.clear();
            } else if edit.before.as_ref() != content {
                // Another writer changed the file in between.
                match changed_between(content, marks.as_ref(), &edit, evidence) {
                    Some(by_person) => authors = replaced(&authors, &by_person, Author::Person),
                    None => doubt(&mut authors),
                }
            }
            authors = replaced(&authors, &edit.hunks, agent);
            marks = edit.marks;
        } else {
            overwritten(&mut authors, record);
            marks = None;
        }
        content = Some(&record.content_hash);
    }
    let n_lines = lines(now).len();
    if let Some(newest) = content.filter(|newest| **newest != ContentHash::of(now)) {
        let by_person = match (&marks, evidence.content(newest)) {
            (_, Some(then)) => Some(hunks(&then, now)),
            (Some(marks), None) => Some(hunks_between(&marks.numbers(), &LineMarks::of(now).numbers())),
            (None, None) => None,
        };
        match by_person {
            Some(by_person) => authors = replaced(&authors, &by_person, Author::Person),
            None => doubt(&mut authors),
        }
    }
    authors.resize(n_lines, Author::Person);
    authors
}

/// Returns the changes of another writer between a record and the next write, if they can be
/// determined.
fn changed_between(
    content: Option<&ContentHash>,
    marks: Option<&LineMarks>,
    edit: &Edit,
    evidence: &dyn Evidence,
) -> Option<Vec<Hunk>> {
    let then = content.and_then(|hash| evidence.content(hash));
    let found = edit.before.as_ref().and_then(|hash| evidence.content(hash));
    if let (Some(then), Some(found)) = (then, found) {
        return Some(hunks(&then, &found));
    }
    Some(hunks_between(&marks?.numbers(), &marks_before(edit)?))
}

/// Returns the marks of the lines before an edit. Removed lines get a mark that equals no other:
/// their author is irrelevant.
fn marks_before(edit: &Edit) -> Option<Vec<u64>> {
    let after = edit.marks.as_ref()?.numbers();
    let mut before = Vec::with_capacity(after.len());
    let mut at = 0;
    let mut n_gone = 0;
    for hunk in &edit.hunks {
        before.extend(after.get(at..hunk.new_start)?);
        before.extend((n_gone..n_gone + hunk.old_lines as u64).map(|gone| GONE + gone));
        n_gone += hunk.old_lines as u64;
        at = hunk.new_start + hunk.new_lines;
    }
    before.extend(after.get(at..)?);
    Some(before)
}

/// Larger than every mark.
const GONE: u64 = 1 << 32;

/// Moves the authors as the hunks moved the lines; `author` wrote the new lines.
fn replaced<'a>(authors: &[Author<'a>], hunks: &[Hunk], author: Author<'a>) -> Vec<Author<'a>> {
    let mut moved = Vec::with_capacity(authors.len());
    let mut at = 0;
    for hunk in hunks {
        // Lines before the first record are attributed to a person.
        moved.extend((at..hunk.old_start).map(|line| authors.get(line).copied().unwrap_or(Author::Person)));
        moved.extend(std::iter::repeat_n(author, hunk.new_lines));
        at = hunk.old_start + hunk.old_lines;
    }
    moved.extend(authors.get(at..).unwrap_or_default());
    moved
}

/// Attributes a record's lines to it, without moving others.
fn overwritten<'a>(authors: &mut Vec<Author<'a>>, record: &'a TraceRecord) {
    if record.mutation_class == MutationClass::Create {
        authors.clear();
    } else {
        doubt(authors);
    }
    let Some(ranges) = &record.line_ranges else { return };
    for range in ranges {
        // Ignores an invalid range, or one beyond any real file, to save memory.
        let (Some(start), true) =
            (range.start.checked_sub(1), range.end >= range.start && range.end <= MAX_LINES)
        else {
            continue;
        };
        if authors.len() < range.end {
            authors.resize(range.end, Author::Person);
        }
        authors[start..range.end].fill(Author::Agent { record, certain: true });
    }
}

/// The maximum number of lines of a file.
const MAX_LINES: usize = 10_000_000;

fn doubt(authors: &mut [Author<'_>]) {
    for author in authors {
        if let Author::Agent { certain, .. } = author {
            *certain = false;
        }
    }
}
