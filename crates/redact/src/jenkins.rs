//! Keys in the credentials that Jenkins writes as XML: `<id>{name KEY}</id>`.
//!
//! The elements whose names mark a secret are read as assignments.

use std::ops::Range;

use crate::class::TOKEN;
use crate::placeholder::is_stand_in;
use crate::randomness::looks_random;
use crate::text::Text;

/// Reads the words between the braces and adds those that a program made.
pub(crate) fn sealed(text: &Text<'_>, at: usize, anchor: &str, found: &mut Vec<Range<usize>>) {
    let mut start = at + anchor.len();
    for _ in 0..8 {
        let word = text.slice(start, start + TOKEN.run(text.from(start), 512));
        if word.len() >= 16
            && word.iter().any(u8::is_ascii_digit)
            && !word.contains(&b':')
            && looks_random(word)
            && !is_stand_in(word)
        {
            found.push(start..start + word.len());
        }
        start += word.len();
        if text.byte(start) != Some(b' ') {
            return;
        }
        start += 1;
    }
}
