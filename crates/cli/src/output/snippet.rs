//! A line of a file, printed with its number and a caret.

use std::fmt;

use config_file::{Excerpt, Source, Span};

/// A place in a file, with the text of its line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Snippet {
    /// The file's name in messages.
    pub(crate) file: String,
    /// The line, column and text.
    pub(crate) excerpt: Excerpt,
}

impl Snippet {
    /// Makes a snippet from line and column, both from 1, and the number of characters to mark.
    pub(crate) fn at(file: &str, text: &str, line: usize, column: usize, width: usize) -> Self {
        Self { file: file.to_owned(), excerpt: Excerpt::at(text, line, column, width) }
    }

    /// Makes a snippet from a range of bytes; marks only its first line.
    pub(crate) fn of(file: &str, text: &str, start: usize, end: usize) -> Self {
        Self { file: file.to_owned(), excerpt: Source::new(file, text).excerpt(Span::new(start, end)) }
    }
}

impl fmt::Display for Snippet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.excerpt.in_file(&self.file).fmt(f)
    }
}
