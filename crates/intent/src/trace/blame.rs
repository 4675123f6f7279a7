//! Who wrote each line that is there now.
//!
//! A record names the lines it wrote as they were counted right after the write. What the
//! document's fields do not say is how later writes moved them. So:
//!
//! - with the hunks of a write ([`Evidence::edit`], which the session's journal keeps) lines are
//!   moved exactly. That somebody else changed the file in between is seen by its hash; which lines, by
//!   both contents or, without them, by the marks of the lines that the journal keeps;
//! - without them, a write is taken to have replaced as many lines as it wrote. Lines of older
//!   writes are then marked as not certain: the write is right, the line may be off;
//! - what changed on disk after the newest record is found by a diff with the content of that
//!   record ([`Evidence::content`], from git, say) or with the marks of its lines, and is a
//!   person's. Without both nothing after it is certain.

use super::line_diff::{hunks_between, lines};
use super::{Hunk, LineMarks, MutationClass, TraceRecord, hunks};
use crate::ContentHash;

/// What is known beyond the trace.
pub trait Evidence {
    /// Returns how the write that led to this content changed the lines.
    fn edit(&self, after: &ContentHash) -> Option<Edit>;

    /// Returns a content by its hash.
    fn content(&self, hash: &ContentHash) -> Option<Vec<u8>>;
}

/// How one write changed a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// The content it changed; nothing if the file was new.
    pub before: Option<ContentHash>,
    /// What it changed.
    pub hunks: Vec<Hunk>,
    /// Marks of the lines it left.
    pub marks: Option<LineMarks>,
}

/// Nothing is known beyond the trace.
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

/// Who wrote a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Author<'a> {
    /// An agent, in the call of this record.
    Agent {
        /// The record.
        record: &'a TraceRecord,
        /// Whether the line can be told from its neighbours.
        certain: bool,
    },
    /// No record explains it: a person, or a program nobody traced.
    Person,
}

/// Returns the author of each line of a file as it is now. `history` is oldest first.
pub fn blame<'a>(history: &'a [TraceRecord], now: &[u8], evidence: &dyn Evidence) -> Vec<Author<'a>> {
    let mut authors: Vec<Author<'a>> = Vec::new();
    let mut content: Option<&ContentHash> = None;
    let mut marks: Option<LineMarks> = None;
    for record in history {
        let edit = evidence.edit(&record.content_hash);
        let renamed = record.mutation_class == MutationClass::Create && content == Some(&record.content_hash);
        if renamed {
            continue;
        }
        let agent = Author::Agent { record, certain: true };
        if let Some(edit) = edit {
            if edit.before.is_none() {
                authors.clear();
            } else if edit.before.as_ref() != content {
                // Somebody changed the file in between.
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

/// Returns what somebody changed between a record and the next write, as far as it can be told.
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

/// Returns the marks of the lines that an edit found. Those it took away are like no other: whoever
/// wrote them, they are gone.
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

/// Moves the authors as the hunks moved the lines; the new lines are by `author`.
fn replaced<'a>(authors: &[Author<'a>], hunks: &[Hunk], author: Author<'a>) -> Vec<Author<'a>> {
    let mut moved = Vec::with_capacity(authors.len());
    let mut at = 0;
    for hunk in hunks {
        // Lines before the first record are a person's.
        moved.extend((at..hunk.old_start).map(|line| authors.get(line).copied().unwrap_or(Author::Person)));
        moved.extend(std::iter::repeat_n(author, hunk.new_lines));
        at = hunk.old_start + hunk.old_lines;
    }
    moved.extend(authors.get(at..).unwrap_or_default());
    moved
}

/// Puts a record's lines where it says, with nothing moved.
fn overwritten<'a>(authors: &mut Vec<Author<'a>>, record: &'a TraceRecord) {
    if record.mutation_class == MutationClass::Create {
        authors.clear();
    } else {
        doubt(authors);
    }
    let Some(ranges) = &record.line_ranges else { return };
    for range in ranges {
        // A range that is not one, or that no file has, is not worth its memory.
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

/// More lines than a file of a project has.
const MAX_LINES: usize = 10_000_000;

fn doubt(authors: &mut [Author<'_>]) {
    for author in authors {
        if let Author::Agent { certain, .. } = author {
            *certain = false;
        }
    }
}
