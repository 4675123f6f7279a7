//! Finds the bytes of a value in a JSON text.
//!
//! WHY: a parsed value does not know its position, and some errors appear only later (a regular
//! expression that does not compile, an unknown name). So this walks the path to the value once more
//! in the text, only when there is an error to report.

use std::ops::Range;

/// Returns the bytes of the value at a JSON pointer (`/rules/2/pattern`).
///
/// Returns `None` if the text is not JSON or has no such value.
pub fn value_at(text: &str, pointer: &str) -> Option<Range<usize>> {
    let steps: Vec<String> =
        pointer.split('/').skip(1).map(|step| step.replace("~1", "/").replace("~0", "~")).collect();
    Scan { text: text.as_bytes(), at: 0 }.follow(&steps)
}

/// A position in the text.
struct Scan<'a> {
    text: &'a [u8],
    at: usize,
}

impl Scan<'_> {
    fn follow(mut self, steps: &[String]) -> Option<Range<usize>> {
        for step in steps {
            self.blank();
            match self.peek()? {
                b'{' => self.member(step)?,
                b'[' => self.item(step.parse().ok()?)?,
                _ => return None,
            }
        }
        self.blank();
        let start = self.at;
        self.value()?;
        Some(start..self.at)
    }

    /// Moves to the value of a key; the last duplicate wins, as in the parser of the file.
    fn member(&mut self, key: &str) -> Option<()> {
        let mut found = None;
        self.at += 1;
        loop {
            self.blank();
            if self.peek()? != b'"' {
                break;
            }
            let start = self.at;
            self.value()?;
            let name: String = serde_json::from_slice(&self.text[start..self.at]).ok()?;
            self.blank();
            self.take(b':')?;
            self.blank();
            if name == key {
                found = Some(self.at);
            }
            self.value()?;
            self.blank();
            if self.take(b',').is_none() {
                break;
            }
        }
        self.at = found?;
        Some(())
    }

    fn item(&mut self, index: usize) -> Option<()> {
        self.at += 1;
        for _ in 0..index {
            self.blank();
            self.value()?;
            self.blank();
            self.take(b',')?;
        }
        self.blank();
        (self.peek()? != b']').then_some(())
    }

    /// Moves past the value that begins here.
    fn value(&mut self) -> Option<()> {
        let mut depth = 0_usize;
        loop {
            match self.peek()? {
                b'"' => self.string()?,
                b'{' | b'[' => {
                    depth += 1;
                    self.at += 1;
                }
                b'}' | b']' => {
                    depth = depth.checked_sub(1)?;
                    self.at += 1;
                }
                // Between two members.
                b',' | b':' if depth > 0 => self.at += 1,
                byte if byte.is_ascii_whitespace() => self.at += 1,
                _ => self.word()?,
            }
            if depth == 0 {
                return Some(());
            }
        }
    }

    /// Moves past a number, `true`, `false` or `null`.
    fn word(&mut self) -> Option<()> {
        let start = self.at;
        while self.peek().is_some_and(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte)) {
            self.at += 1;
        }
        (self.at > start).then_some(())
    }

    fn string(&mut self) -> Option<()> {
        self.at += 1;
        loop {
            match self.peek()? {
                b'"' => break,
                b'\\' => self.at += 2,
                _ => self.at += 1,
            }
        }
        self.at += 1;
        Some(())
    }

    fn blank(&mut self) {
        while self.peek().is_some_and(|byte| byte.is_ascii_whitespace()) {
            self.at += 1;
        }
    }

    fn take(&mut self, byte: u8) -> Option<()> {
        (self.peek()? == byte).then(|| self.at += 1)
    }

    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Position;
    use proptest::prelude::*;
    use serde_json::Value;

    const TEXT: &str = "{\n  \"rules\": [{\"id\": \"a\"}, {\"id\": \"ä\\\"]\", \"pattern\": [1, {}, -2.5e3] }],\n  \"a/b\": null,\n  \"twice\": 1, \"twice\": 2\n}";

    #[test]
    fn a_pointer_leads_to_its_value() {
        for (pointer, value) in [
            ("/rules/0", r#"{"id": "a"}"#),
            ("/rules/1/id", r#""ä\"]""#),
            ("/rules/1/pattern/2", "-2.5e3"),
            ("/a~1b", "null"),
            ("/twice", "2"),
        ] {
            assert_eq!(value_at(TEXT, pointer).map(|range| &TEXT[range]), Some(value), "{pointer}");
        }
    }

    #[test]
    fn a_pointer_to_nothing_leads_nowhere() {
        for pointer in ["/rule", "/rules/2", "/rules/x", "/rules/0/id/0", "/a/b"] {
            assert_eq!(value_at(TEXT, pointer), None, "{pointer}");
        }
        for broken in ["", "{", "{\"a\"", "{\"a\":", "[", "{\"a\":\"\\", "}", ",", "{\"a\":]}"] {
            assert_eq!(value_at(broken, "/a"), None, "{broken}");
        }
    }

    #[test]
    fn places_are_counted_as_editors_do() {
        let range = value_at(TEXT, "/rules/1/pattern").unwrap();
        assert_eq!(Position::of_byte(TEXT, range.start), Position { line: 2, column: 52 });
        assert_eq!(Position::of_byte("", 7), Position { line: 1, column: 1 });
    }

    proptest! {
        #[test]
        fn no_text_can_mislead_it_into_a_crash(text in "[\\[\\]{}\",:\\\\a0 \\nä]{0,40}", pointer in "(/[a0]?){0,3}") {
            if let Some(range) = value_at(&text, &pointer)
                && let Ok(whole) = serde_json::from_str::<Value>(&text)
            {
                let found: Value = serde_json::from_str(&text[range]).unwrap();
                prop_assert_eq!(whole.pointer(&pointer), Some(&found));
            }
        }
    }
}
