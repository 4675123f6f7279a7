//! Statistics of the writes under each intent.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Read};

use super::TraceRecord;
use super::lines::all_lines;
use crate::IntentId;

/// The writes under one intent.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct IntentStats {
    /// The files.
    pub files: BTreeSet<String>,
    /// The number of writes.
    pub n_writes: usize,
    /// The number of lines, counted per write; zero for writes with unknown lines.
    pub n_lines: usize,
    /// The time of the first write.
    pub from: String,
    /// The time of the last write.
    pub to: String,
}

/// Sums up a trace per intent. Skips malformed lines.
pub fn stats(trace: impl Read) -> io::Result<BTreeMap<IntentId, IntentStats>> {
    let mut all: BTreeMap<IntentId, IntentStats> = BTreeMap::new();
    all_lines(trace, |_, line| {
        let Ok(record) = TraceRecord::parse(line) else { return };
        let ranges = record.line_ranges.iter().flatten();
        let lengths = ranges.map(|range| range.end.saturating_add(1).saturating_sub(range.start));
        let n_lines = lengths.fold(0, usize::saturating_add);
        let stats = all.entry(record.intent_id).or_default();
        stats.n_writes += 1;
        stats.n_lines = stats.n_lines.saturating_add(n_lines);
        if stats.from.is_empty() || record.timestamp < stats.from {
            stats.from.clone_from(&record.timestamp);
        }
        if record.timestamp > stats.to {
            stats.to = record.timestamp;
        }
        stats.files.insert(record.file_path);
    })?;
    Ok(all)
}
