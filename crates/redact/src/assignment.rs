//! Values whose name marks them as secret: `API_KEY=…`, `"password": "…"`, `--token …`, `<secret>…</secret>`.

use std::ops::Range;

use crate::class::{NAME, TOKEN};
use crate::judge::{Setting, is_secret};
use crate::kind::Shape;
use crate::name::{Promise, is_harmless_owner, is_harmless_token, is_key_owner, promise};
use crate::scan::MAX_SECRET;
use crate::text::Text;
use crate::value::Value;
use crate::{prefilter, split_token, token, value};

/// Reads the name around the anchor and, if it marks a secret, the value after it.
pub(crate) fn read(text: &Text<'_>, at: usize, anchor: &str, found: &mut Vec<Range<usize>>) {
    let end = at + anchor.len();
    let end = end
        + text
            .from(end)
            .iter()
            .take(32)
            .take_while(|byte| {
                // A letter beyond ASCII is in no other telling name: `contraseña`.
                byte.is_ascii_alphanumeric()
                    || b"_-".contains(byte)
                    || !byte.is_ascii() && anchor.eq_ignore_ascii_case("ontrase")
            })
            .count();
    if value::reversed::may_precede(text, end) {
        let n_before = found.len();
        compared(text, at, end, found);
        if found.len() > n_before {
            return;
        }
    }
    if !value::may_follow(text, end) {
        return;
    }
    let start = at - NAME.run_back(text.before(at, 64), 64);
    let Some(promise) = promise_in_context(text, start, end) else { return };
    let Some(value) = value::of(text, &(start..end)) else { return };
    // `PASS: bug1297` is a test's output, not a password.
    let is_outcome = value.setting == Setting::Loose && text.slice(start, end).eq_ignore_ascii_case(b"pass");
    if value.is_call || is_outcome || value.range.is_empty() {
        return;
    }
    if reads_as_token(text, &value.range, found) {
        return;
    }
    let bytes = text.slice(value.range.start, value.range.end);
    if is_secret(promise, value.setting, bytes) {
        push_with_rest(text, value.range.clone(), found);
        return push_repeats(text, &value, found);
    }
    // Half a key may be too short to recognise; the whole key is not.
    if split_token::after(text, value.range.end).is_some() {
        let joined = split_token::join(text, value.range.start, value.range.end);
        let n = joined.n_alike();
        if n > value.range.len() && is_secret(promise, value.setting, &joined.bytes[..n]) {
            joined.ranges(n, found);
        }
    }
}

/// Adds the literal in front of a name that it is compared with.
fn compared(text: &Text<'_>, at: usize, end: usize, found: &mut Vec<Range<usize>>) {
    let start = at - NAME.run_back(text.before(at, 64), 64);
    let is_compared = text.before(start, 8).trim_ascii_end().last() == Some(&b'=');
    if !is_compared {
        return;
    }
    let Some(value) = value::reversed::before(text, start) else { return };
    if let Some(promise) = promise(text.slice(start, end))
        && is_secret(promise, value.setting, text.slice(value.range.start, value.range.end))
    {
        found.push(value.range);
    }
}

/// Reads a name that ends in `api`; the anchor has its last two letters and what follows.
pub(crate) fn interface(text: &Text<'_>, at: usize, anchor: &str, found: &mut Vec<Range<usize>>) {
    if text.byte_before(at).is_some_and(|byte| byte.eq_ignore_ascii_case(&b'a')) {
        read(text, at, &anchor[..2], found);
    }
}

/// Returns the promise of the name and of the word before it: a bare `key` hardly marks a secret; `API key`,
/// `using key=…` and `?key=…` do, and a `page token` does not.
fn promise_in_context(text: &Text<'_>, start: usize, end: usize) -> Option<Promise> {
    /// Words before a bare `key` that own nothing.
    const NO_OWNERS: [&str; 18] = [
        "and", "auto", "char", "const", "final", "for", "let", "mut", "same", "static", "str", "string",
        "that", "the", "this", "val", "var", "with",
    ];
    const FIRST: [&str; 9] =
        ["api", "secret", "access", "private", "encryption", "license", "using", "used", "auth"];
    let name = text.slice(start, end);
    let is_key = name.eq_ignore_ascii_case(b"key");
    let is_interface = name.eq_ignore_ascii_case(b"api");
    if !is_key && !is_interface && !name.eq_ignore_ascii_case(b"token") {
        return promise(name);
    }
    let before = text.before(start, 24);
    let owner = before.strip_suffix(b" ").unwrap_or_default();
    let n_owner = owner.iter().rev().take_while(|byte| byte.is_ascii_alphanumeric()).count();
    let owner = &owner[owner.len() - n_owner..];
    if is_interface {
        return is_key_owner(owner).then_some(Promise::Perhaps);
    }
    if !is_key {
        return (!is_harmless_token(owner)).then_some(Promise::Token);
    }
    if is_key_owner(owner) || FIRST.iter().any(|word| word.as_bytes().eq_ignore_ascii_case(owner)) {
        return Some(Promise::Key);
    }
    // The `key` of an address, `https://host/path?key=…`, opens an interface.
    if before.ends_with(b"?") || before.ends_with(b"&") {
        return Some(Promise::Key);
    }
    let owns_nothing = NO_OWNERS.iter().any(|word| word.as_bytes().eq_ignore_ascii_case(owner));
    let is_owned = n_owner >= 3 && !owns_nothing && !is_harmless_owner(owner) || is_in_section(text, start);
    Some(if is_owned { Promise::Perhaps } else { Promise::Bare })
}

/// Reads a name that is `auth` alone; the anchor has the blank in front of it and what follows.
pub(crate) fn auth(text: &Text<'_>, at: usize, _: &str, found: &mut Vec<Range<usize>>) {
    read(text, at + 1, "auth", found);
}

/// Returns whether a name at the start of its line lies in the section of a service: `[pinata]`, `[profile pinata]`.
fn is_in_section(text: &Text<'_>, start: usize) -> bool {
    let before = text.before(start, 240);
    let mut lines = before.rsplit(|byte| *byte == b'\n');
    if !lines.next().is_some_and(|indent| indent.trim_ascii().is_empty()) {
        return false;
    }
    let header = lines.map(<[u8]>::trim_ascii).find(|line| line.first() == Some(&b'['));
    let title = header.and_then(|line| line.strip_prefix(b"[")).and_then(|line| line.strip_suffix(b"]"));
    title.is_some_and(|title| title.split(|byte| !byte.is_ascii_alphanumeric()).any(is_key_owner))
}

/// Adds the literals after a secret one that hold the same: `token = 'x' | 'x'`.
fn push_repeats(text: &Text<'_>, value: &Value, found: &mut Vec<Range<usize>>) {
    let secret = text.slice(value.range.start, value.range.end);
    let mut end = value.range.end;
    while let Some(quote) = text.byte(end).filter(|byte| b"\"'`".contains(byte)) {
        let n_between = text.from(end + 1).iter().take(4).take_while(|byte| b" |,".contains(byte)).count();
        let start = end + 1 + n_between + 1;
        let is_repeat = n_between > 0
            && text.byte(start - 1) == Some(quote)
            && text.from(start).starts_with(secret)
            && text.byte(start + secret.len()) == Some(quote);
        if !is_repeat {
            return;
        }
        end = start + secret.len();
        found.push(start..end);
    }
}

/// Tries the kinds whose anchor is at the start of the value: they know better where a token
/// ends that the end of a line has cut.
fn reads_as_token(text: &Text<'_>, range: &Range<usize>, found: &mut Vec<Range<usize>>) -> bool {
    let n_before = found.len();
    for anchor in prefilter::anchors_at(text.bytes, range.start) {
        if let Shape::Token(shape) = &anchor.kind.shape {
            token::read(text, range.start, anchor.literal, shape, found);
        }
        if found.last().is_some_and(|last| found.len() > n_before && last.end >= range.end) {
            return true;
        }
        found.truncate(n_before);
    }
    false
}

/// Adds the value, and its continuation on the next lines if it has one.
fn push_with_rest(text: &Text<'_>, range: Range<usize>, found: &mut Vec<Range<usize>>) {
    let n_unread = if range.len() >= value::SAMPLE { TOKEN.run(text.from(range.end), MAX_SECRET) } else { 0 };
    let range = range.start..range.end + n_unread;
    if split_token::after(text, range.end).is_some() {
        let joined = split_token::join(text, range.start, range.end);
        joined.ranges(joined.n_alike(), found);
    } else {
        found.push(range);
    }
}
