//! The records of one file, from the trace of all.

use std::io::{self, Read};
use std::ops::ControlFlow;

use serde_json::Value;

use super::lines::lines_with;
use super::{MutationClass, TraceRecord};
use crate::ContentHash;

/// The maximum number of earlier names of a file.
const MAX_RENAMES: usize = 16;

/// Content in more records than this does not identify a file: a stub, a licence, an empty list.
const MAX_SHARED: usize = 1000;

/// Returns every record of a file, oldest first, including those of its earlier names.
///
/// A file that was created with exactly the last content of another file counts as that file renamed.
/// `open` opens the trace again for each name.
pub fn history<R: Read>(path: &str, open: impl FnMut() -> io::Result<R>) -> io::Result<Vec<TraceRecord>> {
    history_through_moves(path, open, |_| None)
}

/// Returns every record of a file, oldest first, including those of its earlier names. `moved_from` returns the path
/// from which the call of a record moved the file to where it is; earlier records of that place are of another file.
pub fn history_through_moves<R: Read>(
    path: &str,
    mut open: impl FnMut() -> io::Result<R>,
    moved_from: impl Fn(&TraceRecord) -> Option<String>,
) -> io::Result<Vec<TraceRecord>> {
    let mut all = records_of(path, open()?)?;
    let mut path = path.to_owned();
    for _ in 0..MAX_RENAMES {
        let mut own = all.iter().enumerate().rev().filter(|(_, record)| record.file_path == path);
        let moved = own.find_map(|(at, record)| Some((at, moved_from(record)?)));
        let (at, earlier) = if let Some(moved) = moved {
            moved
        } else {
            // A file that an unknown command moved here is older than the command.
            let is_first = |first: &&TraceRecord| {
                first.mutation_class == MutationClass::Create || first.line_ranges.is_none()
            };
            let Some(first) = all.first().filter(is_first) else { break };
            let Some(earlier) = earlier_name(first, &path, open()?)? else { break };
            (0, earlier)
        };
        let mut newer = all.split_off(at);
        let Some(first) = newer.first() else { break };
        let mut older = records_of(&earlier, open()?)?;
        older.retain(|record| record.timestamp <= first.timestamp);
        match older.iter().rposition(|record| record.content_hash == first.content_hash) {
            // Two files may have changed places in one call.
            Some(last) => older.truncate(last + 1),
            None => older.retain(|record| record.timestamp < first.timestamp),
        }
        older.append(&mut newer);
        all = older;
        path = earlier;
    }
    Ok(all)
}

/// Returns the removed file that last had exactly this content: a person renamed it without a trace.
pub fn renamed_from(
    content: &ContentHash,
    trace: impl Read,
    is_gone: impl Fn(&str) -> bool,
) -> io::Result<Option<String>> {
    last_with(content, trace, |record| is_gone(&record.file_path))
}

fn records_of(path: &str, trace: impl Read) -> io::Result<Vec<TraceRecord>> {
    // As it appears in JSON, with quotes: short enough to find fast, long enough to be rare.
    let needle = Value::from(path).to_string();
    let mut records = Vec::new();
    lines_with(trace, needle.as_bytes(), |line| {
        let record = TraceRecord::parse(line).ok().filter(|record| record.file_path == path);
        records.extend(record);
        ControlFlow::Continue(())
    })?;
    Ok(records)
}

/// Returns the other file whose latest content, at that time, a new file was created with.
fn earlier_name(created: &TraceRecord, path: &str, trace: impl Read) -> io::Result<Option<String>> {
    last_with(&created.content_hash, trace, |record| {
        record.file_path != path
            && record.timestamp <= created.timestamp
            // All empty files have the same content.
            && record.line_ranges.as_ref().is_none_or(|ranges| !ranges.is_empty())
    })
}

/// Returns the file of the last record whose content `is_it` accepts. Returns `None` if too many
/// match.
fn last_with(
    content: &ContentHash,
    trace: impl Read,
    is_it: impl Fn(&TraceRecord) -> bool,
) -> io::Result<Option<String>> {
    let mut found = None;
    let mut n_records = 0;
    lines_with(trace, content.as_str().as_bytes(), |line| {
        n_records += 1;
        if n_records > MAX_SHARED {
            found = None;
            return ControlFlow::Break(());
        }
        let record = TraceRecord::parse(line).ok().filter(|record| record.content_hash == *content);
        if let Some(record) = record.filter(&is_it) {
            found = Some(record.file_path);
        }
        ControlFlow::Continue(())
    })?;
    Ok(found)
}
