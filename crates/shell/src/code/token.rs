//! Cuts code into names, strings and marks, alike for all the languages.

use super::Language;

/// A piece of code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Token {
    Name(String),
    /// A string; `code` when it is run by the shell (backticks of perl, ruby, php), `expands` when names
    /// in it stand for their values.
    Text {
        text: String,
        code: bool,
        expands: bool,
    },
    Number(i64),
    Mark(char),
}

/// Cuts `code` into tokens; linear, never fails.
pub(super) fn tokens(language: Language, code: &str) -> Vec<Token> {
    let bytes = code.as_bytes();
    let mut out = Vec::new();
    let mut at = 0;
    // Whether the prefix of a python string marks it as raw.
    let mut is_formatted = false;
    while at < bytes.len() {
        let byte = bytes[at];
        match byte {
            b' ' | b'\t' | b'\r' => at += 1,
            b'#' if !matches!(language, Language::Node | Language::AppleScript | Language::Lua) => {
                at = line_end(bytes, at);
            }
            b'/' if language == Language::Node && bytes.get(at + 1) == Some(&b'/') => {
                at = line_end(bytes, at);
            }
            b'/' if language == Language::Awk && opens_pattern(out.last()) => at = pattern_end(bytes, at),
            b'-' if language == Language::Lua && bytes.get(at + 1) == Some(&b'-') => at = line_end(bytes, at),
            b'"' | b'\'' => {
                let triple = language == Language::Python && bytes[at..].starts_with(&[byte; 3]);
                let (text, end) = string(code, at, byte, if triple { 3 } else { 1 });
                let expands = is_formatted || byte == b'"' && expands_in_quotes(language);
                out.push(Token::Text { text, code: false, expands });
                is_formatted = false;
                at = end;
            }
            b'`' => {
                let (text, end) = string(code, at, b'`', 1);
                out.push(Token::Text {
                    text,
                    code: matches!(
                        language,
                        Language::Perl | Language::Ruby | Language::Php | Language::Julia
                    ),
                    expands: language == Language::Node,
                });
                at = end;
            }
            b'%' if language == Language::Ruby
                && matches!(bytes.get(at + 1), Some(b'x'))
                && bytes.get(at + 2).is_some_and(|byte| b"({[|!".contains(byte)) =>
            {
                let (text, end) = delimited(code, at + 2);
                out.push(Token::Text { text, code: true, expands: false });
                at = end;
            }
            // `%w(rm -rf x)` is a list of words.
            b'%' if language == Language::Ruby
                && matches!(bytes.get(at + 1), Some(b'w' | b'W' | b'i'))
                && bytes.get(at + 2).is_some_and(|byte| b"({[|!".contains(byte)) =>
            {
                let (text, end) = delimited(code, at + 2);
                out.push(Token::Mark('['));
                for (index, word) in text.split_whitespace().enumerate() {
                    if index > 0 {
                        out.push(Token::Mark(','));
                    }
                    out.push(Token::Text { text: word.to_owned(), code: false, expands: false });
                }
                out.push(Token::Mark(']'));
                at = end;
            }
            _ if byte.is_ascii_digit() => {
                let end = run(bytes, at, |byte| byte.is_ascii_alphanumeric() || byte == b'_');
                let digits = &code[at..end];
                let value = match digits.strip_prefix("0x") {
                    Some(hex) => i64::from_str_radix(hex, 16).ok(),
                    None => digits.parse().ok(),
                };
                out.push(Token::Number(value.unwrap_or(0)));
                at = end;
            }
            _ if byte.is_ascii_alphabetic() || byte == b'_' || byte >= 0x80 => {
                let end = run(bytes, at, |byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80);
                let name = &code[at..end];
                at = end;
                if language == Language::Perl
                    && matches!(name, "qx" | "q" | "qq")
                    && bytes.get(at).is_some_and(|byte| b"({[|!/".contains(byte))
                {
                    let (text, end) = delimited(code, at);
                    out.push(Token::Text { text, code: name == "qx", expands: name == "qq" });
                    at = end;
                } else if matches!(name, "b" | "r" | "f" | "u" | "rb" | "br" | "fr" | "rf")
                    && matches!(bytes.get(at), Some(b'"' | b'\''))
                {
                    // The prefix of a python string.
                    is_formatted = name.contains('f');
                } else {
                    out.push(Token::Name(name.to_owned()));
                }
            }
            b'\\' if bytes.get(at + 1) == Some(&b'\n') => at += 2,
            _ => {
                out.push(Token::Mark(char::from(byte)));
                at += 1;
            }
        }
    }
    out
}

/// Returns whether names in a string between double quotes stand for their values.
fn expands_in_quotes(language: Language) -> bool {
    use Language::{Elixir, Groovy, Julia, Perl, Php, Ruby};
    matches!(language, Perl | Php | Ruby | Julia | Elixir | Groovy)
}

/// Returns whether a slash begins a pattern: where a value has just ended, it divides.
fn opens_pattern(before: Option<&Token>) -> bool {
    match before {
        None => true,
        Some(Token::Mark(mark)) => !matches!(mark, ')' | ']' | '$'),
        Some(Token::Name(name)) => matches!(name.as_str(), "print" | "return" | "in"),
        Some(_) => false,
    }
}

/// Behind the slash that ends a pattern; one in brackets or behind a backslash does not.
fn pattern_end(bytes: &[u8], start: usize) -> usize {
    let mut in_brackets = false;
    let mut at = start + 1;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'\\' => at += 1,
            b'[' => in_brackets = true,
            b']' => in_brackets = false,
            b'/' if !in_brackets => return at + 1,
            // No pattern continues behind its line: the slash was a division.
            b'\n' => return start + 1,
            _ => {}
        }
        at += 1;
    }
    start + 1
}

fn line_end(bytes: &[u8], at: usize) -> usize {
    run(bytes, at, |byte| byte != b'\n')
}

fn run(bytes: &[u8], at: usize, belongs: impl Fn(u8) -> bool) -> usize {
    bytes[at..].iter().position(|byte| !belongs(*byte)).map_or(bytes.len(), |length| at + length)
}

/// Reads a string with `width` quote characters on both sides; an open one runs to the end.
fn string(code: &str, start: usize, quote: u8, width: usize) -> (String, usize) {
    let bytes = code.as_bytes();
    let begin = (start + width).min(bytes.len());
    let mut at = begin;
    while at < bytes.len() {
        if bytes[at] == b'\\' {
            at += 2;
        } else if bytes[at..].len() >= width && bytes[at..at + width].iter().all(|byte| *byte == quote) {
            break;
        } else {
            at += 1;
        }
    }
    let end = at.min(bytes.len());
    let raw = code.get(begin..end).unwrap_or("");
    let text = if raw.contains('\\') { crate::syntax::decode_escapes(raw) } else { raw.to_owned() };
    (text, (end + width).min(bytes.len()))
}

/// Reads `(…)`, `{…}` and the like from the opening character.
fn delimited(code: &str, start: usize) -> (String, usize) {
    let close = match code.as_bytes().get(start) {
        Some(b'(') => ')',
        Some(b'{') => '}',
        Some(b'[') => ']',
        Some(other) => char::from(*other),
        None => return (String::new(), start),
    };
    let body = &code[start + 1..];
    match body.find(close) {
        Some(end) => (body[..end].to_owned(), start + 1 + end + 1),
        None => (body.to_owned(), code.len()),
    }
}
