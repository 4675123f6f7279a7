//! Reading one JSON object from a host that may never close its end.
//!
//! Several hosts keep stdin open after the payload, so the end of the object is
//! found by counting braces, not by waiting for the end of input.

use std::io::Read;

use serde_json::Value;

/// Payloads above this are not read to their end.
pub const MAX_BYTES: usize = 32 * 1024 * 1024;

/// Nesting below this depth is cut off; `serde_json` refuses 128 levels.
const MAX_DEPTH: usize = 100;

/// Why there is no payload.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InputFault {
    /// Nothing came.
    #[error("no hook payload arrived on stdin")]
    Empty,
    /// The input ended, or failed, within the object.
    #[error("the hook payload on stdin ends before its JSON object does")]
    Unfinished,
    /// More came than any payload has.
    #[error("the hook payload on stdin is larger than 32 MiB")]
    TooLarge,
    /// Something else than an object came.
    #[error("the hook payload on stdin is not a JSON object")]
    NotAnObject,
    /// The object has a mistake in it.
    #[error("the hook payload on stdin is not valid JSON: {0}")]
    Syntax(String),
}

/// Reads up to the end of the first JSON object.
pub fn read_object(mut stdin: impl Read) -> Result<Vec<u8>, InputFault> {
    let mut bytes = Vec::new();
    let mut braces = Braces::default();
    // Most payloads fit into the first read; large ones get larger reads.
    let mut n_wanted = 8 * 1024;
    loop {
        let before = bytes.len();
        bytes.resize(before + n_wanted, 0);
        let n_read = match stdin.read(&mut bytes[before..]) {
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => 0,
            Ok(n_read) if n_read > 0 => n_read,
            _ if braces.begun => return Err(InputFault::Unfinished),
            _ => return Err(InputFault::Empty),
        };
        bytes.truncate(before + n_read);
        match braces.feed(&bytes[before..])? {
            Some(end) => {
                bytes.truncate(before + end);
                return Ok(bytes);
            }
            None if bytes.len() > MAX_BYTES => return Err(InputFault::TooLarge),
            None => n_wanted = (n_wanted * 2).min(1024 * 1024),
        }
    }
}

/// Parses the object.
///
/// WHY twice: what a model writes into a tool call reaches us inside this object. If a
/// half surrogate or a tower of brackets in it could make the payload unreadable, the
/// call would go unjudged. So such parts are replaced, and only they are lost.
pub fn parse_object(bytes: &[u8]) -> Result<Value, InputFault> {
    let bytes = without_byte_order_mark(bytes);
    match serde_json::from_slice(bytes) {
        Ok(value) => Ok(value),
        Err(_) => serde_json::from_str(&mended(bytes)).map_err(|error| InputFault::Syntax(error.to_string())),
    }
}

/// Where we are in the text of an object.
#[derive(Debug, Default)]
struct Braces {
    begun: bool,
    mark_seen: usize,
    depth: usize,
    in_string: bool,
    escaped: bool,
}

impl Braces {
    /// Returns the place after the closing brace, once it has come.
    fn feed(&mut self, bytes: &[u8]) -> Result<Option<usize>, InputFault> {
        for (index, &byte) in bytes.iter().enumerate() {
            if !self.begun {
                match byte {
                    b'{' => {
                        self.begun = true;
                        self.depth = 1;
                    }
                    b' ' | b'\t' | b'\r' | b'\n' => {}
                    _ if BYTE_ORDER_MARK.get(self.mark_seen) == Some(&byte) => self.mark_seen += 1,
                    _ => return Err(InputFault::NotAnObject),
                }
            } else if self.in_string {
                match byte {
                    _ if self.escaped => self.escaped = false,
                    b'\\' => self.escaped = true,
                    b'"' => self.in_string = false,
                    _ => {}
                }
            } else {
                match byte {
                    b'"' => self.in_string = true,
                    b'{' | b'[' => self.depth += 1,
                    b'}' | b']' => {
                        self.depth -= 1;
                        if self.depth == 0 {
                            return Ok(Some(index + 1));
                        }
                    }
                    _ => {}
                }
            }
        }
        Ok(None)
    }
}

const BYTE_ORDER_MARK: [u8; 3] = [0xEF, 0xBB, 0xBF];

fn without_byte_order_mark(bytes: &[u8]) -> &[u8] {
    let start = bytes.iter().position(|byte| *byte == b'{').unwrap_or(0);
    &bytes[start..]
}

/// Replaces what a strict parser chokes on although hosts do send it: bytes that are not
/// UTF-8, halves of surrogate pairs, nesting that is too deep.
fn mended(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let mut out = String::with_capacity(text.len());
    let mut depth = 0usize;
    let mut rest = text.as_ref();
    while let Some(c) = rest.chars().next() {
        let mut taken = c.len_utf8();
        match c {
            '"' => {
                taken = string_length(rest);
                if depth <= MAX_DEPTH {
                    push_string_without_half_surrogates(&mut out, &rest[..taken]);
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
            _ if depth <= MAX_DEPTH => out.push(c),
            _ => {}
        }
        rest = &rest[taken..];
    }
    out
}

/// Returns how many bytes the string at the start of `text` has, quotes included.
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

fn push_string_without_half_surrogates(out: &mut String, string: &str) {
    let mut rest = string;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let taken = match escaped_unit(rest) {
            Some(0xD800..=0xDBFF)
                if matches!(rest.get(6..).and_then(escaped_unit), Some(0xDC00..=0xDFFF)) =>
            {
                out.push_str(&rest[..12]);
                12
            }
            Some(0xD800..=0xDFFF) => {
                out.push('\u{FFFD}');
                6
            }
            _ => {
                let taken = 1 + rest[1..].chars().next().map_or(0, char::len_utf8);
                out.push_str(&rest[..taken]);
                taken
            }
        };
        rest = &rest[taken..];
    }
    out.push_str(rest);
}

/// Reads `\uXXXX` at the start of the text.
fn escaped_unit(text: &str) -> Option<u16> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    u16::from_str_radix(digits, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(input: &[u8]) -> Result<Value, InputFault> {
        read_object(input).and_then(|bytes| parse_object(&bytes))
    }

    /// A host that sends its payload byte by byte and then keeps the pipe open.
    struct NeverEnds<'a>(&'a [u8]);

    impl Read for NeverEnds<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            let (first, rest) = self.0.split_first().expect("read past the object: this would hang");
            buffer[0] = *first;
            self.0 = rest;
            Ok(1)
        }
    }

    #[test]
    fn the_end_of_input_is_not_waited_for() {
        let payload = br#"{"a":"}\"{","b":[{"c":1}]}"#;
        assert_eq!(read_object(NeverEnds(payload)).unwrap(), payload);
    }

    #[test]
    fn what_comes_after_the_first_object_is_not_ours() {
        assert_eq!(read(br#" {"a":1}{"b":2}"#), Ok(json!({"a":1})));
        assert_eq!(read(b"{\"a\":1}\n\n"), Ok(json!({"a":1})));
    }

    #[test]
    fn a_byte_order_mark_is_skipped() {
        assert_eq!(read(b"\xEF\xBB\xBF{\"a\":1}"), Ok(json!({"a":1})));
    }

    #[test]
    fn what_is_not_an_object_has_a_name() {
        assert_eq!(read(b""), Err(InputFault::Empty));
        assert_eq!(read(b"  \n"), Err(InputFault::Empty));
        assert_eq!(read(b"{\"a\":"), Err(InputFault::Unfinished));
        assert_eq!(read(b"[1]"), Err(InputFault::NotAnObject));
        assert_eq!(read(b"null"), Err(InputFault::NotAnObject));
        assert!(matches!(read(b"{a:1}"), Err(InputFault::Syntax(_))));
        assert!(matches!(read(b"{]"), Err(InputFault::Syntax(_))));
    }

    #[test]
    fn too_much_is_refused_before_it_fills_the_memory() {
        let endless = std::io::repeat(b' ').take(u64::MAX);
        let input = b"{\"a\":\"".chain(endless);
        assert_eq!(read_object(input), Err(InputFault::TooLarge));
    }

    #[test]
    fn half_a_surrogate_does_not_hide_the_call() {
        assert_eq!(
            read(br#"{"command":"rm \ud800 -rf \\ud800","ok":"\ud83d\ude00"}"#),
            Ok(json!({"command": "rm \u{FFFD} -rf \\ud800", "ok": "\u{1F600}"}))
        );
        assert_eq!(read(b"{\"a\":\"\xFF\"}"), Ok(json!({"a": "\u{FFFD}"})));
    }

    #[test]
    fn a_tower_of_brackets_does_not_hide_the_call() {
        let tower = format!(r#"{{"command":"ls","x":{}"deep"{}}}"#, "[".repeat(5000), "]".repeat(5000));
        let value = read(tower.as_bytes()).unwrap();
        assert_eq!(value["command"], "ls");
    }
}
