//! Short hashes that identify lines without their text.
//!
//! WHY: the trace has the hash of a content, not the content. To separate a person's lines from an
//! agent's after both have changed a file, it suffices to know which lines are unchanged. A mark
//! contains too little of a line to reveal a secret.

use std::collections::HashMap;

use super::line_diff::lines;

/// The marks of all lines of a content, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineMarks(Vec<u32>);

/// A longer file is recorded without marks: they would bloat the journal.
const MAX_LINES: usize = 4096;

/// The number of hexadecimal digits of a mark.
const DIGITS: usize = 6;

impl LineMarks {
    /// Computes the marks of a content's lines.
    pub fn of(content: &[u8]) -> Self {
        Self(lines(content).into_iter().map(mark).collect())
    }

    /// Returns the marks in the form of the journal. Returns `None` if there are too many.
    pub fn kept(&self) -> Option<String> {
        use std::fmt::Write as _;
        if self.0.len() > MAX_LINES {
            return None;
        }
        let mut text = String::with_capacity(self.0.len() * DIGITS);
        for mark in &self.0 {
            let _ = write!(text, "{mark:06x}");
        }
        Some(text)
    }

    /// Parses marks from a journal.
    pub fn parse(text: &str) -> Option<Self> {
        if !text.is_ascii() || !text.len().is_multiple_of(DIGITS) {
            return None;
        }
        let marks = text.as_bytes().chunks(DIGITS).map(|digits| {
            let digits = str::from_utf8(digits).ok()?;
            u32::from_str_radix(digits, 16).ok()
        });
        marks.collect::<Option<_>>().map(Self)
    }

    /// Returns the number of lines that both have, if these are at least half of the lines of the longer one.
    pub fn shared_with(&self, other: &Self) -> Option<usize> {
        let mut left = HashMap::new();
        for mark in &self.0 {
            *left.entry(mark).or_insert(0_usize) += 1;
        }
        let mut n_shared = 0;
        for mark in &other.0 {
            if let Some(n_left) = left.get_mut(mark).filter(|n_left| **n_left > 0) {
                *n_left -= 1;
                n_shared += 1;
            }
        }
        (n_shared > 0 && 2 * n_shared >= self.0.len().max(other.0.len())).then_some(n_shared)
    }

    /// Returns one number per line; equal lines have equal numbers.
    pub(super) fn numbers(&self) -> Vec<u64> {
        self.0.iter().map(|mark| u64::from(*mark)).collect()
    }
}

/// FNV-1a, folded to 24 bits: collisions within a file are rare.
fn mark(line: &[u8]) -> u32 {
    let hash =
        line.iter().fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193));
    (hash >> 24) ^ (hash & 0x00ff_ffff)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_survive_the_journal_unless_they_are_too_many() {
        let marks = LineMarks::of(b"one\ntwo\n\none\nlast");
        let kept = marks.kept().unwrap();
        assert_eq!(kept.len(), 5 * DIGITS);
        assert_eq!(LineMarks::parse(&kept), Some(marks.clone()));
        let numbers = marks.numbers();
        assert!(numbers[0] == numbers[3] && numbers[0] != numbers[1], "{numbers:?}");
        assert_eq!(LineMarks::parse("12345"), None);
        assert_eq!(LineMarks::parse("12345x"), None);
        assert_eq!(LineMarks::parse("é1234"), None);
        assert_eq!(LineMarks::of(&b"x\n".repeat(MAX_LINES + 1)).kept(), None);
        assert_eq!(LineMarks::of(b"").kept().as_deref(), Some(""));
    }
}
