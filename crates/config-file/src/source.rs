//! The text of a file under the name that messages give it.

use std::borrow::Cow;
use std::cell::OnceCell;

use crate::node::Span;
use crate::place::Place;
use crate::problem::{Code, Problem};
use crate::spot::Spot;

/// A file that has been read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source<'t> {
    file: Cow<'t, str>,
    text: Cow<'t, str>,
    /// Where each line begins; found out at the first problem.
    lines: OnceCell<Vec<usize>>,
}

/// Why bytes are not the text of a configuration file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadEncoding {
    /// What is wrong.
    pub message: String,
    /// Where, if it is one byte.
    pub spot: Option<Spot>,
}

impl BadEncoding {
    /// Returns it as an error of a file.
    pub fn into_problem(self, file: &str) -> Problem {
        let problem = Problem::error(file, Code::PARSE_ERROR, self.message).hint("save it as UTF-8");
        Problem { spot: self.spot, ..problem }
    }
}

impl<'t> Source<'t> {
    /// Takes the bytes of a file; a byte-order mark is left out.
    pub fn decode(file: impl Into<Cow<'t, str>>, bytes: &'t [u8]) -> Result<Self, BadEncoding> {
        if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
            let message = "the file must be UTF-8, not UTF-16".to_owned();
            return Err(BadEncoding { message, spot: None });
        }
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        match std::str::from_utf8(bytes) {
            Ok(text) => Ok(Self::new(file, text)),
            Err(error) => Err(not_utf8(bytes, error.valid_up_to())),
        }
    }

    /// Takes a text that is already at hand.
    pub fn new(file: impl Into<Cow<'t, str>>, text: impl Into<Cow<'t, str>>) -> Self {
        Self { file: file.into(), text: text.into(), lines: OnceCell::new() }
    }

    /// Returns it with a text of its own.
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

    /// Returns the text of a span, as it was written.
    pub fn written(&self, span: Span) -> &str {
        self.text.get(span.start..span.end).unwrap_or_default()
    }

    /// Returns the line and column of a byte.
    pub fn place(&self, byte: usize) -> Place {
        let line = self.lines().partition_point(|start| *start <= byte);
        let start = self.lines().get(line.wrapping_sub(1)).copied().unwrap_or_default();
        let before = self.text.get(start..byte).unwrap_or_default();
        Place { line, column: before.chars().count() + 1 }
    }

    /// Returns the place of a span with the line it begins in; only that line is marked.
    pub fn spot(&self, span: Span) -> Spot {
        let Place { line, column } = self.place(span.start);
        let start = self.lines().get(line.wrapping_sub(1)).copied().unwrap_or_default();
        let rest = self.text.get(start..).unwrap_or_default();
        let text = rest.lines().next().unwrap_or_default().to_owned();
        let marked = self.written(span).lines().next().unwrap_or_default();
        Spot { line, column, width: marked.chars().count().max(1), text }
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
    let Place { line, column } = Place::of_byte(&before, before.len());
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    let rest = bytes[start..].split(|it| *it == b'\n').next().unwrap_or_default();
    let spot = Spot { line, column, width: 1, text: String::from_utf8_lossy(rest).into_owned() };
    BadEncoding { message: format!("byte 0x{:02x} is not UTF-8", bytes[valid]), spot: Some(spot) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_is_told_by_line_column_width_and_the_line_itself() {
        let source = Source::new("a", "ä: b\r\nc: [d,\n e]");
        let spot = |start, end| {
            let Spot { line, column, width, text } = source.spot(Span::new(start, end));
            (line, column, width, text)
        };
        assert_eq!(spot(4, 5), (1, 4, 1, "ä: b".to_owned()));
        assert_eq!(spot(10, 17), (2, 4, 3, "c: [d,".to_owned()));
        assert_eq!(spot(17, 18), (3, 4, 1, " e]".to_owned()));
        assert_eq!(Source::new("a", "").spot(Span::new(0, 1)).line, 1);
    }
}
