//! A string of a file, with the position of each of its characters.

use crate::node::Span;
use crate::source::Source;

/// A string and its bytes in the file, including quotes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocatedString {
    /// The string, escapes resolved.
    pub text: String,
    /// Its bytes.
    pub at: Span,
}

impl LocatedString {
    /// Returns the bytes of `width` characters from the `nth` on, counted from 0. Returns the whole
    /// string if it is folded or wrapped in the file.
    pub fn part(&self, source: &Source<'_>, nth: usize, width: usize) -> Span {
        let raw = source.written(self.at);
        let step: fn(&str) -> usize = match raw.as_bytes() {
            [b'"', ..] => double_quoted,
            [b'\'', ..] => single_quoted,
            _ if raw == self.text => character,
            _ => return self.at,
        };
        let opening = usize::from(raw != self.text);
        let start = offset(raw, opening, nth, step);
        let end = offset(raw, start, width, step);
        Span::new(start, end.max(start + 1)).behind(self.at.start)
    }
}

/// Returns the number of bytes that `n` more characters take.
fn offset(raw: &str, from: usize, n: usize, step: fn(&str) -> usize) -> usize {
    let mut at = from.min(raw.len());
    for _ in 0..n {
        at = (at + step(&raw[at..])).min(raw.len());
        while !raw.is_char_boundary(at) {
            at -= 1;
        }
    }
    at
}

fn character(rest: &str) -> usize {
    rest.chars().next().map_or(0, char::len_utf8)
}

fn single_quoted(rest: &str) -> usize {
    if rest.starts_with("''") { 2 } else { character(rest) }
}

fn double_quoted(rest: &str) -> usize {
    match rest.as_bytes() {
        [b'\\', b'u', ..] if is_surrogate_pair(rest) => 12,
        [b'\\', b'u', ..] => 6,
        [b'\\', b'x', ..] => 4,
        [b'\\', b'U', ..] => 10,
        [b'\\', ..] => 2,
        _ => character(rest),
    }
}

fn is_surrogate_pair(rest: &str) -> bool {
    let high = rest.get(2..6).and_then(|it| u32::from_str_radix(it, 16).ok());
    high.is_some_and(|it| (0xd800..0xdc00).contains(&it)) && rest.get(6..8) == Some("\\u")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(raw: &str, text: &str, cases: &[(usize, &str)]) {
        let source = Source::new("a", raw);
        let written = LocatedString { text: text.to_owned(), at: Span::new(0, raw.len()) };
        for (nth, rest) in cases {
            let span = written.part(&source, *nth, 1);
            assert!(raw[span.start..].starts_with(rest), "{raw} {nth}: {span:?}");
        }
    }

    #[test]
    fn a_character_is_found_in_its_literal_past_every_escape() {
        check(
            r#""a\n\u00e9é\ud83d\ude00x""#,
            "a\né\u{e9}\u{1f600}x",
            &[(0, "a"), (1, "\\n"), (3, "é"), (5, "x"), (6, "\"")],
        );
        check("'it''s ('", "it's (", &[(2, "''"), (3, "s"), (5, "(")]);
        check("rm (", "rm (", &[(3, "(")]);
        check("|\n  two\n  lines\n", "two\nlines\n", &[(4, "|")]);
    }
}
