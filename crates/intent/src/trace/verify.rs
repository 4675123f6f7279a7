//! Whether the files are as the trace says they were left, and whether the trace is whole.

use std::collections::BTreeMap;
use std::io::{self, Read};

use super::lines::all_lines;
use super::{BadRecord, TraceRecord};
use crate::ContentHash;

/// What a check of the trace against the disk found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Verification {
    /// Files that are as they were left.
    pub unchanged: Vec<String>,
    /// Files that were changed by somebody else since.
    pub changed: Vec<String>,
    /// Files that are gone.
    pub missing: Vec<String>,
    /// Lines that are no records, by their numbers.
    pub broken: Vec<(usize, BadRecord)>,
}

impl Verification {
    /// Returns whether every line of the trace is a record.
    pub fn is_whole(&self) -> bool {
        self.broken.is_empty()
    }
}

/// Holds each file's newest record against the disk. `on_disk` returns the hash of a file of the
/// workspace, nothing if it is gone.
pub fn verify(
    trace: impl Read,
    mut on_disk: impl FnMut(&str) -> Option<ContentHash>,
) -> io::Result<Verification> {
    let mut found = Verification::default();
    let mut newest: BTreeMap<String, ContentHash> = BTreeMap::new();
    all_lines(trace, |number, line| match TraceRecord::parse(line) {
        Ok(record) => {
            newest.insert(record.file_path, record.content_hash);
        }
        Err(error) => found.broken.push((number, error)),
    })?;
    for (path, hash) in newest {
        let list = match on_disk(&path) {
            None => &mut found.missing,
            Some(now) if now == hash => &mut found.unchanged,
            Some(_) => &mut found.changed,
        };
        list.push(path);
    }
    Ok(found)
}
