//! The text between two values: white space, comments, at most one comma.

use std::ops::Range;

/// The text between two values, or between a value and a bracket.
#[derive(Debug, Clone, Copy)]
pub(super) struct Gap<'a> {
    text: &'a str,
    start: usize,
    end: usize,
}

enum Piece {
    Comma(usize),
    LineComment(Range<usize>),
    BlockComment(Range<usize>),
}

impl<'a> Gap<'a> {
    pub(super) fn new(text: &'a str, range: Range<usize>) -> Self {
        Self { text, start: range.start, end: range.end }
    }

    /// Returns the position of its comma.
    pub(super) fn comma(self) -> Option<usize> {
        self.pieces().find_map(|piece| if let Piece::Comma(at) = piece { Some(at) } else { None })
    }

    /// Returns whether it contains a comment.
    pub(super) fn has_comment(self) -> bool {
        self.pieces().any(|piece| !matches!(piece, Piece::Comma(_)))
    }

    /// Returns the number of line breaks. Returns `None` if it contains anything but white space and
    /// the comma.
    pub(super) fn blank_lines(self) -> Option<usize> {
        (!self.has_comment()).then(|| self.text[self.start..self.end].matches('\n').count())
    }

    /// Returns whether text inserted after it would be part of a line comment.
    pub(super) fn ends_in_line_comment(self) -> bool {
        self.pieces()
            .last()
            .is_some_and(|piece| matches!(piece, Piece::LineComment(range) if range.end == self.end))
    }

    /// Returns the position after the comments on the gap's first line: they belong to the value
    /// before the gap.
    pub(super) fn behind_comments_of_the_line(self) -> usize {
        let mut behind = self.start;
        for piece in self.pieces() {
            let (Piece::LineComment(range) | Piece::BlockComment(range)) = piece else { break };
            if self.text[behind..range.start].contains(['\n', '\r']) {
                break;
            }
            behind = range.end;
        }
        behind
    }

    fn pieces(self) -> impl Iterator<Item = Piece> {
        let mut at = self.start;
        std::iter::from_fn(move || {
            let rest = self.text.get(at..self.end)?;
            at += rest.find([',', '/'])?;
            let rest = &self.text[at..self.end];
            let start = at;
            if rest.starts_with(',') {
                at += 1;
                Some(Piece::Comma(start))
            } else if rest.starts_with("//") {
                at += rest.find(['\n', '\r']).unwrap_or(rest.len());
                Some(Piece::LineComment(start..at))
            } else {
                // Skips two characters, so that `/*/` does not end where it begins.
                at += rest.get(2..).and_then(|body| body.find("*/")).map_or(rest.len(), |end| end + 4);
                Some(Piece::BlockComment(start..at))
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gap(text: &str) -> Gap<'_> {
        Gap::new(text, 0..text.len())
    }

    #[test]
    fn a_comma_in_a_comment_is_not_the_comma() {
        assert_eq!(gap(" /* , */ // ,\n ,").comma(), Some(15));
        assert_eq!(gap(" /*/ , */ ").comma(), None);
    }

    #[test]
    fn comments_of_the_same_line_belong_to_what_is_before() {
        assert_eq!(gap(" /* a */ // b\n // c\n").behind_comments_of_the_line(), 13);
        assert_eq!(gap("\n // c\n").behind_comments_of_the_line(), 0);
        assert_eq!(gap("  ").behind_comments_of_the_line(), 0);
        assert_eq!(gap(" /* a\n */ /* b */\n/* c */").behind_comments_of_the_line(), 17);
        assert_eq!(gap(" // a\r\n").behind_comments_of_the_line(), 5);
    }

    #[test]
    fn blank_means_no_comment() {
        assert_eq!(gap("\r\n\r\n  ").blank_lines(), Some(2));
        assert_eq!(gap(" ").blank_lines(), Some(0));
        assert_eq!(gap("\n//\n").blank_lines(), None);
    }

    #[test]
    fn text_behind_a_line_comment_would_be_part_of_it() {
        assert!(gap(", // a").ends_in_line_comment());
        assert!(!gap(", // a\n").ends_in_line_comment());
        assert!(!gap(", /* // a */").ends_in_line_comment());
    }
}
