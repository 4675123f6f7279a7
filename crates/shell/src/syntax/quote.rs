//! Quoted text: `'…'`, `"…"`.

use super::cursor::{Cursor, Failure};
use super::dollar;
use super::tree::Piece;

/// Reads `'…'`; the cursor stands on the quote.
pub(super) fn single(cursor: &mut Cursor) -> Result<String, Failure> {
    let rest = &cursor.rest()[1..];
    match rest.find('\'') {
        Some(end) => {
            cursor.at += end + 2;
            cursor.pay(end + 2)?;
            Ok(rest[..end].to_owned())
        }
        None => Err(cursor.fail("a `'` is not closed")),
    }
}

/// Reads `"…"`; the cursor stands on the quote.
pub(super) fn double(cursor: &mut Cursor) -> Result<Vec<Piece>, Failure> {
    let start = cursor.at;
    cursor.at += 1;
    let mut pieces = Vec::new();
    loop {
        match cursor.peek() {
            None => {
                cursor.at = start;
                return Err(cursor.fail("a `\"` is not closed"));
            }
            Some(b'"') => {
                cursor.at += 1;
                return Ok(pieces);
            }
            Some(_) => inner(cursor, &mut pieces, b'"')?,
        }
    }
}

/// Reads one piece of text in which only `$`, `` ` `` and `\` are alive: double
/// quotes and here-documents. `quote` can be escaped too; it ends a run of text.
pub(super) fn inner(cursor: &mut Cursor, pieces: &mut Vec<Piece>, quote: u8) -> Result<(), Failure> {
    match cursor.peek() {
        Some(b'$') => dollar::dollar(cursor, pieces, true),
        Some(b'`') => {
            pieces.push(dollar::backtick(cursor, quote == b'"')?);
            Ok(())
        }
        Some(b'\\') => {
            cursor.pay(2)?;
            match cursor.peek_at(1) {
                Some(b'\n') => cursor.at += 2,
                Some(byte) if matches!(byte, b'$' | b'`' | b'\\') || byte == quote => {
                    push_quoted(pieces, &cursor.rest()[1..2]);
                    cursor.at += 2;
                }
                _ => {
                    push_quoted(pieces, "\\");
                    cursor.at += 1;
                }
            }
            Ok(())
        }
        _ => {
            let rest = cursor.rest();
            let end = rest
                .bytes()
                .skip(1)
                .position(|byte| matches!(byte, b'$' | b'`' | b'\\') || byte == quote)
                .map_or(rest.len(), |position| position + 1);
            push_quoted(pieces, &rest[..end]);
            cursor.at += end;
            cursor.pay(end)
        }
    }
}

pub(super) fn push_quoted(pieces: &mut Vec<Piece>, text: &str) {
    if let Some(Piece::Quoted(last)) = pieces.last_mut() {
        last.push_str(text);
    } else {
        pieces.push(Piece::Quoted(text.to_owned()));
    }
}
