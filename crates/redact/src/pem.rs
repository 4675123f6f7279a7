//! Private keys in armour: PEM, OpenSSH, PGP and `PuTTY`, whole or cut off.

use std::ops::Range;

use crate::class::{BASE64, Class};
use crate::randomness::looks_random;
use crate::scan::MAX_SECRET;
use crate::text::Text;

/// Between two lines of armour: breaks real or written, indentation, quotes, comment signs.
const FILLER: Class = Class::of(" \t\r\n\"'+,\\`|>#*");

/// Reads from `-----BEGIN …PRIVATE KEY…-----` to the matching end, or as far as the text looks like a key.
pub(crate) fn armour(text: &Text<'_>, at: usize, anchor: &str, found: &mut Vec<Range<usize>>) {
    let label_start = at + anchor.len();
    let label = text.from(label_start);
    let is_label = |byte: &u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b' ';
    let n_label = label.iter().take(64).take_while(|byte| is_label(byte)).count();
    let n_dashes = label[n_label..].iter().take(5).take_while(|byte| **byte == b'-').count();
    if n_dashes < 4 || !crate::contains(&label[..n_label], b"PRIVATE KEY") {
        return;
    }
    let body = label_start + n_label + n_dashes;
    let limit = text.bytes.len().min(body + MAX_SECRET);
    // WHY: code that looks for keys has the first line as a constant. Only a body makes a key.
    if !has_body(text.slice(body, limit.min(body + 512))) {
        return;
    }
    let rest = text.slice(body, limit);
    let rest = match position(rest, b"BEGIN ") {
        Some(next) => {
            &rest[..next - rest[..next].iter().rev().take_while(|byte| b"- ".contains(byte)).count()]
        }
        None => rest,
    };
    let end = match position(rest, b"---END ").or_else(|| position(rest, b"--- END ")) {
        Some(offset) => body + offset + n_last_line(&rest[offset..]),
        None => body + n_cut_off(rest, Start::Headers),
    };
    found.push(at..end);
}

/// Reads the lines after `Private-Lines: 14`.
pub(crate) fn putty(text: &Text<'_>, at: usize, anchor: &str, found: &mut Vec<Range<usize>>) {
    let body = at + anchor.len();
    let rest = text.slice(body, text.bytes.len().min(body + MAX_SECRET));
    let n_count = rest.iter().take(4).take_while(|byte| byte.is_ascii_digit()).count();
    let n_break = rest[n_count..].iter().take(4).take_while(|byte| FILLER.has(**byte)).count();
    let n_body = n_cut_off(&rest[n_count + n_break..], Start::Body);
    if n_count > 0 && n_body >= 32 {
        let start = body + n_count + n_break;
        found.push(start..start + n_body);
    }
}

/// Says whether base64 follows soon; a header such as `Proc-Type:` or a log prefix may come first.
fn has_body(sample: &[u8]) -> bool {
    let mut at = 0;
    let mut n_words = 0;
    while at < sample.len() && n_words < 40 {
        at += sample[at..].iter().take_while(|byte| !BASE64.has(**byte)).count();
        // In `\nMIIE` the `n` belongs to the break.
        at += usize::from(
            at > 0 && at < sample.len() && sample[at - 1] == b'\\' && matches!(sample[at], b'n' | b'r'),
        );
        let n = BASE64.run(&sample[at.min(sample.len())..], 64);
        if n >= 20 && looks_random(&sample[at..at + n]) {
            return true;
        }
        if sample[at.min(sample.len())..].starts_with(b"END ") {
            return false;
        }
        at += n;
        n_words += 1;
    }
    false
}

/// Returns the length of the line that ends the armour, given from its dashes.
fn n_last_line(bytes: &[u8]) -> usize {
    let n_label = 3 + bytes[3..].iter().take(80).take_while(|byte| **byte != b'-' && **byte != b'\n').count();
    n_label + bytes[n_label..].iter().take(5).take_while(|byte| **byte == b'-').count()
}

/// The first lines: headers such as `Proc-Type:`, or the key itself.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Start {
    Headers,
    Body,
}

/// Returns how far a key without an end goes: to a blank line, or to the first line without base64.
fn n_cut_off(bytes: &[u8], start: Start) -> usize {
    let mut end = 0;
    let mut at = 0;
    let mut seen_body = start == Start::Body;
    while at < bytes.len() {
        let n_line = bytes[at..].iter().position(|byte| *byte == b'\n').map_or(bytes.len() - at, |n| n + 1);
        let line = bytes[at..at + n_line].trim_ascii();
        let word = line.rsplit(|byte| !BASE64.has(*byte)).find(|word| !word.is_empty()).unwrap_or_default();
        let carries_key = line.split(|byte| !BASE64.has(*byte)).any(|word| word.len() >= 20);
        let is_header = !seen_body
            && (line.is_empty() || line.contains(&b':') || line.iter().all(|byte| FILLER.has(*byte)));
        let is_last = seen_body
            && !word.is_empty()
            && line.ends_with(word)
            && (line.len() == word.len() || looks_random(word));
        if !carries_key && !is_header && !is_last {
            break;
        }
        seen_body |= carries_key;
        at += n_line;
        if carries_key || is_last {
            end = at - (n_line - bytes[at - n_line..at].trim_ascii_end().len());
        }
        if seen_body && !carries_key {
            break;
        }
    }
    end
}

fn position(bytes: &[u8], literal: &[u8]) -> Option<usize> {
    bytes.windows(literal.len()).position(|window| window == literal)
}
