//! Joins a secret that a line break, an escape or a string concatenation splits.
//!
//! Log writers wrap, editors fold, and programmers split long literals. Recognised
//! splits: a line break (real, or written `\n`), a backslash before it,
//! the indentation or log prefix that the next line repeats, and `"…" + "…"`.

use std::ops::Range;

use crate::class::TOKEN;
use crate::randomness::looks_random;
use crate::text::Text;

/// The most pieces and the most bytes of a joined token.
const MAX_PIECES: usize = 16;
const MAX_JOINED: usize = 8 * 1024;

/// A token without the splits in it.
pub(crate) struct Joined {
    pub(crate) bytes: Vec<u8>,
    pieces: Vec<Range<usize>>,
    /// For each piece, whether it ends its line.
    ends_line: Vec<bool>,
}

impl Joined {
    /// Adds the ranges of the text that the first `n` bytes come from.
    pub(crate) fn ranges(&self, n: usize, found: &mut Vec<Range<usize>>) {
        let mut left = n;
        for piece in &self.pieces {
            let n_here = left.min(piece.len());
            if n_here > 0 {
                found.push(piece.start..piece.start + n_here);
            }
            left -= n_here;
        }
    }

    /// Returns how many bytes are one token, if the first piece could be all of it.
    pub(crate) fn n_alike(&self) -> usize {
        self.n_of_token(0, usize::MAX)
    }

    /// Returns how many bytes are one token rather than a token and the next words of the
    /// text, if it has `least` bytes and its alphabet ends after `most`.
    ///
    /// A piece that is not needed for its length belongs to it only as a whole, if it fills its
    /// line and looks random: a token does not end in the midst of the name, or of the
    /// secret, that the next line begins with.
    pub(crate) fn n_of_token(&self, least: usize, most: usize) -> usize {
        let mut n = 0;
        for (index, (piece, ends_line)) in self.pieces.iter().zip(&self.ends_line).enumerate() {
            let bytes = &self.bytes[n..n + piece.len()];
            let is_needed = index == 0 || n < least;
            if is_needed && n + piece.len() > most {
                return most;
            }
            let is_alike = *ends_line && bytes.len() >= 8 && looks_random(bytes);
            if !is_needed && (!is_alike || n + piece.len() > most) {
                break;
            }
            n += piece.len();
        }
        n
    }
}

/// Joins the token that begins at `start` and is first split at `stop`.
pub(crate) fn join(text: &Text<'_>, start: usize, stop: usize) -> Joined {
    let mut joined =
        Joined { bytes: text.slice(start, stop).to_vec(), pieces: Vec::new(), ends_line: Vec::new() };
    joined.pieces.push(start..stop);
    joined.ends_line.push(true);
    let mut end = stop;
    while let Some(next) = after(text, end) {
        let n = TOKEN.run(text.from(next), MAX_JOINED);
        if n == 0 || joined.pieces.len() == MAX_PIECES || joined.bytes.len() + n > MAX_JOINED {
            break;
        }
        end = next + n;
        joined.bytes.extend_from_slice(text.slice(next, end));
        joined.pieces.push(next..end);
        joined.ends_line.push(text.byte(end).is_none_or(|byte| b"\r\n\\\"'`,;)".contains(&byte)));
    }
    joined
}

/// Returns where the text continues if a split begins at `end`.
pub(crate) fn after(text: &Text<'_>, end: usize) -> Option<usize> {
    match text.byte(end)? {
        quote @ (b'"' | b'\'' | b'`') => after_concatenation(text, end + 1, quote),
        _ => after_break(text, end),
    }
}

/// Skips `" + "`, `" \⏎ "`, `" . "` and two literals side by side.
fn after_concatenation(text: &Text<'_>, mut at: usize, quote: u8) -> Option<usize> {
    let mut n_breaks = 0;
    let mut n_operators = 0;
    for _ in 0..128 {
        match text.byte(at)? {
            b' ' | b'\t' | b'\r' => {}
            b'\n' => n_breaks += 1,
            b'+' | b'.' | b'\\' | b'&' => n_operators += 1,
            byte if byte == quote && (n_breaks > 0 || n_operators > 0) => return Some(at + 1),
            _ => return None,
        }
        if n_breaks > 1 || n_operators > 2 {
            return None;
        }
        at += 1;
    }
    None
}

fn after_break(text: &Text<'_>, end: usize) -> Option<usize> {
    let rest = text.from(end);
    for written in [&b"\\r\\n"[..], b"\\\\n", b"\\n"] {
        if rest.starts_with(written) {
            return Some(after_blanks(text, end + written.len()));
        }
    }
    let rest = rest.strip_prefix(b"\\").unwrap_or(rest);
    let rest = rest.strip_prefix(b"\r").unwrap_or(rest);
    let next_line = text.bytes.len() - rest.strip_prefix(b"\n")?.len();
    let body = next_line + n_repeated_prefix(text, end, next_line);
    Some(after_decoration(text, after_blanks(text, body)))
}

/// Returns how much of the next line repeats the start of this one, except for digits:
/// a time stamp, a level, the name of a container.
fn n_repeated_prefix(text: &Text<'_>, end: usize, next_line: usize) -> usize {
    let this = text.slice(text.line_start(end), end);
    let next = text.from(next_line);
    let alike = |pair: &(&u8, &u8)| pair.0 == pair.1 || pair.0.is_ascii_digit() && pair.1.is_ascii_digit();
    let n_alike = this.iter().zip(next).take(256).take_while(alike).count();
    let n_open = next[..n_alike].iter().rev().take_while(|byte| !b" \t|]>".contains(byte)).count();
    n_alike - n_open
}

fn after_blanks(text: &Text<'_>, at: usize) -> usize {
    at + text.from(at).iter().take(256).take_while(|byte| matches!(byte, b' ' | b'\t')).count()
}

/// Skips the marker of a continued line: `| `, `> `, `# `, `* `, `// `, `+ `.
fn after_decoration(text: &Text<'_>, at: usize) -> usize {
    let rest = text.from(at);
    let n = rest.iter().take(3).take_while(|byte| b"|>#*/+".contains(byte)).count();
    if n > 0 && rest.get(n) == Some(&b' ') { after_blanks(text, at + n) } else { at }
}
