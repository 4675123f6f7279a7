//! Finds the secrets in a string.

use std::ops::Range;

use crate::kind::Shape;
use crate::text::Text;
use crate::{prefilter, token};

/// The maximum length of a secret; longer ones are cut here, which bounds the look-ahead.
pub(crate) const MAX_SECRET: usize = 64 * 1024;

/// Returns the secrets whose anchors are in `from..until`, in order and without overlap.
pub(crate) fn secrets(bytes: &[u8], from: usize, until: usize) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut text = Text { bytes, floor: 0 };
    let mut at = from;
    while let Some(candidate) = prefilter::next_candidate(bytes, at)
        && candidate < until
    {
        at = candidate + 1;
        let n_before = found.len();
        for anchor in prefilter::anchors_at(bytes, candidate) {
            match &anchor.kind.shape {
                Shape::Token(shape) => token::read(&text, candidate, anchor.literal, shape, &mut found),
                Shape::Read(reader) => reader(&text, candidate, anchor.literal, &mut found),
            }
            // A value in front of its name may begin in text that is written already.
            if found.get(n_before).is_some_and(|secret| secret.start < from) {
                found.truncate(n_before);
            }
            if found.len() > n_before {
                break;
            }
        }
        if let Some(last) = found.last()
            && found.len() > n_before
        {
            text.floor = last.end;
            at = at.max(last.end);
        }
    }
    found
}
