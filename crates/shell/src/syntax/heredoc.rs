//! Here-documents: announced on one line, their bodies on the next ones.

use super::cursor::{Cursor, Failure, Pending};
use super::quote;
use super::tree::{HereDoc, Piece, Target, Word};

impl Cursor<'_> {
    /// Remembers a document whose body begins on the next line.
    pub(super) fn announce(&mut self, word: &Word, strip_tabs: bool) -> Target {
        let (delimiter, quoted) = delimiter(word);
        let index = self.documents.len();
        self.documents.push(Vec::new());
        self.pending.push(Pending { index, delimiter, quoted, strip_tabs });
        Target::HereDoc(HereDoc { index })
    }

    /// Reads the bodies that were announced; the cursor stands at a line's begin.
    pub(super) fn read_pending_documents(&mut self) -> Result<(), Failure> {
        for pending in std::mem::take(&mut self.pending) {
            let body = self.body(&pending);
            self.pay(body.len())?;
            let pieces = if pending.quoted { vec![Piece::Quoted(body)] } else { expand(self, &body)? };
            if let Some(slot) = self.documents.get_mut(pending.index) {
                *slot = pieces;
            }
        }
        Ok(())
    }

    fn body(&mut self, pending: &Pending) -> String {
        let mut body = String::new();
        loop {
            let rest = self.rest();
            if rest.is_empty() {
                return body;
            }
            let end = rest.find('\n').unwrap_or(rest.len());
            let raw = &rest[..end];
            let line = if pending.strip_tabs { raw.trim_start_matches('\t') } else { raw };
            let bare = line.strip_suffix('\r').unwrap_or(line);
            if bare == pending.delimiter {
                self.at += (end + 1).min(rest.len());
                return body;
            }
            // `EOF)` ends a document inside `$(…)`, as bash reads it for old scripts' sake.
            if self.parens > 0
                && let Some(behind) = line.strip_prefix(pending.delimiter.as_str())
                && behind.trim_start().starts_with(')')
            {
                self.at += end - behind.len();
                return body;
            }
            body.push_str(line);
            body.push('\n');
            self.at += (end + 1).min(rest.len());
        }
    }
}

/// Reads the expansions of an unquoted body.
fn expand(cursor: &mut Cursor, body: &str) -> Result<Vec<Piece>, Failure> {
    if !body.contains(['$', '`', '\\']) {
        return Ok(vec![Piece::Quoted(body.to_owned())]);
    }
    let span = cursor.span_from(cursor.at.saturating_sub(body.len()));
    cursor.nested(body, span, |nested| {
        let mut pieces = Vec::new();
        while nested.peek().is_some() {
            quote::inner(nested, &mut pieces, 0)?;
        }
        Ok(pieces)
    })
}

/// The delimiter with its quotes removed, and whether there were any.
fn delimiter(word: &Word) -> (String, bool) {
    let mut text = String::new();
    let mut quoted = false;
    collect(&word.pieces, &mut text, &mut quoted);
    (text, quoted)
}

fn collect(pieces: &[Piece], text: &mut String, quoted: &mut bool) {
    for piece in pieces {
        match piece {
            Piece::Bare(part) => text.push_str(part),
            Piece::Quoted(part) => {
                *quoted = true;
                text.push_str(part);
            }
            Piece::Double(inner) => {
                *quoted = true;
                collect(inner, text, quoted);
            }
            Piece::Param(param) => text.push_str(&param.source),
            _ => {}
        }
    }
}
