//! Passwords given to programs that have a short option for them: `mysql -pX`, `curl -u name:X`.

use std::ops::Range;

use crate::placeholder::is_placeholder;
use crate::text::Text;

/// Reads `mysql … -pPASSWORD`; with a blank after `-p` the next word is a database.
pub(crate) fn mysql(text: &Text<'_>, at: usize, anchor: &str, found: &mut Vec<Range<usize>>) {
    option(text, at + anchor.len() - 1, b" -p", Glue::Tight, found);
}

/// Reads `sshpass -p PASSWORD` and `docker login -p PASSWORD`.
pub(crate) fn short_p(text: &Text<'_>, at: usize, anchor: &str, found: &mut Vec<Range<usize>>) {
    option(text, at + anchor.len() - 1, b" -p", Glue::Either, found);
}

/// Reads `redis-cli -a PASSWORD`.
pub(crate) fn short_a(text: &Text<'_>, at: usize, anchor: &str, found: &mut Vec<Range<usize>>) {
    option(text, at + anchor.len() - 1, b" -a ", Glue::Tight, found);
}

/// Reads `curl -u name:PASSWORD`.
pub(crate) fn curl(text: &Text<'_>, at: usize, anchor: &str, found: &mut Vec<Range<usize>>) {
    for flag in [&b" -u "[..], b" --user ", b" -U ", b" --proxy-user ", b" -u", b" --user="] {
        let Some(word) = word_after(text, at + anchor.len() - 1, flag) else { continue };
        let bytes = text.slice(word.start, word.end);
        let Some(n_user) = bytes.iter().position(|byte| *byte == b':') else { continue };
        let password = &bytes[n_user + 1..];
        if password.len() >= 3 && n_user > 0 && !is_placeholder(password) && !password.starts_with(b"//") {
            found.push(word.start + n_user + 1..word.end);
            return;
        }
    }
}

/// Reads `-passin pass:PASSWORD`, OpenSSL's way.
pub(crate) fn openssl(text: &Text<'_>, at: usize, anchor: &str, found: &mut Vec<Range<usize>>) {
    push(text, word_at(text, at + anchor.len()), found);
}

/// Whether a blank may stand between option and value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Glue {
    Tight,
    Either,
}

fn option(text: &Text<'_>, from: usize, flag: &[u8], glue: Glue, found: &mut Vec<Range<usize>>) {
    let Some(start) = flag_end(text, from, flag) else { return };
    let start = start + usize::from(glue == Glue::Either && text.byte(start) == Some(b' '));
    push(text, word_at(text, start), found);
}

fn push(text: &Text<'_>, word: Range<usize>, found: &mut Vec<Range<usize>>) {
    let bytes = text.slice(word.start, word.end);
    if bytes.len() >= 4
        && !is_placeholder(bytes)
        && bytes[0] != b'-'
        && !bytes.iter().all(u8::is_ascii_punctuation)
    {
        found.push(word);
    }
}

fn word_after(text: &Text<'_>, from: usize, flag: &[u8]) -> Option<Range<usize>> {
    flag_end(text, from, flag).map(|start| word_at(text, start))
}

/// Returns where `flag` ends on the same line, soon after `from`.
fn flag_end(text: &Text<'_>, from: usize, flag: &[u8]) -> Option<usize> {
    let sample = text.slice(from, text.bytes.len().min(from + 256));
    let line = sample.split(|byte| b"\n|;".contains(byte)).next()?;
    let offset = line.windows(flag.len()).position(|window| window == flag)?;
    Some(from + offset + flag.len())
}

/// Returns the word at `start`, without its quotes.
fn word_at(text: &Text<'_>, start: usize) -> Range<usize> {
    let quote = text.byte(start).filter(|byte| b"\"'".contains(byte));
    let start = start + usize::from(quote.is_some());
    let is_end = |byte: u8| match quote {
        Some(quote) => byte == quote || byte == b'\n',
        None => byte.is_ascii_whitespace() || b"\"'`".contains(&byte),
    };
    start..start + text.from(start).iter().take(256).take_while(|byte| !is_end(**byte)).count()
}
