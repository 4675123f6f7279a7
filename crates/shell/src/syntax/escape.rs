//! ANSI-C quoting: `$'\x72m\n'`.

use super::cursor::{Cursor, Failure};

/// Reads `'…'` of `$'…'` with its escapes decoded; the cursor stands on the quote.
pub(super) fn ansi_c(cursor: &mut Cursor) -> Result<String, Failure> {
    let bytes = cursor.text.as_bytes();
    let start = cursor.at + 1;
    let mut at = start;
    loop {
        match bytes.get(at) {
            None => return Err(cursor.fail("a `$'` is not closed")),
            Some(b'\\') => at += 2,
            Some(b'\'') => break,
            Some(_) => at += 1,
        }
    }
    let raw = cursor.text.get(start..at).unwrap_or("");
    cursor.at = at + 1;
    Ok(decode(raw))
}

/// Decodes the escapes of `$'…'`, `printf` and `echo -e`.
pub(crate) fn decode(raw: &str) -> String {
    let mut out = Vec::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(position) = rest.find('\\') {
        out.extend_from_slice(&rest.as_bytes()[..position]);
        rest = &rest[position + 1..];
        let Some(kind) = rest.chars().next() else {
            out.push(b'\\');
            break;
        };
        let mut used = kind.len_utf8();
        match kind {
            'a' => out.push(7),
            'b' => out.push(8),
            'e' | 'E' => out.push(27),
            'f' => out.push(12),
            'n' => out.push(b'\n'),
            'r' => out.push(b'\r'),
            't' => out.push(b'\t'),
            'v' => out.push(11),
            '\\' | '\'' | '"' | '?' => out.extend_from_slice(&rest.as_bytes()[..1]),
            '0'..='7' => {
                // `echo -e` and `printf %b` write `\0nnn`; the zero is one digit more.
                let most = if kind == '0' { 4 } else { 3 };
                let (value, length) = number(rest, 8, most);
                used = length;
                out.push(u8::try_from(value & 0xff).unwrap_or(b'?'));
            }
            'x' => {
                let (value, length) = number(&rest[1..], 16, 2);
                if length == 0 {
                    out.extend_from_slice(b"\\x");
                } else {
                    out.push(u8::try_from(value & 0xff).unwrap_or(b'?'));
                }
                used += length;
            }
            'u' | 'U' => {
                let (value, length) = number(&rest[1..], 16, if kind == 'u' { 4 } else { 8 });
                let mut buffer = [0; 4];
                let decoded = char::from_u32(value).unwrap_or('\u{fffd}');
                out.extend_from_slice(decoded.encode_utf8(&mut buffer).as_bytes());
                used += length;
            }
            'c' => {
                if let Some(control) = rest[1..].chars().next() {
                    out.push(u8::try_from(u32::from(control)).unwrap_or(0) & 0x1f);
                    used += control.len_utf8();
                }
            }
            other => {
                out.push(b'\\');
                let mut buffer = [0; 4];
                out.extend_from_slice(other.encode_utf8(&mut buffer).as_bytes());
            }
        }
        rest = &rest[used..];
    }
    out.extend_from_slice(rest.as_bytes());
    String::from_utf8_lossy(&out).into_owned()
}

/// Reads up to `most` digits of `radix`; returns the value and how many there were.
fn number(text: &str, radix: u32, most: usize) -> (u32, usize) {
    let mut value = 0u32;
    let mut length = 0;
    for digit in text.chars().take(most).map_while(|character| character.to_digit(radix)) {
        value = value.wrapping_mul(radix).wrapping_add(digit);
        length += 1;
    }
    (value, length)
}
