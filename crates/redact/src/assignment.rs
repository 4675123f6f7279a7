//! Values that a telling name gives away: `API_KEY=…`, `"password": "…"`, `--token …`, `<secret>…</secret>`.

use std::ops::Range;

use crate::class::NAME;
use crate::judge::is_secret;
use crate::name::promise;
use crate::text::Text;
use crate::{joint, value};

/// Reads the name around the anchor and, if it tells, the value after it.
pub(crate) fn read(text: &Text<'_>, at: usize, anchor: &str, found: &mut Vec<Range<usize>>) {
    let end = at + anchor.len();
    let end = end
        + text
            .from(end)
            .iter()
            .take(32)
            .take_while(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(byte))
            .count();
    // Cheap and usually decisive: nothing can be assigned to a word followed by a dot or a bracket.
    if !text.byte(end).is_some_and(|byte| b" \t\"'`\\:=?+>,\r\n]".contains(&byte)) {
        return;
    }
    let start = at - NAME.run_back(text.before(at, 64), 64);
    let Some(promise) = promise(text.slice(start, end)) else { return };
    let Some(value) = value::of(text, &(start..end)) else { return };
    if value.is_call || value.range.is_empty() {
        return;
    }
    let bytes = text.slice(value.range.start, value.range.end);
    if is_secret(promise, value.setting, bytes) {
        return push_with_rest(text, value.range, found);
    }
    // Half a key may be too short to tell; the whole of it is not.
    if joint::after(text, value.range.end).is_some() {
        let joined = joint::join(text, value.range.start, value.range.end);
        let n = joined.n_alike();
        if n > value.range.len() && is_secret(promise, value.setting, &joined.bytes[..n]) {
            joined.ranges(n, found);
        }
    }
}

/// Adds the value, and its continuation on the next lines if it has one.
fn push_with_rest(text: &Text<'_>, range: Range<usize>, found: &mut Vec<Range<usize>>) {
    if joint::after(text, range.end).is_some() {
        let joined = joint::join(text, range.start, range.end);
        joined.ranges(joined.n_alike(), found);
    } else {
        found.push(range);
    }
}
