//! Comparisons with the value in front: `if ("…" == password)`.

use crate::judge::Setting;
use crate::text::Text;

use super::{SAMPLE, Value};

/// Returns whether a comparison may end with the name that ends at `at`: cheap, and usually decisive.
pub(crate) fn may_precede(text: &Text<'_>, at: usize) -> bool {
    text.byte(at).is_none_or(|byte| b") \t\r\n;&|:{".contains(&byte))
}

/// Returns the literal that the name at `start` is compared with, if one and `==` or a relative are in front of it.
pub(crate) fn before(text: &Text<'_>, start: usize) -> Option<Value> {
    let front = text.before(start, SAMPLE + 16);
    let front = front.trim_ascii_end();
    let operand = [&b"==="[..], b"!==", b"==", b"!="].iter().find_map(|sign| front.strip_suffix(*sign))?;
    let operand = operand.trim_ascii_end();
    let (quote, inner) = operand.split_last().filter(|(quote, _)| b"\"'`".contains(quote))?;
    let n = inner.iter().rev().take_while(|byte| *byte != quote && **byte != b'\n').count();
    // The quote that opens it is within reach.
    if n == 0 || n == inner.len() || inner[inner.len() - n - 1] != *quote {
        return None;
    }
    let end = start - (text.before(start, SAMPLE + 16).len() - inner.len());
    Some(Value { range: end - n..end, setting: Setting::Assigned, is_call: false })
}
