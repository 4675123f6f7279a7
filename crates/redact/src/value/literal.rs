//! Reads literals: strings between quotes, bare words, lines, blocks.

use super::{SAMPLE, Value, skip_blanks};
use crate::class::Class;
use crate::judge::Setting;
use crate::key_shape::is_symbolic;
use crate::text::Text;

/// The characters of a bare word that only a space ends.
const TO_BLANK: Class = Class::of("!#-&(-;=?-_a-~");
/// The characters of a bare word in code and prose: no brackets and no `,;&|`.
const BARE: Class = Class::of("!#-%*+./-:=?-Z\\^_a-z{~-");

/// Characters of passwords that end a bare word in code.
const ODD: Class = Class::of("()[]{}<>,;|&");

/// Reads a string literal, also one inside another (`\"…\"`) and one with a letter before it (`b"…"`).
pub(super) fn quoted(text: &Text<'_>, start: usize) -> Option<Value> {
    let mut at = start;
    if text.byte(at).is_some_and(|byte| b"bBrRuUfFL@$".contains(&byte)) {
        at += 1;
    }
    let n_escapes = text.from(at).iter().take(4).take_while(|byte| **byte == b'\\').count();
    let quote = text.byte(at + n_escapes).filter(|byte| b"\"'`".contains(byte))?;
    let mut open = at + n_escapes + 1;
    // Python's and Swift's `"""…"""`.
    if text.from(open).starts_with(&[quote, quote]) && n_escapes == 0 {
        open += 2;
        open += text.from(open).iter().take(64).take_while(|byte| byte.is_ascii_whitespace()).count();
    }
    let mut end = open;
    let mut n_backslashes = 0;
    for &byte in text.from(open).iter().take(SAMPLE * 8) {
        if byte == quote && n_backslashes <= n_escapes {
            return Some(Value {
                range: open..end - n_backslashes.min(n_escapes),
                setting: Setting::Quoted,
                is_call: false,
            });
        }
        if matches!(byte, b'\n' | b'\r') {
            break;
        }
        n_backslashes = if byte == b'\\' { n_backslashes + 1 } else { 0 };
        end += 1;
    }
    // The quote is never closed on this line: what there is of it counts.
    Some(Value { range: open..end, setting: Setting::Quoted, is_call: false })
}

/// Reads a bare word. `to_space` means that only a space ends it, as in an `.env` file.
pub(super) fn unquoted(text: &Text<'_>, start: usize, setting: Setting, to_space: bool) -> Option<Value> {
    let class = if to_space { TO_BLANK } else { BARE };
    let rest = text.from(start);
    let n = rest.iter().take(SAMPLE).take_while(|byte| class.has(**byte) || !byte.is_ascii()).count();
    let is_call = matches!(rest.get(n), Some(b'('));
    let ends_line = ends_line(&rest[n..]);
    let n = n_without_end(&rest[..n]);
    let setting = if setting == Setting::Line && !ends_line && !to_space { Setting::Loose } else { setting };
    (n > 0).then_some(Value { range: start..start + n, setting, is_call })
}

/// Reads a word that fills the rest of its line and has characters that no bare word has in code.
/// Returns `None` if it reads as an expression. `stop` is where a bare word ends.
pub(super) fn whole_line(text: &Text<'_>, start: usize, stop: usize) -> Option<Value> {
    // WHY: nearly every value ends here, and most of the others are read only once.
    let is_odd = |byte: &u8| ODD.has(*byte);
    if !text.byte(stop).as_ref().is_some_and(is_odd) && !text.slice(start, stop).iter().any(is_odd) {
        return None;
    }
    let rest = text.from(start);
    let n = rest.iter().take(SAMPLE).take_while(|byte| !byte.is_ascii_whitespace()).count();
    let word = &rest[..n];
    let is_password =
        word.iter().any(is_odd) && is_symbolic(word) && !word.iter().any(|byte| b"\"'`".contains(byte));
    if !is_password || !ends_line(&rest[n..]) {
        return None;
    }
    Some(Value { range: start..start + n_without_end(word), setting: Setting::Line, is_call: false })
}

/// Returns where the text of a YAML block begins that `|` or `>` opens at `at`.
pub(super) fn block_start(text: &Text<'_>, at: usize) -> Option<usize> {
    let rest = text.from(at);
    let n_mark = match rest {
        [b'|' | b'>', b'-' | b'+', ..] => 2,
        [b'|' | b'>', ..] => 1,
        _ => return None,
    };
    let line = skip_blanks(text, at + n_mark);
    let n_break = text.from(line).iter().take(2).take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
    let body = skip_blanks(text, line + n_break);
    (n_break > 0 && body > line + n_break).then_some(body)
}

/// Returns whether the value at `at` ends at the quote that opened before its name.
pub(super) fn ends_at_quote(text: &Text<'_>, at: usize, quote: Option<u8>) -> bool {
    let start = skip_blanks(text, at);
    let rest = text.from(start);
    let n = rest.iter().take(SAMPLE).take_while(|byte| TO_BLANK.has(**byte)).count();
    n > 0 && rest.get(n).copied() == quote
}

fn ends_line(rest: &[u8]) -> bool {
    rest.first().is_none_or(|byte| matches!(byte, b'\n' | b'\r')) || rest.starts_with(b" #")
}

/// Returns the length of a word without the punctuation after it, and without a line break written in a string.
fn n_without_end(word: &[u8]) -> usize {
    let is_break = |pair: &[u8]| pair[0] == b'\\' && b"nrt\"'".contains(&pair[1]);
    let mut n = word.windows(2).position(is_break).unwrap_or(word.len());
    while n > 0 && matches!(word[n - 1], b'.' | b',' | b';' | b':' | b'\\') {
        n -= 1;
    }
    n
}
