//! Values of a Kubernetes `Secret`: base64 under `data:`, whatever their names.

use std::ops::Range;

use crate::class::BASE64;
use crate::scan::MAX_SECRET;
use crate::text::Text;

/// How far `kind: Secret` may be from `data:`.
const MAX_DISTANCE: usize = 768;
const MAX_LINES: usize = 64;

/// Reads the block after a `data:` that begins its line, in a document of the kind `Secret`.
pub(crate) fn data(text: &Text<'_>, at: usize, anchor: &str, found: &mut Vec<Range<usize>>) {
    let mut start = at + anchor.len();
    let before = text.before(at, MAX_DISTANCE);
    let before =
        before.windows(4).rposition(|window| window == b"\n---").map_or(before, |end| &before[end..]);
    let after = text.slice(start, text.bytes.len().min(start + MAX_DISTANCE));
    let after = after.windows(4).position(|window| window == b"\n---").map_or(after, |end| &after[..end]);
    if !has_kind(before) && !has_kind(after) {
        return;
    }
    for _ in 0..MAX_LINES {
        let rest = text.from(start);
        let Some(n_line) = rest.iter().take(MAX_SECRET).position(|byte| *byte == b'\n') else { break };
        start += n_line + 1;
        let line = text.from(start);
        if !line.first().is_some_and(|byte| b" \t#".contains(byte)) {
            break;
        }
        let n_line = line
            .iter()
            .take(MAX_SECRET)
            .position(|byte| *byte == b'\n')
            .unwrap_or(line.len().min(MAX_SECRET));
        if let Some(value) = value(&line[..n_line]) {
            found.push(start + value.start..start + value.end);
        }
    }
}

/// Returns the range of a base64 value: the last word of the line.
fn value(line: &[u8]) -> Option<Range<usize>> {
    let end = line.trim_ascii_end().len();
    let end = end - usize::from(line[..end].ends_with(b"\"") || line[..end].ends_with(b"'"));
    let n = BASE64.run_back(&line[..end], end);
    let word = &line[end - n..end];
    let before = line[..end - n].trim_ascii();
    let before =
        before.strip_suffix(b"\"").or_else(|| before.strip_suffix(b"'")).unwrap_or(before).trim_ascii_end();
    let is_value = before.is_empty() || before.ends_with(b":") && !before.starts_with(b"#");
    (n >= 10 && word.len().is_multiple_of(4) && is_value).then_some(end - n..end)
}

/// Returns whether a line says `kind: Secret`, and no other kind such as `SealedSecret`.
fn has_kind(bytes: &[u8]) -> bool {
    bytes.split(|byte| *byte == b'\n').any(|line| {
        let Some(kind) = line.trim_ascii().strip_prefix(b"kind:") else { return false };
        let kind = kind.trim_ascii();
        let kind = kind.strip_prefix(b"\"").or_else(|| kind.strip_prefix(b"'")).unwrap_or(kind);
        let kind = kind.strip_suffix(b"\"").or_else(|| kind.strip_suffix(b"'")).unwrap_or(kind);
        kind.eq_ignore_ascii_case(b"secret")
    })
}
