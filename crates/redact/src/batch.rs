//! One request a line, one answer a line: `{"text": …}`.
//!
//! WHY by hand: a parser that builds a tree copies every text three times and runs at the speed of the
//! rest of the program, which is compiled for size. A line of another form goes through `serde_json`.

use serde_json::{Value, json};

use crate::Filter;
use crate::fixpoint::redact_to_fixpoint;

impl Filter {
    /// Appends the answer to the request in `line`: `{"text": …}`, or `{"error": …}` if there is no text in it.
    pub fn answer_line(&self, line: &[u8], out: &mut Vec<u8>) {
        let Some(text) = plain_text(line) else {
            out.extend_from_slice(self.answer(line).to_string().as_bytes());
            return;
        };
        let secrets = self.secrets(&text, 0, text.len());
        out.extend_from_slice(b"{\"text\":\"");
        if secrets.is_empty() {
            escape(&text, out);
        } else {
            let mut redacted = Vec::new();
            redact_to_fixpoint(&text, 0, text.len(), &secrets, &mut redacted);
            escape(&redacted, out);
        }
        out.extend_from_slice(b"\"}");
    }

    fn answer(&self, line: &[u8]) -> Value {
        match serde_json::from_slice::<Value>(line) {
            Ok(request) => match request.get("text").and_then(Value::as_str) {
                Some(text) => json!({"text": self.redact(text).as_str()}),
                None => json!({"error": "the field `text` is missing"}),
            },
            Err(error) => json!({"error": error.to_string()}),
        }
    }
}

/// Returns the text of an object with that one field. Returns `None` for every other line, and for escapes that
/// only a complete parser can judge.
fn plain_text(line: &[u8]) -> Option<Vec<u8>> {
    let rest = line.trim_ascii().strip_prefix(b"{")?.trim_ascii_start().strip_prefix(b"\"text\"")?;
    let rest = rest.trim_ascii_start().strip_prefix(b":")?.trim_ascii_start().strip_prefix(b"\"")?;
    let rest = rest.strip_suffix(b"}")?.trim_ascii_end().strip_suffix(b"\"")?;
    str::from_utf8(rest).ok()?;
    unescaped(rest)
}

fn unescaped(mut rest: &[u8]) -> Option<Vec<u8>> {
    let mut text = Vec::with_capacity(rest.len());
    loop {
        let n = n_plain(rest);
        text.extend_from_slice(&rest[..n]);
        let [b'\\', kind, after @ ..] = &rest[n..] else {
            // A quote here ends the text too early, and a control character is not allowed.
            return (n == rest.len()).then_some(text);
        };
        rest = after;
        match kind {
            b'"' | b'\\' | b'/' => text.push(*kind),
            b'n' => text.push(b'\n'),
            b't' => text.push(b'\t'),
            b'r' => text.push(b'\r'),
            b'b' => text.push(8),
            b'f' => text.push(12),
            b'u' => {
                let (digits, after) = rest.split_at_checked(4)?;
                let digits =
                    digits.iter().all(u8::is_ascii_hexdigit).then(|| str::from_utf8(digits).ok())??;
                // Half of a pair is no character: the complete parser reads the pair.
                let character = char::from_u32(u32::from_str_radix(digits, 16).ok()?)?;
                text.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
                rest = after;
            }
            _ => return None,
        }
    }
}

/// Appends `text` as the content of a JSON string.
fn escape(mut text: &[u8], out: &mut Vec<u8>) {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    loop {
        let n = n_plain(text);
        out.extend_from_slice(&text[..n]);
        let Some(&byte) = text.get(n) else { return };
        match byte {
            b'"' | b'\\' => out.extend_from_slice(&[b'\\', byte]),
            b'\n' => out.extend_from_slice(b"\\n"),
            b'\t' => out.extend_from_slice(b"\\t"),
            b'\r' => out.extend_from_slice(b"\\r"),
            8 => out.extend_from_slice(b"\\b"),
            12 => out.extend_from_slice(b"\\f"),
            _ => {
                out.extend_from_slice(b"\\u00");
                out.extend_from_slice(&[DIGITS[usize::from(byte >> 4)], DIGITS[usize::from(byte & 15)]]);
            }
        }
        text = &text[n + 1..];
    }
}

/// Returns the number of bytes before the first that a JSON string escapes.
fn n_plain(text: &[u8]) -> usize {
    const ONES: u64 = u64::MAX / 255;
    const TOPS: u64 = ONES << 7;
    // The top bit of each byte that is zero; a byte after such a one may have it too, so a hit is checked again.
    let zeros = |eight: u64| eight.wrapping_sub(ONES) & !eight & TOPS;
    let mut at = 0;
    while let Some(eight) = text.get(at..).and_then(|rest| rest.first_chunk::<8>()) {
        let eight = u64::from_le_bytes(*eight);
        let controls = eight.wrapping_sub(ONES * 32) & !eight & TOPS;
        let quotes = zeros(eight ^ (ONES * u64::from(b'"')));
        let escapes = zeros(eight ^ (ONES * u64::from(b'\\')));
        if controls | quotes | escapes != 0 {
            break;
        }
        at += 8;
    }
    let n_more = text[at..].iter().position(|byte| IS_SPECIAL[usize::from(*byte)]);
    n_more.map_or(text.len(), |n| at + n)
}

/// The bytes that a JSON string escapes.
static IS_SPECIAL: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 32 {
        table[byte] = true;
        byte += 1;
    }
    table[b'"' as usize] = true;
    table[b'\\' as usize] = true;
    table
};

#[cfg(test)]
mod tests {
    use crate::Filter;

    fn answer(line: &str) -> String {
        let mut out = Vec::new();
        Filter::default().answer_line(line.as_bytes(), &mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn the_fast_path_answers_as_the_parser_does() {
        for line in [
            r#"{"text":"plain"}"#,
            r#"  { "text" : "a\nb\t\"c\" \\ \/ \b\f\r \u0041 \u00e9 \u001f" }  "#,
            r#"{"text":"pair \ud83d\ude42"}"#,
            r#"{"text":"half \ud83d"}"#,
            r#"{"text":"bad \x"}"#,
            r#"{"text":"open\"}"#,
            r#"{"text":"a","more":"b"}"#,
            r#"{"other":"a"}"#,
            r#"{"text":5}"#,
            r#"{"text":""}"#,
            "{\"text\":\"raw\u{1}control\"}",
            r#"{"text":"DB_PASSWORD=hunter2secret\nnext"}"#,
            r#"{"text":"Grüße 🙂"}"#,
            "",
            "text",
        ] {
            assert_eq!(answer(line), Filter::default().answer(line.as_bytes()).to_string(), "{line}");
        }
    }

    #[test]
    fn bytes_that_are_not_utf8_are_an_error() {
        let mut out = Vec::new();
        Filter::default().answer_line(b"{\"text\":\"\xff\"}", &mut out);
        assert!(String::from_utf8(out).unwrap().starts_with("{\"error\":"));
    }
}
