//! Parses JSON that strict parsers reject but hosts send.

use std::fmt::Write;

use serde_json::{Error, Value};

/// Deeper nesting is cut off; `serde_json` rejects 128 levels.
const MAX_DEPTH: usize = 100;

/// Parses JSON; an invalid part is replaced, and the rest is kept.
///
/// WHY twice: a model's input to a tool call reaches us inside a payload. If a lone surrogate, deep
/// nesting or an out-of-range number could make the payload unreadable, the call would go unjudged.
/// So such parts are replaced, and only they are lost. Text without the structure of JSON remains an
/// error.
pub fn lenient_json(bytes: &[u8]) -> Result<Value, Error> {
    serde_json::from_slice(bytes).or_else(|_| serde_json::from_str(&mended(&String::from_utf8_lossy(bytes))))
}

fn mended(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut depth = 0usize;
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let mut taken = c.len_utf8();
        match c {
            '"' => {
                taken = string_length(rest);
                if depth <= MAX_DEPTH {
                    push_string(&mut out, &rest[..taken]);
                }
            }
            '{' | '[' => {
                depth += 1;
                if depth <= MAX_DEPTH {
                    out.push(c);
                } else if depth == MAX_DEPTH + 1 {
                    out.push_str("null");
                }
            }
            '}' | ']' => {
                if depth <= MAX_DEPTH {
                    out.push(c);
                }
                depth = depth.saturating_sub(1);
            }
            ',' | ':' | ' ' | '\n' | '\r' | '\t' => {
                if depth <= MAX_DEPTH {
                    out.push(c);
                }
            }
            _ => {
                taken = rest.find(is_between_words).unwrap_or(rest.len());
                if depth <= MAX_DEPTH {
                    push_word(&mut out, &rest[..taken]);
                }
            }
        }
        rest = &rest[taken..];
    }
    out
}

fn is_between_words(c: char) -> bool {
    matches!(c, '"' | '{' | '}' | '[' | ']' | ',' | ':' | ' ' | '\n' | '\r' | '\t')
}

/// Adds a number or a name; one without meaning in JSON (`1e999`, `NaN`) becomes null.
fn push_word(out: &mut String, word: &str) {
    let means_something = serde_json::from_str::<Value>(word).is_ok();
    out.push_str(if means_something { word } else { "null" });
}

/// Returns the length of the string literal at the start of `text` in bytes, including quotes.
fn string_length(text: &str) -> usize {
    let mut escaped = false;
    for (index, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return index + 1,
            _ => {}
        }
    }
    text.len()
}

fn push_string(out: &mut String, string: &str) {
    let mut rest = string;
    while let Some(c) = rest.chars().next() {
        let taken = match c {
            '\\' => push_escape(out, rest),
            '\0'..='\u{1f}' => {
                // Writing to a String cannot fail.
                let _ = write!(out, "\\u{:04x}", u32::from(c));
                1
            }
            _ => {
                let plain = rest.find(|c: char| c == '\\' || c < ' ').unwrap_or(rest.len());
                out.push_str(&rest[..plain]);
                plain
            }
        };
        rest = &rest[taken..];
    }
}

/// Adds the escape at the start of `text` and returns its length in bytes.
fn push_escape(out: &mut String, text: &str) -> usize {
    let (mended, taken) = match escaped_unit(text) {
        Some(0xD800..=0xDBFF) if matches!(text.get(6..).and_then(escaped_unit), Some(0xDC00..=0xDFFF)) => {
            (&text[..12], 12)
        }
        Some(0xD800..=0xDFFF) => ("\u{FFFD}", 6),
        Some(_) => (&text[..6], 6),
        None if text[1..].starts_with(['"', '\\', '/', 'b', 'f', 'n', 'r', 't']) => (&text[..2], 2),
        // An invalid escape becomes a literal backslash.
        None => ("\\\\", 1),
    };
    out.push_str(mended);
    taken
}

/// Parses `\uXXXX` at the start of the text.
fn escaped_unit(text: &str) -> Option<u16> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    let plain = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    plain.then(|| u16::from_str_radix(digits, 16).ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    fn read(text: &[u8]) -> Value {
        lenient_json(text).unwrap()
    }

    #[test]
    fn half_a_surrogate_does_not_hide_the_call() {
        assert_eq!(
            read(br#"{"command":"rm \ud800 -rf \\ud800","ok":"\ud83d\ude00"}"#),
            json!({"command": "rm \u{FFFD} -rf \\ud800", "ok": "\u{1F600}"})
        );
        assert_eq!(read(b"{\"a\":\"\xFF\"}"), json!({"a": "\u{FFFD}"}));
    }

    #[test]
    fn a_tower_of_brackets_does_not_hide_the_call() {
        let tower = format!(r#"{{"command":"ls","x":{}"deep"{}}}"#, "[".repeat(5000), "]".repeat(5000));
        assert_eq!(read(tower.as_bytes())["command"], "ls");
    }

    #[test]
    fn words_without_a_meaning_are_null() {
        assert_eq!(
            read(br#"{"a":1e999,"b":[NaN,-Infinity],"c":007,"d":undefined,"e":-1.5e3}"#),
            json!({"a": null, "b": [null, null], "c": null, "d": null, "e": -1500.0})
        );
    }

    #[test]
    fn what_has_no_place_in_a_text_is_kept_all_the_same() {
        assert_eq!(read(b"{\"a\":\"x\ny\tz\x01\"}"), json!({"a": "x\ny\tz\u{1}"}));
        assert_eq!(read(br#"{"a":"\x41 \' \u12 \u+123"}"#), json!({"a": "\\x41 \\' \\u12 \\u+123"}));
    }

    #[test]
    fn what_is_not_the_shape_of_json_stays_an_error() {
        for text in ["", "{", "{a:1}", "{'a':1}", "{]", "{\"a\" 1}", "{\"a\":1}{}"] {
            assert!(lenient_json(text.as_bytes()).is_err(), "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = lenient_json(&bytes);
        }

        #[test]
        fn what_a_strict_parser_reads_is_not_mended(text in r#"[\[\]{}:,"\\ud8a1e9.-]{0,40}"#) {
            if let Ok(strict) = serde_json::from_str::<Value>(&text) {
                prop_assert_eq!(&lenient_json(text.as_bytes()).unwrap(), &strict);
                prop_assert_eq!(serde_json::from_str::<Value>(&mended(&text)).unwrap(), strict);
            }
        }
    }
}
