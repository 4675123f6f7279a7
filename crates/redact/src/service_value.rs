//! Values of a name that is a service's and says nothing else: `airtable = '…'`, `"pinata": "…"`.
//!
//! The name alone promises nothing, so only a value that a program made counts.

use std::ops::Range;

use crate::class::NAME;
use crate::judge::{Setting, is_secret};
use crate::name::{Promise, names_publisher, names_service};
use crate::placeholder::is_placeholder;
use crate::text::Text;

/// The shortest and the longest value.
const LENGTHS: std::ops::RangeInclusive<usize> = 16..=128;

/// Reads the value behind the quote that ends the anchor, and the name in front of it.
///
/// WHY the value first: most strings are short or have a space soon, and the anchor is in nearly every line of code.
pub(crate) fn read(text: &Text<'_>, at: usize, anchor: &str, found: &mut Vec<Range<usize>>) {
    let start = at + anchor.len();
    let Some(quote) = anchor.bytes().last() else { return };
    let rest = text.from(start);
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-+/=".contains(byte);
    let n = rest.iter().take(*LENGTHS.end() + 1).take_while(|byte| is_part(byte)).count();
    if !LENGTHS.contains(&n) || rest.get(n) != Some(&quote) {
        return;
    }
    let value = &rest[..n];
    let name = name_before(text, at);
    if !names_service(name) || names_publisher(name) || is_placeholder(value) {
        return;
    }
    if is_secret(Promise::Perhaps, Setting::Assigned, value) || is_uuid(value) {
        found.push(start..start + n);
    }
}

/// Returns the name in front of an operator, past blanks, a quote and the rest of `:=` and `=>`.
fn name_before<'t>(text: &Text<'t>, at: usize) -> &'t [u8] {
    let before = text.before(at, 80);
    let is_between = |byte: &u8| b" \t:=\"'`]".contains(byte);
    let n_between = before.iter().rev().take(8).take_while(|byte| is_between(byte)).count();
    let before = &before[..before.len() - n_between];
    &before[before.len() - NAME.run_back(before, 64)..]
}

/// `8-4-4-4-12` hexadecimal digits.
fn is_uuid(value: &[u8]) -> bool {
    value.len() == 36
        && value.iter().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => *byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}
