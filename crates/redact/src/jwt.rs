//! JSON web tokens: base64url parts joined by dots, the first of which is an object.

use std::ops::Range;

use crate::class::{DOTTED, URL64};
use crate::scan::MAX_SECRET;
use crate::split_token;
use crate::text::Text;

/// Reads a token of three parts (signed) or five (encrypted) that begins with `eyJ`.
pub(crate) fn read(text: &Text<'_>, at: usize, _: &str, found: &mut Vec<Range<usize>>) {
    // WHY: a part in the midst of a token also begins with `eyJ`. Asking again from there costs
    // quadratic time on a string of nothing but such parts.
    if !text.starts_word(at) || text.byte_before(at).is_some_and(|byte| b"-_.".contains(&byte)) {
        return;
    }
    let end = at + n_token(&text.bytes[at..]);
    let is_whole = is_token(text.slice(at, end));
    if split_token::after(text, end).is_some() {
        let joined = split_token::join(text, at, end);
        let n = if is_whole { joined.n_alike() } else { n_token(&joined.bytes) };
        if is_token(&joined.bytes[..n]) {
            return joined.ranges(n, found);
        }
    }
    if is_whole {
        found.push(at..end);
    }
}

/// Returns the length of the run of parts, without a full stop that ends the sentence.
fn n_token(bytes: &[u8]) -> usize {
    let n = DOTTED.run(bytes, MAX_SECRET);
    n - bytes[..n].iter().rev().take_while(|byte| **byte == b'.').count().min(1)
}

fn is_token(bytes: &[u8]) -> bool {
    let mut parts = bytes.split(|byte| *byte == b'.');
    let has_part = |part: Option<&[u8]>| part.is_some_and(|part| part.len() >= 10);
    let second_is_object = parts.clone().nth(1).is_some_and(|part| part.starts_with(b"eyJ"));
    let head_and_body = has_part(parts.next()) && has_part(parts.next());
    // An encrypted token may have an empty second part, an unsigned one has no third.
    let n_more = parts.filter(|part| URL64.run(part, 8) >= 8).count();
    head_and_body && (second_is_object || n_more >= 1) || n_more >= 2
}
