//! A file's text, and where in it things are.

use crate::limits::MAX_FILE_BYTES;
use crate::problem::{Code, Problem};
use crate::spot::Spot;

/// A file that has been read: its name for messages, and its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    file: String,
    text: String,
}

/// A place in a text: line and column from 1, and how many characters are meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Mark {
    pub(crate) line: usize,
    pub(crate) column: usize,
    pub(crate) width: usize,
}

impl Source {
    /// Takes the bytes of a file; a byte-order mark is left out.
    pub fn decode(file: impl Into<String>, bytes: &[u8]) -> Result<Self, Box<Problem>> {
        let file = file.into();
        if bytes.len() > MAX_FILE_BYTES {
            let message = format!(
                "the file has {} bytes, more than the {MAX_FILE_BYTES} of MAX_FILE_BYTES",
                bytes.len()
            );
            let problem = Problem::error(file, Code::ParseError, message);
            return Err(Box::new(problem.hint("an agent is a prompt and a few fields: keep data elsewhere")));
        }
        if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
            let problem = Problem::error(file, Code::ParseError, "the file is in UTF-16");
            return Err(Box::new(problem.expected("UTF-8").hint("save it as UTF-8")));
        }
        let bytes = bytes.strip_prefix(&[0xef, 0xbb, 0xbf]).unwrap_or(bytes);
        match std::str::from_utf8(bytes) {
            Ok(text) => Ok(Self { file, text: text.to_owned() }),
            Err(error) => Err(Box::new(not_utf8(file, bytes, error.valid_up_to()))),
        }
    }

    /// Takes a text that is already at hand.
    pub fn new(file: impl Into<String>, text: impl Into<String>) -> Self {
        Self { file: file.into(), text: text.into() }
    }

    /// Returns the file's name for messages.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// Returns the text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns a mark together with its line.
    pub(crate) fn spot(&self, mark: Mark) -> Spot {
        let text = self.text.lines().nth(mark.line.saturating_sub(1)).unwrap_or_default();
        Spot {
            line: mark.line.max(1),
            column: mark.column.max(1),
            width: mark.width.max(1),
            text: text.to_owned(),
        }
    }
}

fn not_utf8(file: String, bytes: &[u8], valid: usize) -> Problem {
    let before = String::from_utf8_lossy(&bytes[..valid]).into_owned();
    let line = before.matches('\n').count() + 1;
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    let column = before[start..].chars().count() + 1;
    let rest = bytes[start..].split(|it| *it == b'\n').next().unwrap_or_default();
    let spot = Spot { line, column, width: 1, text: String::from_utf8_lossy(rest).into_owned() };
    Problem::error(file, Code::ParseError, format!("byte 0x{:02x} is not UTF-8", bytes[valid]))
        .at(spot)
        .expected("UTF-8")
        .hint("save it as UTF-8")
}
