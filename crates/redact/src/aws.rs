//! AWS access keys: the id has a fixed prefix, and the secret often follows right after it.

use std::ops::Range;

use crate::class::{BASE64, Class, UPPER};
use crate::placeholder::is_stand_in;
use crate::randomness::looks_random;
use crate::split_token;
use crate::text::Text;

const SEPARATOR: Class = Class::of(" \t\r\n,;:|\"'/");
const SECRET: Class = Class::of("A-Za-z0-9+/");

/// The length of an id.
const N_ID: usize = 20;

/// Reads a key id of twenty characters, and a secret of forty characters close behind it.
pub(crate) fn read(text: &Text<'_>, at: usize, anchor: &str, found: &mut Vec<Range<usize>>) {
    let body = at + anchor.len();
    let end = body + UPPER.run(text.from(body), N_ID + 1 - anchor.len());
    if !text.starts_word(at) {
        return;
    }
    if end - at < N_ID && split_token::after(text, end).is_some() {
        let joined = split_token::join(text, at, end);
        let is_id = UPPER.run(&joined.bytes, N_ID + 1) == N_ID && joined.bytes.iter().any(u8::is_ascii_digit);
        if is_id && looks_random(&joined.bytes) && !is_stand_in(&joined.bytes) {
            joined.ranges(N_ID, found);
        }
        return;
    }
    let goes_on = text.byte(end).is_some_and(|byte| byte.is_ascii_alphanumeric());
    if end - at != N_ID || goes_on || is_stand_in(text.slice(at, end)) {
        return;
    }
    found.push(at..end);
    let start = end + SEPARATOR.run(text.from(end), 6);
    let secret = text.slice(start, start + SECRET.run(text.from(start), 41));
    let goes_on = text.byte(start + secret.len()).is_some_and(|byte| BASE64.has(byte));
    if secret.len() == 40 && !goes_on && start > end && looks_random(secret) && !is_stand_in(secret) {
        found.push(start..start + 40);
    }
}
