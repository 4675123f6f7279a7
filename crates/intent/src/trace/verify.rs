//! Verifies the trace against the files on disk, and the integrity of the trace.

use std::collections::BTreeMap;
use std::io::{self, Read};

use super::lines::all_lines;
use super::{BadRecord, TraceRecord};
use crate::ContentHash;

/// The result of a verification.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Verification {
    /// Files that are unchanged since their last record.
    pub unchanged: Vec<String>,
    /// Files that another writer changed since.
    pub changed: Vec<String>,
    /// Files that do not exist any more.
    pub missing: Vec<String>,
    /// Malformed lines, by their numbers.
    pub broken: Vec<(usize, BadRecord)>,
}

impl Verification {
    /// Returns whether every line of the trace is a valid record.
    pub fn is_whole(&self) -> bool {
        self.broken.is_empty()
    }
}

/// Compares each file's newest record with the disk. `on_disk` returns the hash of a file of the
/// workspace, `None` if it does not exist.
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
