//! Words: runs of bare text, quotes and expansions up to a space or an operator.

use super::cursor::{Cursor, Failure};
use super::tree::{Piece, Word};
use super::{compound, dollar, quote};

/// Reads the word that begins here. Returns `None` at an operator, a space or the end.
pub(super) fn word(cursor: &mut Cursor) -> Result<Option<Word>, Failure> {
    read(cursor, Stop::Word)
}

/// Reads an operand of `[[ … ]]`; behind `=~` and `==` parentheses and bars belong to the pattern.
pub(super) fn pattern_word(cursor: &mut Cursor, is_pattern: bool) -> Result<Option<Word>, Failure> {
    read(cursor, if is_pattern { Stop::Pattern } else { Stop::Word })
}

/// The characters that end a word.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stop {
    Word,
    Pattern,
}

fn read(cursor: &mut Cursor, stop: Stop) -> Result<Option<Word>, Failure> {
    let start = cursor.at;
    let mut pieces: Vec<Piece> = Vec::new();
    let mut open = 0usize;
    while let Some(byte) = cursor.peek() {
        match byte {
            b' ' | b'\t' | b'\n' if open == 0 => break,
            b'\r' if matches!(cursor.peek_at(1), None | Some(b'\n')) => break,
            b'<' | b'>' if cursor.peek_at(1) == Some(b'(') => {
                cursor.at += 2;
                let body = compound::parenthesised(cursor)?;
                pieces.push(Piece::Process { body, reads: byte == b'<' });
            }
            b'(' if stop == Stop::Pattern => {
                open += 1;
                push_bare(&mut pieces, "(");
                cursor.at += 1;
            }
            b')' if stop == Stop::Pattern && open > 0 => {
                open -= 1;
                push_bare(&mut pieces, ")");
                cursor.at += 1;
            }
            b'|' | b'<' | b'>' | b';' | b'&' if stop == Stop::Pattern && open > 0 => {
                push_bare(&mut pieces, cursor.text.get(cursor.at..=cursor.at).unwrap_or(""));
                cursor.at += 1;
            }
            b'(' if is_extglob(&pieces) => {
                let inner = cursor.deeper(extglob)?;
                pieces.extend(inner);
            }
            b'(' if is_array_head(&pieces) => {
                cursor.at += 1;
                let elements = array(cursor)?;
                for element in elements {
                    pieces.extend(element.pieces);
                    push_bare(&mut pieces, " ");
                }
            }
            b';' | b'&' | b'|' | b'(' | b')' | b'<' | b'>' => break,
            _ => piece(cursor, &mut pieces)?,
        }
    }
    if cursor.at == start {
        return Ok(None);
    }
    cursor.count_word()?;
    Ok(Some(Word { pieces, span: cursor.span_from(start) }))
}

/// Reads one quote, expansion, escape or run of bare text.
pub(super) fn piece(cursor: &mut Cursor, pieces: &mut Vec<Piece>) -> Result<(), Failure> {
    match cursor.peek() {
        Some(b'\'') => pieces.push(Piece::Quoted(quote::single(cursor)?)),
        Some(b'"') => pieces.push(Piece::Double(quote::double(cursor)?)),
        Some(b'$') => dollar::dollar(cursor, pieces, false)?,
        Some(b'`') => pieces.push(dollar::backtick(cursor, false)?),
        Some(b'\\') => escape(cursor, pieces),
        _ => {
            let rest = cursor.rest();
            let end = rest.bytes().position(ends_run).unwrap_or(rest.len()).max(1);
            // A run begins at a character: `position` never stops inside one, its stops are ASCII.
            let end = (end..=rest.len()).find(|&end| rest.is_char_boundary(end)).unwrap_or(rest.len());
            push_bare(pieces, &rest[..end]);
            cursor.at += end;
            cursor.pay(end)?;
        }
    }
    Ok(())
}

fn ends_run(byte: u8) -> bool {
    matches!(
        byte,
        b' ' | b'\t'
            | b'\n'
            | b'\r'
            | b'\''
            | b'"'
            | b'$'
            | b'`'
            | b'\\'
            | b';'
            | b'&'
            | b'|'
            | b'('
            | b')'
            | b'<'
            | b'>'
    )
}

/// Reads the words of `( … )` of an array up to and including the `)`.
pub(super) fn array(cursor: &mut Cursor) -> Result<Vec<Word>, Failure> {
    cursor.deeper(|cursor| {
        let mut elements = Vec::new();
        loop {
            cursor.skip_lines()?;
            if cursor.peek() == Some(b')') {
                cursor.at += 1;
                return Ok(elements);
            }
            match word(cursor)? {
                Some(element) => elements.push(element),
                None => return Err(cursor.fail("an array is not closed")),
            }
        }
    })
}

fn escape(cursor: &mut Cursor, pieces: &mut Vec<Piece>) {
    let rest = cursor.rest();
    match rest[1..].chars().next() {
        Some('\n') => cursor.at += 2,
        Some('\r') if rest[2..].starts_with('\n') => cursor.at += 3,
        Some(escaped) => {
            cursor.at += 1 + escaped.len_utf8();
            pieces.push(Piece::Quoted(escaped.to_string()));
        }
        None => {
            cursor.at += 1;
            pieces.push(Piece::Quoted("\\".to_owned()));
        }
    }
}

/// `@(…)`, `?(…)` and the like: pieces of the pattern with its parentheses.
fn extglob(cursor: &mut Cursor) -> Result<Vec<Piece>, Failure> {
    let mut pieces = Vec::new();
    let mut open = 0usize;
    loop {
        match cursor.peek() {
            None | Some(b'\n') => return Err(cursor.fail("a `(` of a pattern is not closed")),
            Some(byte @ (b'(' | b')')) => {
                open = if byte == b'(' { open + 1 } else { open - 1 };
                push_bare(&mut pieces, if byte == b'(' { "(" } else { ")" });
                cursor.at += 1;
                if open == 0 {
                    return Ok(pieces);
                }
            }
            Some(b' ' | b'\t' | b'\r' | b';' | b'&' | b'|' | b'<' | b'>') => {
                push_bare(&mut pieces, &cursor.rest()[..1]);
                cursor.at += 1;
            }
            Some(_) => piece(cursor, &mut pieces)?,
        }
    }
}

fn is_extglob(pieces: &[Piece]) -> bool {
    matches!(pieces.last(), Some(Piece::Bare(text)) if text.ends_with(['@', '?', '*', '+', '!']))
}

/// `name=` or `name+=` as the whole word so far: `declare -a list=(…)`.
fn is_array_head(pieces: &[Piece]) -> bool {
    let [Piece::Bare(text)] = pieces else { return false };
    let Some(name) = text.strip_suffix('=') else { return false };
    let name = name.strip_suffix('+').unwrap_or(name);
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

pub(super) fn push_bare(pieces: &mut Vec<Piece>, text: &str) {
    if let Some(Piece::Bare(last)) = pieces.last_mut() {
        last.push_str(text);
    } else {
        pieces.push(Piece::Bare(text.to_owned()));
    }
}
