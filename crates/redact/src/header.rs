//! Credentials in HTTP headers: `Authorization`, `Bearer …` and `Basic …` on their own, cookies.

use std::ops::Range;

use encoding::base64;

use crate::class::Class;
use crate::contains;
use crate::placeholder::is_placeholder;
use crate::randomness::looks_random;
use crate::scan::MAX_SECRET;
use crate::split_token;
use crate::text::Text;

/// The `token68` of RFC 9110 and other characters that vendors put after a scheme.
const CREDENTIAL: Class = Class::of("A-Za-z0-9._~+/=:$%-");
/// RFC 6265's cookie value.
const COOKIE: Class = Class::of("A-Za-z0-9._~+/=:%!*|-");

/// Reads `Authorization: Scheme credential`; the scheme may be missing.
pub(crate) fn authorization(text: &Text<'_>, at: usize, anchor: &str, found: &mut Vec<Range<usize>>) {
    let mut start = at + anchor.len();
    let n_between =
        text.from(start).iter().take(12).take_while(|byte| b"\\\"': =>,\t]".contains(byte)).count();
    if !text.slice(start, start + n_between).iter().any(|byte| b":=,".contains(byte)) {
        return;
    }
    start += n_between;
    let rest = text.from(start);
    let n_scheme =
        rest.iter().take(20).take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'-').count();
    if n_scheme >= 3 && rest.get(n_scheme) == Some(&b' ') {
        let scheme = &rest[..n_scheme];
        // This scheme names a key and carries a signature; both are separate kinds.
        if scheme.starts_with(b"AWS4-") {
            return;
        }
        let is_credential = |value: &[u8]| {
            value.len() >= 8
                && (value.iter().any(u8::is_ascii_digit) || looks_random(value) || is_basic(value))
        };
        return push(text, start + n_scheme + 1, is_credential, found);
    }
    push(text, start, |value| value.len() >= 16 && looks_random(value), found);
}

/// Reads `Bearer credential` anywhere.
pub(crate) fn bearer(text: &Text<'_>, at: usize, anchor: &str, found: &mut Vec<Range<usize>>) {
    if text.starts_word(at) {
        push(text, at + anchor.len(), |value| value.len() >= 16 && looks_random(value), found);
    }
}

/// Reads `Basic credential` anywhere: base64 of `user:password`.
pub(crate) fn basic(text: &Text<'_>, at: usize, anchor: &str, found: &mut Vec<Range<usize>>) {
    if text.starts_word(at) {
        push(text, at + anchor.len(), is_basic, found);
    }
}

/// Reads the pairs of `Cookie:` and `Set-Cookie:`; those of a session are secret.
pub(crate) fn cookie(text: &Text<'_>, at: usize, anchor: &str, found: &mut Vec<Range<usize>>) {
    let start = at + anchor.len();
    let start = start + text.from(start).iter().take(6).take_while(|byte| b"\\\"' ".contains(byte)).count();
    cookie_pairs(text.bytes, start, found);
}

/// Adds the values of the session pairs from `start`.
pub(crate) fn cookie_pairs(bytes: &[u8], start: usize, found: &mut Vec<Range<usize>>) {
    let end = bytes.len().min(start + MAX_SECRET / 8);
    let mut at = start;
    while at < end {
        let pair = &bytes[at..end];
        let n_name =
            pair.iter().take_while(|byte| byte.is_ascii_alphanumeric() || b"_-.".contains(byte)).count();
        if pair.get(n_name) != Some(&b'=') && pair.get(n_name) != Some(&b';') {
            return;
        }
        let n_value = COOKIE.run(pair.get(n_name + 1..).unwrap_or_default(), usize::MAX);
        let value = at + n_name + 1..at + n_name + 1 + n_value;
        if pair[n_name] == b'=' && keeps_session(&pair[..n_name], &bytes[value.clone()]) {
            found.push(value.clone());
        }
        let next = bytes[value.end.min(end)..end].iter().take_while(|byte| b"; ".contains(byte)).count();
        if next == 0 {
            return;
        }
        at = value.end + next;
    }
}

fn keeps_session(name: &[u8], value: &[u8]) -> bool {
    const WORDS: [&str; 8] = ["sess", "sid", "auth", "token", "jwt", "csrf", "xsrf", "remember"];
    let name = name.to_ascii_lowercase();
    WORDS.iter().any(|word| contains(&name, word.as_bytes()))
        && value.len() >= 16
        && !is_placeholder(value)
        && looks_random(value)
}

fn push(text: &Text<'_>, start: usize, is_secret: impl Fn(&[u8]) -> bool, found: &mut Vec<Range<usize>>) {
    let n = CREDENTIAL.run(text.from(start), 512);
    let value = text.slice(start, start + n);
    let is_cut = split_token::after(text, start + n).is_some();
    if !is_secret(value) && !is_cut || is_placeholder(value) {
        return;
    }
    let end = start + CREDENTIAL.run(text.from(start), MAX_SECRET);
    let joined = split_token::join(text, start, end);
    let n = joined.n_alike();
    if is_secret(&joined.bytes[..n]) {
        joined.ranges(n, found);
    }
}

/// Returns whether `value` is the base64 of a name, a colon and a password.
fn is_basic(value: &[u8]) -> bool {
    value.len() >= 8
        && value.len().is_multiple_of(4)
        && base64::decode(value.iter().copied().take(128)).is_some_and(|plain| {
            let text = str::from_utf8(&plain).unwrap_or_default();
            text.find(':').is_some_and(|at| at > 0) && !text.chars().any(char::is_control)
        })
}
