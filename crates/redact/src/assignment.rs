//! Values whose name marks them as secret: `API_KEY=…`, `"password": "…"`, `--token …`, `<secret>…</secret>`.

use std::ops::Range;

use crate::class::{NAME, TOKEN};
use crate::judge::{Setting, is_secret};
use crate::kind::Shape;
use crate::name::{Promise, promise};
use crate::scan::MAX_SECRET;
use crate::text::Text;
use crate::{prefilter, split_token, token, value};

/// Reads the name around the anchor and, if it marks a secret, the value after it.
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
    let Some(promise) = promise(text.slice(start, end)).or_else(|| promise_of_two(text, start, end)) else {
        return;
    };
    let Some(value) = value::of(text, &(start..end)) else { return };
    // `PASS: bug1297` is a test's output, not a password.
    let is_outcome = value.setting == Setting::Loose && text.slice(start, end).eq_ignore_ascii_case(b"pass");
    if value.is_call || is_outcome || value.range.is_empty() {
        return;
    }
    if reads_as_token(text, &value.range, found) {
        return;
    }
    let bytes = text.slice(value.range.start, value.range.end);
    if is_secret(promise, value.setting, bytes) {
        return push_with_rest(text, value.range, found);
    }
    // Half a key may be too short to recognise; the whole key is not.
    if split_token::after(text, value.range.end).is_some() {
        let joined = split_token::join(text, value.range.start, value.range.end);
        let n = joined.n_alike();
        if n > value.range.len() && is_secret(promise, value.setting, &joined.bytes[..n]) {
            joined.ranges(n, found);
        }
    }
}

/// A bare `key` does not mark a secret, `API key` does.
fn promise_of_two(text: &Text<'_>, start: usize, end: usize) -> Option<Promise> {
    const FIRST: [&str; 6] = ["api ", "secret ", "access ", "private ", "encryption ", "license "];
    if !text.slice(start, end).eq_ignore_ascii_case(b"key") {
        return None;
    }
    let before = text.before(start, 12).to_ascii_lowercase();
    FIRST.iter().any(|word| before.ends_with(word.as_bytes())).then_some(Promise::Key)
}

/// Tries the kinds whose anchor is at the start of the value: they know better where a token
/// ends that the end of a line has cut.
fn reads_as_token(text: &Text<'_>, range: &Range<usize>, found: &mut Vec<Range<usize>>) -> bool {
    let n_before = found.len();
    for anchor in prefilter::anchors_at(text.bytes, range.start) {
        if let Shape::Token(shape) = &anchor.kind.shape {
            token::read(text, range.start, anchor.literal, shape, found);
        }
        if found.last().is_some_and(|last| found.len() > n_before && last.end >= range.end) {
            return true;
        }
        found.truncate(n_before);
    }
    false
}

/// Adds the value, and its continuation on the next lines if it has one.
fn push_with_rest(text: &Text<'_>, range: Range<usize>, found: &mut Vec<Range<usize>>) {
    let n_unread = if range.len() >= value::SAMPLE { TOKEN.run(text.from(range.end), MAX_SECRET) } else { 0 };
    let range = range.start..range.end + n_unread;
    if split_token::after(text, range.end).is_some() {
        let joined = split_token::join(text, range.start, range.end);
        joined.ranges(joined.n_alike(), found);
    } else {
        found.push(range);
    }
}
