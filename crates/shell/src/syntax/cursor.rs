//! The reading position, the limits that are counted on the way, and the entry point.

use super::list;
use super::tree::{Piece, Script};
use crate::limits::{MAX_LEVELS, MAX_WORDS};
use crate::reading::Span;

/// Why and where reading stopped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Failure {
    /// Byte offset in the text that was parsed.
    pub at: usize,
    pub what: &'static str,
    /// A limit was reached, so trying another reading would not help.
    pub limit: bool,
}

/// How offsets of the parsed text become spans of the command line.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Origin {
    /// The text is the command line itself.
    Line,
    /// The text was computed or comes from a file; everything in it has this span.
    Within(Span),
}

/// A parsed text: its tree and the here-documents the tree points to.
#[derive(Debug, Default)]
pub(crate) struct Parsed {
    pub script: Script,
    pub documents: Vec<Vec<Piece>>,
}

/// Parses `text` as a whole.
pub(crate) fn parse(text: &str, origin: Origin) -> Result<Parsed, Failure> {
    let mut cursor = Cursor::new(text, origin);
    let script = list::script(&mut cursor, &[])?;
    if let Some(rest) = cursor.peek() {
        return Err(cursor.fail(if rest == b')' { "unmatched `)`" } else { "unexpected text" }));
    }
    cursor.read_pending_documents()?;
    Ok(Parsed { script, documents: cursor.documents })
}

/// A here-document that was announced and whose body has not been reached.
#[derive(Debug)]
pub(super) struct Pending {
    pub index: usize,
    pub delimiter: String,
    pub quoted: bool,
    pub strip_tabs: bool,
}

/// The reading position in one text.
pub(super) struct Cursor<'t> {
    pub text: &'t str,
    pub at: usize,
    pub origin: Origin,
    pub level: usize,
    /// Levels of `$(`, `(` and the like that a `)` would close; decides about `EOF)`.
    pub parens: usize,
    pub pending: Vec<Pending>,
    pub documents: Vec<Vec<Piece>>,
    n_words: usize,
    /// Steps left before the text counts as too tangled; bounds re-reading.
    fuel: usize,
}

impl<'t> Cursor<'t> {
    pub(super) fn new(text: &'t str, origin: Origin) -> Self {
        Self {
            text,
            at: 0,
            origin,
            level: 0,
            parens: 0,
            pending: Vec::new(),
            documents: Vec::new(),
            n_words: 0,
            fuel: text.len().saturating_mul(6) + 4096,
        }
    }

    pub(super) fn peek(&self) -> Option<u8> {
        crate::limits::work(1);
        self.text.as_bytes().get(self.at).copied()
    }

    pub(super) fn peek_at(&self, ahead: usize) -> Option<u8> {
        self.text.as_bytes().get(self.at + ahead).copied()
    }

    pub(super) fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or("")
    }

    pub(super) fn looking_at(&self, text: &str) -> bool {
        self.text.as_bytes()[self.at.min(self.text.len())..].starts_with(text.as_bytes())
    }

    pub(super) fn fail(&self, what: &'static str) -> Failure {
        Failure { at: self.at.min(self.text.len()), what, limit: false }
    }

    fn limit(&self, what: &'static str) -> Failure {
        Failure { limit: true, ..self.fail(what) }
    }

    /// Runs `inner` one level deeper.
    pub(super) fn deeper<T>(
        &mut self,
        inner: impl FnOnce(&mut Self) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        if self.level >= MAX_LEVELS {
            return Err(self.limit("more than 64 levels of nesting"));
        }
        self.level += 1;
        let result = inner(self);
        self.level -= 1;
        result
    }

    /// Counts one word.
    pub(super) fn count_word(&mut self) -> Result<(), Failure> {
        self.n_words += 1;
        if self.n_words > MAX_WORDS { Err(self.limit("more than 16384 words")) } else { Ok(()) }
    }

    /// Pays for `steps` bytes that are read; re-reading pays again.
    pub(super) fn pay(&mut self, steps: usize) -> Result<(), Failure> {
        match self.fuel.checked_sub(steps) {
            Some(left) => {
                self.fuel = left;
                Ok(())
            }
            None => Err(self.limit("too tangled to read in linear time")),
        }
    }

    /// Reads `inner` as a separate text, one level deeper, out of the same budget.
    pub(super) fn nested<T>(
        &mut self,
        inner: &str,
        span: Span,
        read: impl FnOnce(&mut Cursor) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let at = self.at;
        self.deeper(|outer| {
            let mut nested = Cursor::new(inner, Origin::Within(span));
            nested.level = outer.level;
            nested.n_words = outer.n_words;
            nested.fuel = outer.fuel;
            nested.documents = std::mem::take(&mut outer.documents);
            let result = read(&mut nested);
            outer.documents = nested.documents;
            outer.n_words = nested.n_words;
            outer.fuel = nested.fuel;
            result.map_err(|failure| Failure { at, ..failure })
        })
    }

    /// Returns the span from `start` to the current position.
    pub(super) fn span_from(&self, start: usize) -> Span {
        match self.origin {
            Origin::Line => Span::new(start, self.at.max(start)),
            Origin::Within(span) => span,
        }
    }

    /// Skips spaces, tabs, line continuations and a comment; stays on the line.
    pub(super) fn skip_blanks(&mut self) {
        loop {
            match self.peek() {
                Some(b' ' | b'\t' | b'\r') => self.at += 1,
                Some(b'\\') if self.peek_at(1) == Some(b'\n') => self.at += 2,
                Some(b'\\') if self.peek_at(1) == Some(b'\r') && self.peek_at(2) == Some(b'\n') => {
                    self.at += 3;
                }
                Some(b'#') => {
                    while self.peek().is_some_and(|byte| byte != b'\n') {
                        self.at += 1;
                    }
                }
                _ => return,
            }
        }
    }

    /// Skips spaces and line ends, reading the here-documents that begin there.
    pub(super) fn skip_lines(&mut self) -> Result<(), Failure> {
        loop {
            self.skip_blanks();
            if self.peek() != Some(b'\n') {
                return Ok(());
            }
            self.at += 1;
            self.pay(1)?;
            self.read_pending_documents()?;
        }
    }

    /// Returns the reserved word or plain word that stands here, without consuming it.
    pub(super) fn peek_plain(&self) -> &'t str {
        let bytes = self.text.as_bytes();
        let mut end = self.at;
        while let Some(byte) = bytes.get(end) {
            if byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'!' | b'{' | b'}' | b'[' | b']' | b'-')
            {
                end += 1;
            } else {
                break;
            }
        }
        match bytes.get(end) {
            None | Some(b' ' | b'\t' | b'\r' | b'\n' | b';' | b'&' | b'|' | b'(' | b')' | b'<' | b'>') => {
                self.text.get(self.at..end).unwrap_or("")
            }
            _ => "",
        }
    }
}
