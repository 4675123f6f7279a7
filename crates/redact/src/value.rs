//! Finds the value of a name: past quotes, spaces, `=`, `:`, `=>`, tags and flags.

use std::ops::Range;

use crate::class::Class;
use crate::judge::Setting;
use crate::text::Text;

/// A value and its context.
pub(crate) struct Value {
    pub(crate) range: Range<usize>,
    pub(crate) setting: Setting,
    /// A bracket follows the value: it is the name of a function.
    pub(crate) is_call: bool,
}

/// How much of a value is read before it is known to be a secret.
pub(crate) const SAMPLE: usize = 256;

/// The characters of a bare word that only a space ends.
const TO_BLANK: Class = Class::of("!#-&(-;=?-_a-~");
/// The characters of a bare word in code and prose: no brackets and no `,;&|`.
const BARE: Class = Class::of("!#-%*+./-:=?-Z\\^_a-z{~-");

/// Returns the value of the name at `name`.
pub(crate) fn of(text: &Text<'_>, name: &Range<usize>) -> Option<Value> {
    let after_quote = skip_quote(text, name.end);
    let is_quoted_name = after_quote > name.end;
    let at =
        skip_blanks(text, after_quote + usize::from(is_quoted_name && text.byte(after_quote) == Some(b']')));
    let n_blanks = at - after_quote;
    let rest = text.from(at);
    match rest.first()? {
        b':' if rest.get(1) == Some(&b':') => None,
        b':' => after_colon(text, name, at + 1 + usize::from(rest.get(1) == Some(&b'='))),
        b'=' => match rest.get(1) {
            Some(b'=') => quoted(text, skip_blanks(text, at + 2 + usize::from(rest.get(2) == Some(&b'=')))),
            Some(b'~') => None,
            Some(b'>') => plain(text, name, at + 2),
            _ => plain(text, name, at + 1),
        },
        b'?' | b'+' if rest.get(1) == Some(&b'=') => plain(text, name, at + 2),
        b'>' if text.byte_before(name.start) == Some(b'<') && n_blanks == 0 => element(text, at + 1),
        b',' if is_quoted_name => {
            let value = quoted(text, skip_blanks(text, at + 1))?;
            Some(Value { setting: Setting::Listed, ..value })
        }
        b'\r' | b'\n' => yaml_value(text, name, at),
        b'v' if is_quoted_name && rest.starts_with(b"value=") => quoted(text, at + 6),
        _ if n_blanks > 0 && !is_quoted_name => after_blank(text, name, at),
        _ => None,
    }
}

/// A colon may announce a type before the value: `token: &str = "…"`.
fn after_colon(text: &Text<'_>, name: &Range<usize>, at: usize) -> Option<Value> {
    let rest = text.from(at);
    let is_type = |byte: &u8| byte.is_ascii_alphanumeric() || b" _<>&'|?.[]".contains(byte);
    let n_type = rest.iter().take(48).take_while(|byte| is_type(byte)).count();
    if n_type > 1
        && rest.get(n_type) == Some(&b'=')
        && rest.get(n_type + 1).is_some_and(|byte| b" \"'".contains(byte))
    {
        return plain(text, name, at + n_type + 1);
    }
    plain(text, name, at)
}

fn plain(text: &Text<'_>, name: &Range<usize>, at: usize) -> Option<Value> {
    let start = skip_scheme(text, skip_blanks(text, at));
    if let Some(value) = quoted(text, start) {
        return Some(value);
    }
    let is_tight = start == at && text.byte(at - 1) == Some(b'=');
    let setting = if starts_line(text, name.start) { Setting::Line } else { Setting::Loose };
    let setting = if is_flag(text, name.start) { Setting::Line } else { setting };
    unquoted(text, start, setting, is_tight && setting == Setting::Line)
}

/// Names and values with only a space between: flags, netrc, `ENV NAME value`, sentences.
fn after_blank(text: &Text<'_>, name: &Range<usize>, at: usize) -> Option<Value> {
    if is_flag(text, name.start) {
        return quoted(text, at).or_else(|| unquoted(text, at, Setting::Line, true));
    }
    let word = text.slice(name.start, name.end);
    if word.to_ascii_lowercase().ends_with(b"pass") {
        // More often a verb, or a noun of another kind.
        return None;
    }
    let line = text.slice(text.line_start(name.start), name.start);
    if word == b"password" && crate::contains(line, b"login ") {
        return unquoted(text, at, Setting::Line, true);
    }
    let rest = text.from(at);
    let n_verb = [&b"is "[..], b"was ", b"is: ", b"to "]
        .iter()
        .find(|verb| rest.starts_with(verb))
        .map(|verb| verb.len());
    if let Some(n_verb) = n_verb {
        return quoted(text, at + n_verb).or_else(|| unquoted(text, at + n_verb, Setting::Loose, false));
    }
    unquoted(text, at, Setting::Prose, false)
}

/// `- name: DB_PASSWORD` with `value: …` on the next line.
fn yaml_value(text: &Text<'_>, name: &Range<usize>, at: usize) -> Option<Value> {
    if !text.before(name.start, 16).ends_with(b"name: ") {
        return None;
    }
    let rest = text.from(at);
    let n_blanks = rest.iter().take(64).take_while(|byte| byte.is_ascii_whitespace()).count();
    let at = at + n_blanks;
    if !text.from(at).starts_with(b"value:") {
        return None;
    }
    let start = skip_blanks(text, at + 6);
    quoted(text, start).or_else(|| unquoted(text, start, Setting::Line, false))
}

fn element(text: &Text<'_>, start: usize) -> Option<Value> {
    let n = text.from(start).iter().take(SAMPLE).position(|byte| *byte == b'<')?;
    Some(Value { range: start..start + n, setting: Setting::Line, is_call: false })
}

/// Reads a string literal, also one inside another (`\"…\"`) and one with a letter before it (`b"…"`).
fn quoted(text: &Text<'_>, start: usize) -> Option<Value> {
    let mut at = start;
    if text.byte(at).is_some_and(|byte| b"bBrRuUfFL@$".contains(&byte)) {
        at += 1;
    }
    let n_escapes = text.from(at).iter().take(4).take_while(|byte| **byte == b'\\').count();
    let quote = text.byte(at + n_escapes).filter(|byte| b"\"'`".contains(byte))?;
    let open = at + n_escapes + 1;
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
fn unquoted(text: &Text<'_>, start: usize, setting: Setting, to_space: bool) -> Option<Value> {
    let class = if to_space { TO_BLANK } else { BARE };
    let rest = text.from(start);
    let mut n = rest.iter().take(SAMPLE).take_while(|byte| class.has(**byte) || !byte.is_ascii()).count();
    let is_call = matches!(rest.get(n), Some(b'('));
    let ends_line =
        rest.get(n).is_none_or(|byte| matches!(byte, b'\n' | b'\r')) || rest[n..].starts_with(b" #");
    while n > 0 && matches!(rest[n - 1], b'.' | b',' | b';' | b':' | b'\\') {
        n -= 1;
    }
    let setting = if setting == Setting::Line && !ends_line && !to_space { Setting::Loose } else { setting };
    (n > 0).then_some(Value { range: start..start + n, setting, is_call })
}

fn skip_blanks(text: &Text<'_>, at: usize) -> usize {
    at + text.from(at).iter().take(40).take_while(|byte| matches!(byte, b' ' | b'\t')).count()
}

/// Skips the quote that closes a name, also an escaped one.
fn skip_quote(text: &Text<'_>, at: usize) -> usize {
    let n_escapes = text.from(at).iter().take(4).take_while(|byte| **byte == b'\\').count();
    let is_quote = text.byte(at + n_escapes).is_some_and(|byte| b"\"'`".contains(&byte));
    if is_quote { at + n_escapes + 1 } else { at }
}

fn skip_scheme(text: &Text<'_>, at: usize) -> usize {
    let rest = text.from(at);
    let scheme = ["Bearer ", "bearer ", "Basic ", "token ", "Token "]
        .iter()
        .find(|word| rest.starts_with(word.as_bytes()));
    at + scheme.map_or(0, |word| word.len())
}

/// Returns whether a name at `at` opens its line, as in an `.env`, ini or YAML file.
fn starts_line(text: &Text<'_>, at: usize) -> bool {
    let mut line = text.slice(text.line_start(at), at).trim_ascii();
    for opener in [&b"-"[..], b"+", b"export", b"ENV", b"ARG", b"set", b"env", b"\"", b"'"] {
        line = line.strip_prefix(opener).unwrap_or(line).trim_ascii_start();
    }
    line.is_empty()
}

fn is_flag(text: &Text<'_>, at: usize) -> bool {
    // The dashes belong to the name's own alphabet, so they are its first characters.
    text.from(at).starts_with(b"-")
}
