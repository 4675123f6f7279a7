//! Credentials in `.npmrc`: `//registry/:_authToken=…`, whatever the token is.

use std::ops::Range;

use crate::class::Class;
use crate::placeholder::is_reference;
use crate::text::Text;

const VALUE: Class = Class::of("!#-&*-;=?-Z^_a-~\\");

/// Reads the value after the name of a registry's credential.
pub(crate) fn credential(text: &Text<'_>, at: usize, anchor: &str, found: &mut Vec<Range<usize>>) {
    let blanks = |at: usize| at + text.from(at).iter().take(4).take_while(|byte| **byte == b' ').count();
    let end = blanks(at + anchor.len());
    if text.byte(end) != Some(b'=') {
        return;
    }
    let quote = |at: usize| at + usize::from(text.byte(at).is_some_and(|byte| b"\"'".contains(&byte)));
    let start = quote(blanks(end + 1));
    let n = VALUE.run(text.from(start), 512);
    let value = text.slice(start, start + n);
    let is_blank = value.iter().all(|byte| b"xX*.".contains(byte));
    if n >= 4 && !is_blank && !is_reference(value) && !value.contains(&b'<') {
        found.push(start..start + n);
    }
}
