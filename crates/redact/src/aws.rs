//! AWS access keys: the id gives itself away, and the secret often stands right after it.

use std::ops::Range;

use crate::class::{BASE64, Class, UPPER};
use crate::placeholder::is_stand_in;
use crate::randomness::looks_random;
use crate::text::Text;

const SEPARATOR: Class = Class::of(" \t\r\n,;:|\"'/");
const SECRET: Class = Class::of("A-Za-z0-9+/");

/// Reads a key id of twenty characters, and forty characters of secret close behind it.
pub(crate) fn read(text: &Text<'_>, at: usize, anchor: &str, found: &mut Vec<Range<usize>>) {
    let body = at + anchor.len();
    let end = body + UPPER.run(text.from(body), 17);
    let id = text.slice(at, end);
    let goes_on = text.byte(end).is_some_and(|byte| byte.is_ascii_alphanumeric());
    if end - body != 16 || goes_on || !text.starts_word(at) || is_stand_in(id) {
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
