//! A line and a column.

/// A place in a text, as an editor counts: from 1, in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The line.
    pub line: usize,
    /// The column.
    pub column: usize,
}

impl Place {
    /// Returns the place of a byte.
    pub fn of_byte(text: &str, byte: usize) -> Self {
        let before = &text.as_bytes()[..byte.min(text.len())];
        let line_start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        let line = before.split(|byte| *byte == b'\n').count();
        Self { line, column: 1 + String::from_utf8_lossy(&before[line_start..]).chars().count() }
    }
}
