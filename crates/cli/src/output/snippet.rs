//! A place in a file, shown with its line and a caret.

use std::fmt;

use config_file::{Source, Span, Spot};

/// A place in a file, with the line it is on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Snippet {
    /// The file, as people are shown it.
    pub(crate) file: String,
    /// The place.
    pub(crate) spot: Spot,
}

impl Snippet {
    /// Takes a place by line and column, both from 1, and how many characters it is about.
    pub(crate) fn at(file: &str, text: &str, line: usize, column: usize, width: usize) -> Self {
        Self { file: file.to_owned(), spot: Spot::at(text, line, column, width) }
    }

    /// Takes a range of bytes of the text; only its first line is marked.
    pub(crate) fn of(file: &str, text: &str, start: usize, end: usize) -> Self {
        Self { file: file.to_owned(), spot: Source::new(file, text).spot(Span::new(start, end)) }
    }
}

impl fmt::Display for Snippet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.spot.in_file(&self.file).fmt(f)
    }
}
