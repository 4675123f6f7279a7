//! Everything that begins with `$` or a backtick.

use super::cursor::{Cursor, Failure};
use super::tree::{Param, Piece};
use super::{compound, escape, list, quote, word};

/// Reads the expansion behind a `$`; a lone `$` is text.
pub(super) fn dollar(cursor: &mut Cursor, pieces: &mut Vec<Piece>, quoted: bool) -> Result<(), Failure> {
    let start = cursor.at;
    cursor.pay(2)?;
    match cursor.peek_at(1) {
        Some(b'(') => {
            if cursor.peek_at(2) == Some(b'(') {
                cursor.at += 1;
                if let Some(inner) = arithmetic(cursor, 2)? {
                    pieces.push(Piece::Arithmetic(inner));
                    return Ok(());
                }
                cursor.at = start;
            }
            cursor.at += 2;
            pieces.push(Piece::Command(compound::parenthesised(cursor)?));
        }
        Some(b'{') => {
            let param = cursor.deeper(|cursor| braced(cursor, quoted))?;
            pieces.push(param);
        }
        Some(b'[') => {
            cursor.at += 1;
            match arithmetic(cursor, 1)? {
                Some(inner) => pieces.push(Piece::Arithmetic(inner)),
                None => return Err(cursor.fail("a `$[` is not closed")),
            }
        }
        Some(b'\'') if !quoted => {
            cursor.at += 1;
            pieces.push(Piece::Quoted(escape::ansi_c(cursor)?));
        }
        Some(b'"') if !quoted => {
            cursor.at += 1;
            pieces.push(Piece::Double(quote::double(cursor)?));
        }
        Some(byte) if byte.is_ascii_alphabetic() || byte == b'_' => {
            let rest = &cursor.rest()[1..];
            let end = rest
                .bytes()
                .position(|byte| !(byte.is_ascii_alphanumeric() || byte == b'_'))
                .unwrap_or(rest.len());
            cursor.at += 1 + end;
            pieces.push(plain_param(&rest[..end]));
        }
        Some(byte) if byte.is_ascii_digit() || b"@*#?-$!".contains(&byte) => {
            let name = &cursor.rest()[1..2];
            cursor.at += 2;
            pieces.push(plain_param(name));
        }
        _ => {
            cursor.at += 1;
            if quoted {
                quote::push_quoted(pieces, "$");
            } else {
                word::push_bare(pieces, "$");
            }
        }
    }
    Ok(())
}

fn plain_param(name: &str) -> Piece {
    Piece::Param(Box::new(Param {
        name: name.to_owned(),
        indirect: false,
        length: false,
        operator: String::new(),
        argument: Vec::new(),
        source: format!("${name}"),
    }))
}

/// Reads `${…}`; the cursor stands on the `$`.
fn braced(cursor: &mut Cursor, quoted: bool) -> Result<Piece, Failure> {
    let start = cursor.at;
    cursor.at += 2;
    // `${ cmd; }` and `${| cmd; }` run a command.
    if matches!(cursor.peek(), Some(b' ' | b'\t' | b'\n' | b'|')) {
        cursor.at += 1;
        let body = list::script(cursor, &["}"])?;
        cursor.skip_lines()?;
        if cursor.peek() != Some(b'}') {
            return Err(cursor.fail("a `${` is not closed"));
        }
        cursor.at += 1;
        return Ok(Piece::Command(body));
    }
    let mut indirect = false;
    let mut length = false;
    match (cursor.peek(), cursor.peek_at(1)) {
        (Some(b'#'), Some(next)) if next != b'}' && !b":-=+?%#/".contains(&next) => {
            length = true;
            cursor.at += 1;
        }
        (Some(b'!'), Some(next)) if next != b'}' => {
            indirect = true;
            cursor.at += 1;
        }
        _ => {}
    }
    let rest = cursor.rest();
    let name_length = match rest.bytes().next() {
        Some(byte) if byte.is_ascii_alphabetic() || byte == b'_' => rest
            .bytes()
            .position(|byte| !(byte.is_ascii_alphanumeric() || byte == b'_'))
            .unwrap_or(rest.len()),
        Some(byte) if byte.is_ascii_digit() => {
            rest.bytes().position(|byte| !byte.is_ascii_digit()).unwrap_or(rest.len())
        }
        Some(byte) if b"@*#?-$!".contains(&byte) => 1,
        _ => return Err(cursor.fail("bad substitution")),
    };
    let name = rest[..name_length].to_owned();
    cursor.at += name_length;
    let mut argument = Vec::new();
    if cursor.peek() == Some(b'[') {
        match arithmetic(cursor, 1)? {
            Some(subscript) => argument.extend(subscript),
            None => return Err(cursor.fail("a subscript is not closed")),
        }
    }
    let operator = operator(cursor);
    argument_pieces(cursor, &mut argument, quoted)?;
    let source = cursor.text.get(start..cursor.at).unwrap_or("").to_owned();
    Ok(Piece::Param(Box::new(Param { name, indirect, length, operator, argument, source })))
}

fn operator(cursor: &mut Cursor) -> String {
    const OPERATORS: [&str; 20] = [
        ":-", ":=", ":?", ":+", "##", "%%", "//", "/#", "/%", "^^", ",,", "~~", "-", "=", "?", "+", "#", "%",
        "/", "@",
    ];
    for operator in OPERATORS.iter().chain(&["^", ",", "~", ":", "*"]) {
        if cursor.looking_at(operator) {
            cursor.at += operator.len();
            return (*operator).to_owned();
        }
    }
    String::new()
}

/// Reads the argument of `${name…}` up to and including the `}`.
fn argument_pieces(cursor: &mut Cursor, pieces: &mut Vec<Piece>, quoted: bool) -> Result<(), Failure> {
    loop {
        match cursor.peek() {
            None => return Err(cursor.fail("a `${` is not closed")),
            Some(b'}') => {
                cursor.at += 1;
                return Ok(());
            }
            Some(b'\'') if quoted => {
                quote::push_quoted(pieces, "'");
                cursor.at += 1;
            }
            Some(b'\'' | b'"' | b'$' | b'`' | b'\\') => word::piece(cursor, pieces)?,
            Some(_) => {
                let rest = cursor.rest();
                let end = rest
                    .bytes()
                    .position(|byte| matches!(byte, b'}' | b'\'' | b'"' | b'$' | b'`' | b'\\'))
                    .unwrap_or(rest.len());
                if quoted {
                    quote::push_quoted(pieces, &rest[..end]);
                } else {
                    word::push_bare(pieces, &rest[..end]);
                }
                cursor.at += end;
            }
        }
    }
}

/// Reads arithmetic from its `(` or `[` to the matching close, `brackets` of
/// them. Returns `None`, with the position restored, when `((` turns out not to
/// be arithmetic: `$((cmd) | x)`.
pub(super) fn arithmetic(cursor: &mut Cursor, brackets: usize) -> Result<Option<Vec<Piece>>, Failure> {
    let start = cursor.at;
    let result = cursor.deeper(|cursor| arithmetic_inner(cursor, brackets));
    match result {
        Ok(Some(pieces)) => Ok(Some(pieces)),
        Ok(None) => {
            cursor.pay(cursor.at - start)?;
            cursor.at = start;
            Ok(None)
        }
        // Text that is no arithmetic may still be commands: `((a "b) )` is left to them to judge.
        Err(failure) if brackets == 2 && !failure.limit => {
            cursor.pay(cursor.at.saturating_sub(start))?;
            cursor.at = start;
            Ok(None)
        }
        Err(failure) => Err(failure),
    }
}

fn arithmetic_inner(cursor: &mut Cursor, brackets: usize) -> Result<Option<Vec<Piece>>, Failure> {
    let (open, close) = if cursor.peek() == Some(b'[') { (b'[', b']') } else { (b'(', b')') };
    cursor.at += brackets;
    let mut pieces = Vec::new();
    let mut depth = 0usize;
    loop {
        match cursor.peek() {
            None => {
                return if brackets == 2 { Ok(None) } else { Err(cursor.fail("arithmetic is not closed")) };
            }
            Some(byte) if byte == open => {
                depth += 1;
                word::push_bare(&mut pieces, if open == b'(' { "(" } else { "[" });
                cursor.at += 1;
            }
            Some(byte) if byte == close => {
                if depth > 0 {
                    depth -= 1;
                    word::push_bare(&mut pieces, if open == b'(' { ")" } else { "]" });
                    cursor.at += 1;
                } else if brackets == 1 {
                    cursor.at += 1;
                    return Ok(Some(pieces));
                } else if cursor.peek_at(1) == Some(close) {
                    cursor.at += 2;
                    return Ok(Some(pieces));
                } else {
                    return Ok(None);
                }
            }
            Some(b'\'' | b'"' | b'$' | b'`' | b'\\') => word::piece(cursor, &mut pieces)?,
            Some(_) => {
                let rest = cursor.rest();
                let end = rest
                    .bytes()
                    .position(|byte| {
                        byte == open || byte == close || matches!(byte, b'\'' | b'"' | b'$' | b'`' | b'\\')
                    })
                    .unwrap_or(rest.len());
                word::push_bare(&mut pieces, &rest[..end]);
                cursor.at += end;
                cursor.pay(end)?;
            }
        }
    }
}

/// Reads `` `…` `` and parses its content as a separate text.
pub(super) fn backtick(cursor: &mut Cursor, in_double: bool) -> Result<Piece, Failure> {
    let start = cursor.at;
    let bytes = cursor.text.as_bytes();
    let mut inner = Vec::new();
    let mut at = start + 1;
    loop {
        match (bytes.get(at), bytes.get(at + 1)) {
            (None, _) => return Err(cursor.fail("a backtick is not closed")),
            (Some(b'`'), _) => break,
            (Some(b'\\'), Some(next))
                if matches!(next, b'`' | b'\\' | b'$') || in_double && *next == b'"' =>
            {
                inner.push(*next);
                at += 2;
            }
            (Some(byte), _) => {
                inner.push(*byte);
                at += 1;
            }
        }
    }
    cursor.pay(at - start)?;
    let inner = String::from_utf8_lossy(&inner).into_owned();
    cursor.at = at + 1;
    let span = cursor.span_from(start);
    let script = cursor.nested(&inner, span, |nested| {
        let script = list::script(nested, &[])?;
        nested.read_pending_documents()?;
        if nested.peek().is_some() { Err(nested.fail("unmatched `)`")) } else { Ok(script) }
    })?;
    Ok(Piece::Command(script))
}
