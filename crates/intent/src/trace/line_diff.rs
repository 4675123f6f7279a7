//! Determines the lines of a file that a write changed.

use std::hash::Hash;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use similar::{Algorithm, DiffOp, capture_diff_slices_deadline};

/// Lines of a file, counted from one, including both ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LineRange {
    /// The first.
    pub start: usize,
    /// The last.
    pub end: usize,
}

/// Lines that replaced others, each counted from zero in its own file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Hunk {
    /// The first old line.
    pub old_start: usize,
    /// The number of old lines.
    pub old_lines: usize,
    /// The first new line.
    pub new_start: usize,
    /// The number of new lines.
    pub new_lines: usize,
}

/// How long a diff searches for the shortest result before it returns a coarser one.
const DIFF_TIMEOUT: Duration = Duration::from_millis(20);

/// Returns the changes from one content to another, in the order of the file.
pub fn hunks(before: &[u8], after: &[u8]) -> Vec<Hunk> {
    hunks_between(&lines(before), &lines(after))
}

/// Returns the changes from one sequence of lines to another, for any representation of lines.
pub(super) fn hunks_between<T: Hash + Eq + Ord>(old: &[T], new: &[T]) -> Vec<Hunk> {
    // Only the middle is diffed: most edits are small, and both ends are equal.
    let head = old.iter().zip(new).take_while(|(one, other)| one == other).count();
    let tail = old[head..]
        .iter()
        .rev()
        .zip(new[head..].iter().rev())
        .take_while(|(one, other)| one == other)
        .count();
    let (old, new) = (&old[head..old.len() - tail], &new[head..new.len() - tail]);
    let hunk = |old_start: usize, old_lines, new_start: usize, new_lines| Hunk {
        old_start: head + old_start,
        old_lines,
        new_start: head + new_start,
        new_lines,
    };
    if old.is_empty() && new.is_empty() {
        return Vec::new();
    }
    if old.is_empty() || new.is_empty() {
        return vec![hunk(0, old.len(), 0, new.len())];
    }
    let ops =
        capture_diff_slices_deadline(Algorithm::Myers, old, new, Instant::now().checked_add(DIFF_TIMEOUT));
    let mut hunks: Vec<Hunk> = Vec::new();
    for op in ops {
        let next = match op {
            DiffOp::Equal { .. } => continue,
            DiffOp::Delete { old_index, old_len, new_index } => hunk(old_index, old_len, new_index, 0),
            DiffOp::Insert { old_index, new_index, new_len } => hunk(old_index, 0, new_index, new_len),
            DiffOp::Replace { old_index, old_len, new_index, new_len } => {
                hunk(old_index, old_len, new_index, new_len)
            }
        };
        match hunks.last_mut() {
            Some(last)
                if last.old_start + last.old_lines == next.old_start
                    && last.new_start + last.new_lines == next.new_start =>
            {
                last.old_lines += next.old_lines;
                last.new_lines += next.new_lines;
            }
            _ => hunks.push(next),
        }
    }
    hunks
}

/// Returns the new lines of the content after; removed lines leave no range.
pub fn line_ranges(hunks: &[Hunk]) -> Vec<LineRange> {
    let new = hunks.iter().filter(|hunk| hunk.new_lines > 0);
    new.map(|hunk| LineRange { start: hunk.new_start + 1, end: hunk.new_start + hunk.new_lines }).collect()
}

/// Splits a content into lines with their ends; text after the last end is also a line.
pub(crate) fn lines(content: &[u8]) -> Vec<&[u8]> {
    content.split_inclusive(|byte| *byte == b'\n').collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_name_the_lines_that_are_new() {
        for (before, after, expected) in [
            ("", "a\nb\n", &[(1, 2)][..]),
            ("", "", &[]),
            ("a\nb\n", "a\nb\n", &[]),
            ("a\nb\nc\n", "a\nX\nc\n", &[(2, 2)]),
            ("a\nb\n", "a\nb\nc\nd\n", &[(3, 4)]),
            ("a\nb\nc\n", "a\nc\n", &[]),
            ("a\nb\nc\nd\ne\n", "X\nb\nc\nd\nY\nZ\n", &[(1, 1), (5, 6)]),
            ("a", "a\n", &[(1, 1)]),
            ("a\r\n", "a\n", &[(1, 1)]),
        ] {
            let ranges = line_ranges(&hunks(before.as_bytes(), after.as_bytes()));
            let ranges: Vec<_> = ranges.iter().map(|range| (range.start, range.end)).collect();
            assert_eq!(ranges, expected, "{before:?} -> {after:?}");
        }
    }

    #[test]
    fn hunks_turn_the_old_lines_into_the_new() {
        let (before, after) = ("a\nb\nc\nd\ne\n", "a\nx\ny\nc\ne\nf\n");
        let (old, new) = (lines(before.as_bytes()), lines(after.as_bytes()));
        let mut rebuilt: Vec<&[u8]> = Vec::new();
        let mut at = 0;
        for hunk in hunks(before.as_bytes(), after.as_bytes()) {
            rebuilt.extend(&old[at..hunk.old_start]);
            rebuilt.extend(&new[hunk.new_start..hunk.new_start + hunk.new_lines]);
            at = hunk.old_start + hunk.old_lines;
        }
        rebuilt.extend(&old[at..]);
        assert_eq!(rebuilt, new);
    }
}
