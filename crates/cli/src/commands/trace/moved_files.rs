//! The files that calls moved, according to the journals: a moved file keeps the authors of its lines.
//!
//! A call moved a file if another file had exactly its content before the call, and the same call deleted or replaced
//! that one.

use std::collections::HashMap;

use intent::ContentHash;
use intent::journal::{FileDeleted, FileWritten};
use intent::trace::{LineMarks, MovedFile, TraceRecord, history};

use super::journals::{self, JournalPlace};
use super::{provenance, records};
use crate::commands::Place;

/// The moves of a workspace.
pub(super) struct MovedFiles<'a> {
    place: &'a Place,
    /// The run that left each content at a path, and the marks of its lines.
    left_at: HashMap<(String, ContentHash), (RunId, Option<LineMarks>)>,
    /// The contents that each run took away from a path; `None` if the content is unknown.
    taken: HashMap<RunId, Vec<(String, Option<ContentHash>)>>,
}

/// A run of a session.
type RunId = (String, String);

impl<'a> MovedFiles<'a> {
    /// Reads the journals.
    pub(super) fn of(place: &'a Place) -> anyhow::Result<Self> {
        let mut found = Self { place, left_at: HashMap::new(), taken: HashMap::new() };
        journals::each_with_place::<FileWritten>(place, |at, written| {
            let run = id_of(at);
            if let Some(before) = written.before {
                found.taken.entry(run.clone()).or_default().push((written.file.clone(), Some(before)));
            }
            let marks = written.marks.as_deref().and_then(LineMarks::parse);
            found.left_at.insert((written.file, written.after), (run, marks));
        })?;
        journals::each_with_place::<FileDeleted>(place, |at, deleted| {
            found.taken.entry(id_of(at)).or_default().push((deleted.file, deleted.before));
        })?;
        Ok(found)
    }

    /// Returns the path from which the call of a record moved the file.
    pub(super) fn source(&self, record: &TraceRecord) -> Option<String> {
        let key = (record.file_path.clone(), record.content_hash.clone());
        let (run, _) = self.left_at.get(&key)?;
        let had_it = |(file, before): &&(String, Option<ContentHash>)| {
            *file != record.file_path
                && match before {
                    Some(before) => *before == record.content_hash,
                    None => self.had_content(file, record),
                }
        };
        self.taken.get(run)?.iter().find(had_it).map(|(file, _)| file.clone())
    }

    /// Returns the file that the call of a record moved to its path. Returns `None` if it moved none there.
    pub(super) fn moved_to(&self, record: &TraceRecord) -> Option<MovedFile> {
        self.source(record)?;
        let key = (record.file_path.clone(), record.content_hash.clone());
        self.left_at.get(&key).map(|(_, marks)| MovedFile { marks: marks.clone() })
    }

    /// Returns whether a file had the content of a record before, according to the trace or to git.
    fn had_content(&self, file: &str, record: &TraceRecord) -> bool {
        let traced = history(file, || records::open(self.place)).unwrap_or_default();
        let last = traced.iter().rfind(|it| it.timestamp <= record.timestamp);
        if let Some(last) = last {
            return last.content_hash == record.content_hash;
        }
        let Some(commit) = &record.git_sha else { return false };
        let content = provenance::git(self.place, &["cat-file", "blob", &format!("{commit}:./{file}")]);
        content.is_some_and(|content| ContentHash::of(&content) == record.content_hash)
    }
}

fn id_of(at: JournalPlace) -> RunId {
    (at.session.to_string(), at.run)
}
