//! Assignments in front of a command: `a=1`, `b+=(x y)`, `c[2]=z`.

use super::cursor::{Cursor, Failure};
use super::tree::{Assign, AssignValue, Word};
use super::word;

/// Reads an assignment if one begins here.
pub(super) fn assign(cursor: &mut Cursor) -> Result<Option<Assign>, Failure> {
    let bytes = cursor.text.as_bytes();
    let start = cursor.at;
    if !bytes.get(start).is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'_') {
        return Ok(None);
    }
    let mut at = start;
    while bytes.get(at).is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_') {
        at += 1;
    }
    let name = cursor.text.get(start..at).unwrap_or("").to_owned();
    if bytes.get(at) == Some(&b'[') {
        let Some(length) = bytes[at..].iter().position(|byte| matches!(byte, b']' | b'\n')) else {
            return Ok(None);
        };
        // A subscript that runs something is read as a word, so that the walker sees its commands.
        let subscript = &bytes[at..at + length];
        if subscript.contains(&b'`') || subscript.windows(2).any(|pair| pair == b"$(") {
            return Ok(None);
        }
        at += length + 1;
    }
    let append = bytes.get(at) == Some(&b'+') && bytes.get(at + 1) == Some(&b'=');
    if append {
        at += 1;
    }
    if bytes.get(at) != Some(&b'=') {
        return Ok(None);
    }
    cursor.at = at + 1;
    if cursor.peek() == Some(b'(') {
        cursor.at += 1;
        let elements = word::array(cursor)?;
        return Ok(Some(Assign { name, append, value: AssignValue::Array(elements) }));
    }
    let at = cursor.at;
    let value = word::word(cursor)?.unwrap_or(Word { pieces: Vec::new(), span: cursor.span_from(at) });
    Ok(Some(Assign { name, append, value: AssignValue::Scalar(value) }))
}
