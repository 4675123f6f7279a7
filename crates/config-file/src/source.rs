//! The text of a file, with the file's name for messages.

use std::borrow::Cow;
use std::cell::OnceCell;

use crate::excerpt::Excerpt;
use crate::node::Span;
use crate::problem::{Code, Problem};

/// A file that has been read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source<'t> {
    file: Cow<'t, str>,
    text: Cow<'t, str>,
    /// The start of each line; computed at the first problem.
    lines: OnceCell<Vec<usize>>,
}

/// Why bytes cannot be decoded as the text of a configuration file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadEncoding {
    /// The message.
    pub message: String,
    /// The position, if a single byte is wrong.
    pub excerpt: Option<Excerpt>,
}

impl BadEncoding {
    /// Returns the error as a problem of a file.
    pub fn into_problem(self, file: &str) -> Problem {
        let problem = Problem::error(file, Code::PARSE_ERROR, self.message).hint("save it as UTF-8");
        Problem { excerpt: self.excerpt, ..problem }
    }
}

impl<'t> Source<'t> {
    /// Decodes the bytes of a file, without a byte-order mark.
    pub fn decode(file: impl Into<Cow<'t, str>>, bytes: &'t [u8]) -> Result<Self, BadEncoding> {
        if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
            let message = "the file must be UTF-8, not UTF-16".to_owned();
            return Err(BadEncoding { message, excerpt: None });
        }
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        match std::str::from_utf8(bytes) {
            Ok(text) => Ok(Self::new(file, text)),
            Err(error) => Err(not_utf8(bytes, error.valid_up_to())),
        }
    }

    /// Wraps a decoded text.
    pub fn new(file: impl Into<Cow<'t, str>>, text: impl Into<Cow<'t, str>>) -> Self {
        Self { file: file.into(), text: text.into(), lines: OnceCell::new() }
    }

    /// Returns the source with an owned text.
    pub fn into_owned(self) -> Source<'static> {
        Source::new(self.file.into_owned(), self.text.into_owned())
    }

    /// Returns the file's name for messages.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// Returns the text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the text of a span as the file spells it.
    pub fn written(&self, span: Span) -> &str {
        self.text.get(span.start..span.end).unwrap_or_default()
    }

    /// Returns the line and column of a byte.
    pub fn place(&self, byte: usize) -> Position {
        let line = self.lines().partition_point(|start| *start <= byte);
        let start = self.lines().get(line.wrapping_sub(1)).copied().unwrap_or_default();
        let before = self.text.get(start..byte).unwrap_or_default();
        Position { line, column: before.chars().count() + 1 }
    }

    /// Returns the position of a span with the line it begins in; only that line is marked.
    pub fn excerpt(&self, span: Span) -> Excerpt {
        let Position { line, column } = self.place(span.start);
        let start = self.lines().get(line.wrapping_sub(1)).copied().unwrap_or_default();
        let rest = self.text.get(start..).unwrap_or_default();
        let text = rest.lines().next().unwrap_or_default().to_owned();
        let marked = self.written(span).lines().next().unwrap_or_default();
        Excerpt { line, column, width: marked.chars().count().max(1), text }
    }

    fn lines(&self) -> &[usize] {
        self.lines.get_or_init(|| {
            let breaks = self.text.match_indices('\n').map(|(at, _)| at + 1);
            std::iter::once(0).chain(breaks).collect()
        })
    }
}

fn not_utf8(bytes: &[u8], valid: usize) -> BadEncoding {
    let before = String::from_utf8_lossy(&bytes[..valid]);
    let Position { line, column } = Position::of_byte(&before, before.len());
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    let rest = bytes[start..].split(|it| *it == b'\n').next().unwrap_or_default();
    let excerpt = Excerpt { line, column, width: 1, text: String::from_utf8_lossy(rest).into_owned() };
    BadEncoding { message: format!("byte 0x{:02x} is not UTF-8", bytes[valid]), excerpt: Some(excerpt) }
}

/// A position in a string, counted as in editors: from 1, in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// The line.
    pub line: usize,
    /// The column.
    pub column: usize,
}

impl Position {
    /// Returns the position of a byte.
    pub fn of_byte(text: &str, byte: usize) -> Self {
        let before = &text.as_bytes()[..byte.min(text.len())];
        let line_start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        let line = before.split(|byte| *byte == b'\n').count();
        Self { line, column: 1 + String::from_utf8_lossy(&before[line_start..]).chars().count() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_is_told_by_line_column_width_and_the_line_itself() {
        let source = Source::new("a", "ä: b\r\nc: [d,\n e]");
        let excerpt = |start, end| {
            let Excerpt { line, column, width, text } = source.excerpt(Span::new(start, end));
            (line, column, width, text)
        };
        assert_eq!(excerpt(4, 5), (1, 4, 1, "ä: b".to_owned()));
        assert_eq!(excerpt(10, 17), (2, 4, 3, "c: [d,".to_owned()));
        assert_eq!(excerpt(17, 18), (3, 4, 1, " e]".to_owned()));
        assert_eq!(Source::new("a", "").excerpt(Span::new(0, 1)).line, 1);
    }
}
