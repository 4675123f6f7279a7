//! Reads one JSON object from a host that may never close its end.
//!
//! Several hosts keep stdin open after the payload, so the reader counts braces to find the end of the object instead of
//! waiting for the end of input.

use std::io::Read;

use serde_json::Value;

/// The largest payload.
pub const MAX_BYTES: usize = 32 * 1024 * 1024;

/// Why the payload cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InputFault {
    /// The input is empty.
    #[error("no hook payload arrived on stdin")]
    Empty,
    /// The input ends or fails within the object.
    #[error("the hook payload on stdin ends before its JSON object does")]
    Unfinished,
    /// The input is larger than [`MAX_BYTES`].
    #[error("the hook payload on stdin is larger than 32 MiB")]
    TooLarge,
    /// The input is not an object.
    #[error("the hook payload on stdin is not a JSON object")]
    NotAnObject,
    /// The host stopped sending within the object.
    #[error("the hook payload on stdin was not complete after 2 seconds")]
    TooSlow,
    /// The object is not valid JSON.
    #[error("the hook payload on stdin is not valid JSON: {0}")]
    Syntax(String),
}

/// Reads up to the end of the first JSON object.
pub fn read_object(mut stdin: impl Read) -> Result<Vec<u8>, InputFault> {
    // Most payloads fit into the first read; a large one gets more room whenever it has filled what there is. `vec![0; n]`
    // requests zeroed memory: pages that no payload needs are never touched.
    let mut bytes = vec![0; 8 * 1024];
    let mut filled = 0;
    let mut braces = Braces::default();
    loop {
        if filled == bytes.len() {
            bytes.resize(filled + filled.min(1024 * 1024), 0);
        }
        let n_read = match stdin.read(&mut bytes[filled..]) {
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => 0,
            Err(error) if error.kind() == std::io::ErrorKind::TimedOut => return Err(InputFault::TooSlow),
            Ok(n_read) if n_read > 0 => n_read,
            _ if braces.begun => return Err(InputFault::Unfinished),
            _ => return Err(InputFault::Empty),
        };
        if let Some(end) = braces.feed(&bytes[filled..filled + n_read])? {
            bytes.truncate(filled + end);
            return Ok(bytes);
        }
        filled += n_read;
        if filled > MAX_BYTES {
            return Err(InputFault::TooLarge);
        }
    }
}

/// Parses the object, tolerating what `host::forgiving_json` does.
pub fn parse_object(bytes: &[u8]) -> Result<Value, InputFault> {
    host::lenient_json(without_byte_order_mark(bytes)).map_err(|error| InputFault::Syntax(error.to_string()))
}

/// The position within an object.
#[derive(Debug, Default)]
struct Braces {
    begun: bool,
    mark_seen: usize,
    depth: usize,
    in_string: bool,
    escaped: bool,
}

impl Braces {
    /// Returns the offset after the closing brace; `None` if it is not in `bytes`.
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
}
