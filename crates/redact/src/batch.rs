//! One request a line, one answer a line: `{"text": …}`.
//!
//! WHY by hand: a parser that builds a tree copies every text three times and runs at the speed of the
//! rest of the program, which is compiled for size. A line of another form goes through `serde_json`.

use encoding::json::{escape, unescape};
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
    unescape(rest)
}

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
