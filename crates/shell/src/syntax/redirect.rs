//! Redirections: `2>&1`, `&>log`, `<<EOF`, `{fd}<file`.

use super::cursor::{Cursor, Failure};
use super::tree::{Operator, Redirect, Target};
use super::word;

/// Longest first, so that `<<<` is not read as `<<`.
const OPERATORS: [(&str, Operator); 12] = [
    ("&>>", Operator::Both),
    ("&>", Operator::Both),
    ("<<<", Operator::HereString),
    ("<<-", Operator::HereDoc),
    ("<<", Operator::HereDoc),
    ("<>", Operator::ReadWrite),
    ("<&", Operator::Duplicate),
    (">>", Operator::Append),
    (">&", Operator::Duplicate),
    (">|", Operator::Write),
    ("<", Operator::Read),
    (">", Operator::Write),
];

/// Reads a redirection if one begins here.
pub(super) fn redirect(cursor: &mut Cursor) -> Result<Option<Redirect>, Failure> {
    let bytes = cursor.text.as_bytes();
    let mut at = cursor.at;
    while bytes.get(at).is_some_and(u8::is_ascii_digit) {
        at += 1;
    }
    if at == cursor.at && bytes.get(at) == Some(&b'{') {
        let close =
            bytes[at..].iter().position(|byte| !(byte.is_ascii_alphanumeric() || b"{_".contains(byte)));
        match close {
            Some(length) if length > 1 && bytes.get(at + length) == Some(&b'}') => at += length + 1,
            _ => return Ok(None),
        }
        if !matches!(bytes.get(at), Some(b'<' | b'>')) {
            return Ok(None);
        }
    }
    if !matches!(bytes.get(at), Some(b'<' | b'>' | b'&')) {
        return Ok(None);
    }
    let Some((text, operator)) =
        OPERATORS.iter().find(|(text, _)| bytes[at..].starts_with(text.as_bytes())).copied()
    else {
        return Ok(None);
    };
    // `<(…)` and `>(…)` are words.
    if matches!(text, "<" | ">") && bytes.get(at + 1) == Some(&b'(') {
        return Ok(None);
    }
    let descriptor = cursor.text.get(cursor.at..at).and_then(|digits| digits.parse().ok());
    // `<&5` is `0<&5`.
    let descriptor = descriptor.or((text == "<&").then_some(0));
    cursor.at = at + text.len();
    cursor.skip_blanks();
    let target = word::word(cursor)?.ok_or_else(|| cursor.fail("the target of a redirection is missing"))?;
    let target = if operator == Operator::HereDoc {
        cursor.announce(&target, text == "<<-")
    } else {
        Target::Word(target)
    };
    Ok(Some(Redirect { operator, descriptor, target }))
}
