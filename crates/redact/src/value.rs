//! Finds the value of a name: past quotes, spaces, operators, types, tags and flags.

mod element;
mod literal;
mod operator;
pub(crate) mod reversed;
mod setter;

use std::ops::Range;

use crate::judge::Setting;
use crate::key_shape::is_symbolic;
use crate::text::Text;
use literal::{quoted, unquoted, whole_line};
use operator::Operator;

/// A value and its context.
pub(crate) struct Value {
    pub(crate) range: Range<usize>,
    pub(crate) setting: Setting,
    /// A bracket follows the value: it is the name of a function.
    pub(crate) is_call: bool,
}

/// How much of a value is read before it is known to be a secret.
pub(crate) const SAMPLE: usize = 256;

/// Returns whether a value can follow a name that ends at `at`. Cheap and usually decisive: nothing is
/// assigned to a word before a dot or a closing bracket.
pub(crate) fn may_follow(text: &Text<'_>, at: usize) -> bool {
    match text.byte(at) {
        Some(b'.') => text.byte(at + 1) == Some(b'=') || setter::is_here(text, at),
        Some(b'!' | b'|') => text.byte(at + 1) == Some(b'='),
        Some(b'(') => text.byte(at + 1).is_some_and(|byte| b"\"'`".contains(&byte)),
        Some(byte) => b" \t\"'`\\:=?+>,\r\n][<".contains(&byte),
        None => false,
    }
}

/// Returns the value of the name at `name`.
pub(crate) fn of(text: &Text<'_>, name: &Range<usize>) -> Option<Value> {
    let after_quote = skip_quote(text, name.end);
    let is_quoted_name = after_quote > name.end;
    let closed = after_quote + n_index_brackets(text, after_quote, is_quoted_name);
    let at = skip_blanks(text, closed);
    let has_blank = at > closed;
    let rest = text.from(at);
    if let Some((operator, n_operator)) = operator::read(rest) {
        // `arn:aws:…:secret:Name-1a2b`, `"AWS::IAM::AccessKey": …`: a part of a longer name, and `app::db_password: …` is
        // a name in a namespace.
        if operator == Operator::Colon && text.byte_before(name.start) == Some(b':') {
            let is_namespaced = text.before(name.start, 2) == b"::"
                && text.byte(name.start).is_some_and(|byte| byte.is_ascii_lowercase());
            if !is_namespaced {
                return None;
            }
        }
        return assigned(text, name, operator, at + n_operator);
    }
    match rest.first()? {
        b'>' | b'<' if !has_blank => element::value(text, name, at),
        b',' if is_quoted_name => listed(text, name, at + 1),
        b',' if !has_blank && starts_field(text, name.start) => cell(text, at + 1, b','),
        b'|' if has_blank => cell(text, skip_blanks(text, at + 1), b'|'),
        b'-' if has_blank && rest.get(1) == Some(&b' ') => quoted(text, at + 2).map(as_listed),
        b'(' if !has_blank && setter::is_declared(text, name.start) => quoted(text, at + 1),
        b'(' if !has_blank => quoted(text, at + 1).map(as_argument),
        b'.' if !has_blank => setter::value(text, at),
        b'\r' | b'\n' => yaml_value(text, name, at),
        _ if element::is_attribute(text, name) => element::value_attribute(text, name, at),
        _ if has_blank && !is_quoted_name => after_blank(text, name, at),
        // `apikey"…"`: nothing between a bare name and the quote that opens its value.
        _ if is_quoted_name
            && closed == name.end + 1
            && text.byte_before(name.start) != text.byte(name.end) =>
        {
            let value = quoted(text, name.end)?;
            let is_password = is_symbolic(text.slice(value.range.start, value.range.end));
            if ends_statement(text, &value) {
                return Some(as_assigned(value));
            }
            is_password.then(|| as_listed(value))
        }
        _ => None,
    }
}

/// Reads the value after an operator.
fn assigned(text: &Text<'_>, name: &Range<usize>, operator: Operator, at: usize) -> Option<Value> {
    match operator {
        Operator::Compare => quoted(text, skip_blanks(text, at)).map(as_assigned),
        Operator::Colon => after_colon(text, name, at),
        Operator::Assign => {
            let value = plain(text, name, at)?;
            let is_quoted = value.setting == Setting::Quoted;
            Some(if is_quoted { as_assigned(value) } else { value })
        }
    }
}

/// A colon may announce a type before the value: `token: &str = "…"`.
fn after_colon(text: &Text<'_>, name: &Range<usize>, at: usize) -> Option<Value> {
    if let Some(n_type) = operator::n_type(text.from(at)) {
        return assigned(text, name, Operator::Assign, at + n_type);
    }
    plain(text, name, at)
}

fn plain(text: &Text<'_>, name: &Range<usize>, at: usize) -> Option<Value> {
    let blank = skip_yaml_tag(text, skip_blanks(text, at));
    let start = skip_scheme(text, blank);
    if let Some(value) = quoted(text, start) {
        return Some(value);
    }
    if let Some(body) = literal::block_start(text, start) {
        return unquoted(text, body, Setting::Line, false);
    }
    let setting = context(text, name, at);
    let is_tight = blank == at && text.byte(at - 1) == Some(b'=');
    let value = unquoted(text, start, setting, is_tight && setting == Setting::Line);
    if let Some(value) = whole_line(text, start, value.as_ref().map_or(start, |value| value.range.end)) {
        return Some(value);
    }
    let value = value?;
    if value.is_call
        && let Some(argument) = quoted(text, value.range.end + 1)
    {
        return Some(as_argument(argument));
    }
    Some(value)
}

/// Returns the setting of a bare word after `name` and the operator that ends at `at`.
fn context(text: &Text<'_>, name: &Range<usize>, at: usize) -> Setting {
    let before = text.byte_before(name.start);
    let word = text.slice(name.start, name.end);
    let is_tight = at == name.end + 1 && text.byte(name.end) == Some(b'=');
    let is_constant = word.iter().all(|byte| byte.is_ascii_uppercase() || b"_0123456789".contains(byte));
    // `FOO_TOKEN=… cmd`, `-e FOO_TOKEN=…`, `"foo_token=…"`: a variable of a process or of an `.env` file.
    let is_variable = is_tight
        && (is_constant && before.is_none_or(|byte| b" \t(".contains(&byte))
            || before.is_some_and(|byte| b"\"'`".contains(&byte)));
    // `-H "X-Token: …"`: a header.
    let is_header = !is_tight
        && before.is_some_and(|byte| b"\"'".contains(&byte))
        && text.byte(name.end) == Some(b':')
        && literal::ends_at_quote(text, at, before);
    if is_flag(text, name.start) || is_variable || is_header || starts_line(text, name.start) {
        Setting::Line
    } else {
        Setting::Loose
    }
}

/// Reads the next argument, or the `value` beside a `name`.
fn listed(text: &Text<'_>, name: &Range<usize>, at: usize) -> Option<Value> {
    let next = skip_blanks(text, at);
    let at = skip_whitespace(text, at);
    let n_quote = usize::from(text.byte(at).is_some_and(|byte| b"\"'".contains(&byte)));
    for word in ["value", "Value"] {
        if text.from(at + n_quote).starts_with(word.as_bytes()) {
            let end = at + n_quote + word.len();
            let at = skip_blanks(text, skip_quote(text, end));
            if let Some((Operator::Colon | Operator::Assign, n)) = operator::read(text.from(at)) {
                return quoted(text, skip_blanks(text, at + n));
            }
        }
    }
    if is_set_by_call(text, name.start) {
        return quoted(text, at);
    }
    quoted(text, next).map(as_listed)
}

/// Returns whether the name is the first argument of a call that sets it: `define('DB_PASSWORD', …)`.
fn is_set_by_call(text: &Text<'_>, name: usize) -> bool {
    let before = text.before(name, 32);
    let before = before.strip_suffix(b"\"").or_else(|| before.strip_suffix(b"'")).unwrap_or(before);
    let Some(function) = before.strip_suffix(b"(") else { return false };
    ["define", "setProperty", "setenv", "putenv", ".put", "SetEnvironmentVariable", ".Setenv"]
        .iter()
        .any(|word| function.ends_with(word.as_bytes()))
}

fn as_listed(value: Value) -> Value {
    Value { setting: Setting::Listed, ..value }
}

fn as_assigned(value: Value) -> Value {
    Value { setting: Setting::Assigned, ..value }
}

fn as_argument(value: Value) -> Value {
    Value { setting: Setting::Argument, ..value }
}

/// Reads a cell of a table that `separator` or the line's end closes.
fn cell(text: &Text<'_>, start: usize, separator: u8) -> Option<Value> {
    if let Some(value) = quoted(text, start) {
        return Some(as_listed(value));
    }
    let value = unquoted(text, start, Setting::Listed, false)?;
    let next = skip_blanks(text, value.range.end);
    text.byte(next).is_none_or(|byte| byte == separator || matches!(byte, b'\r' | b'\n')).then_some(value)
}

/// Names and values with only a space between: flags, netrc, `ENV NAME value`, typed variables, sentences.
fn after_blank(text: &Text<'_>, name: &Range<usize>, at: usize) -> Option<Value> {
    if is_flag(text, name.start) {
        return quoted(text, at).or_else(|| unquoted(text, at, Setting::Line, true));
    }
    if let Some(n_type) = operator::n_plain_type(text.from(at)) {
        return assigned(text, name, Operator::Assign, at + n_type);
    }
    let word = text.slice(name.start, name.end);
    if word.to_ascii_lowercase().ends_with(b"pass") {
        // More often a verb, or a noun of another kind; a statement that ends after a literal sets it.
        return quoted(text, at)
            .filter(|value| word.len() > 4 && ends_statement(text, value))
            .map(as_assigned);
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
    match quoted(text, at) {
        Some(value) if ends_statement(text, &value) => Some(as_assigned(value)),
        Some(value) => Some(as_listed(value)),
        None => unquoted(text, at, Setting::Prose, false),
    }
}

/// Returns whether a semicolon follows the quote that closes a value: `private_key "…";` sets it.
fn ends_statement(text: &Text<'_>, value: &Value) -> bool {
    text.byte(value.range.end + 1) == Some(b';')
}

/// `- name: DB_PASSWORD` with `value: …` on the next line.
fn yaml_value(text: &Text<'_>, name: &Range<usize>, at: usize) -> Option<Value> {
    if !text.before(name.start, 16).ends_with(b"name: ") {
        return None;
    }
    let at = skip_whitespace(text, at);
    if !text.from(at).starts_with(b"value:") {
        return None;
    }
    let start = skip_blanks(text, at + 6);
    quoted(text, start).or_else(|| unquoted(text, start, Setting::Line, false))
}

/// Skips the type of a YAML value: `!!binary …`.
fn skip_yaml_tag(text: &Text<'_>, at: usize) -> usize {
    let rest = text.from(at);
    if !rest.starts_with(b"!!") {
        return at;
    }
    let n_tag = 2 + rest[2..].iter().take(16).take_while(|byte| byte.is_ascii_alphabetic()).count();
    if rest.get(n_tag) == Some(&b' ') { skip_blanks(text, at + n_tag) } else { at }
}

/// Returns the length of `]` after a quoted key, or of `[]` after a bare name.
fn n_index_brackets(text: &Text<'_>, at: usize, is_quoted_name: bool) -> usize {
    match text.slice(at, at + 2) {
        [b'[', b']'] => 2,
        [b']', ..] if is_quoted_name => 1,
        // `char password[25] = "…"`
        [b'[', b'0'..=b'9'] => {
            let n_digits = text.from(at + 1).iter().take(6).take_while(|byte| byte.is_ascii_digit()).count();
            if text.byte(at + 1 + n_digits) == Some(b']') { n_digits + 2 } else { 0 }
        }
        _ => 0,
    }
}

fn skip_blanks(text: &Text<'_>, at: usize) -> usize {
    at + text.from(at).iter().take(40).take_while(|byte| matches!(byte, b' ' | b'\t')).count()
}

fn skip_whitespace(text: &Text<'_>, at: usize) -> usize {
    at + text.from(at).iter().take(64).take_while(|byte| byte.is_ascii_whitespace()).count()
}

/// Skips the quote that closes a name, also an escaped one.
fn skip_quote(text: &Text<'_>, at: usize) -> usize {
    let n_escapes = text.from(at).iter().take(4).take_while(|byte| **byte == b'\\').count();
    let is_quote = text.byte(at + n_escapes).is_some_and(|byte| b"\"'`".contains(&byte));
    if is_quote { at + n_escapes + 1 } else { at }
}

fn skip_scheme(text: &Text<'_>, at: usize) -> usize {
    let rest = text.from(at);
    if !rest.first().is_some_and(|byte| b"BbTt".contains(byte)) {
        return at;
    }
    let scheme = ["Bearer ", "bearer ", "Basic ", "token ", "Token "]
        .iter()
        .find(|word| rest.starts_with(word.as_bytes()));
    at + scheme.map_or(0, |word| word.len())
}

/// Returns whether a name at `at` opens its line, as in an `.env`, ini or YAML file, also one in a string.
fn starts_line(text: &Text<'_>, at: usize) -> bool {
    if text.byte_before(at) == Some(b'\\') && text.byte(at).is_some_and(|byte| b"nrt".contains(&byte)) {
        return true;
    }
    let mut line = text.slice(text.line_start(at), at).trim_ascii();
    for opener in [&b"-"[..], b"+", b"export", b"ENV", b"ARG", b"set", b"env", b"\"", b"'", b"$"] {
        line = line.strip_prefix(opener).unwrap_or(line).trim_ascii_start();
    }
    line.is_empty()
}

/// Returns whether a name at `at` opens its line or its cell.
fn starts_field(text: &Text<'_>, at: usize) -> bool {
    text.byte_before(at).is_none_or(|byte| b"\n\r,\t".contains(&byte))
}

fn is_flag(text: &Text<'_>, at: usize) -> bool {
    // The dashes belong to the name's own alphabet, so they are its first characters.
    text.from(at).starts_with(b"-")
}
