//! The text being scanned, and where a token in it may begin.

use crate::class::BASE64;
use crate::randomness::looks_random;

/// The text, and the end of the last secret found in it.
///
/// INVARIANT: `floor` counts as the start of the text. What stands before it is
/// about to be replaced, so looking at it would make a second pass over the
/// result see something else than the first pass saw.
#[derive(Clone, Copy)]
pub(crate) struct Text<'t> {
    pub(crate) bytes: &'t [u8],
    pub(crate) floor: usize,
}

impl<'t> Text<'t> {
    pub(crate) fn byte(&self, at: usize) -> Option<u8> {
        self.bytes.get(at).copied()
    }

    /// Returns the byte before `at`; `None` if it belongs to a secret already found.
    pub(crate) fn byte_before(&self, at: usize) -> Option<u8> {
        if at > self.floor { self.byte(at - 1) } else { None }
    }

    pub(crate) fn from(&self, at: usize) -> &'t [u8] {
        self.bytes.get(at..).unwrap_or_default()
    }

    pub(crate) fn slice(&self, start: usize, end: usize) -> &'t [u8] {
        self.bytes.get(start..end).unwrap_or_default()
    }

    /// Returns the text between the floor and `at`, at most `most` bytes of it.
    pub(crate) fn before(&self, at: usize, most: usize) -> &'t [u8] {
        self.slice(self.floor.max(at.saturating_sub(most)), at)
    }

    /// Returns where the line of `at` begins, looking back at most 512 bytes.
    ///
    /// A secret already found does not begin a line, and its replacement will not either.
    pub(crate) fn line_start(&self, at: usize) -> usize {
        let before = self.slice(at.saturating_sub(512), at);
        let n_back = before.iter().rev().take_while(|byte| **byte != b'\n').count();
        at - n_back
    }

    /// Returns whether a token may begin at `at`: no letter or digit precedes it,
    /// except those that end an escape (`\n`), a percent code (`%3D`) or a colour code.
    pub(crate) fn starts_word(&self, at: usize) -> bool {
        let Some(last) = self.byte_before(at) else { return true };
        if matches!(last, b'/' | b'+') && self.is_within_base64(at) {
            return false;
        }
        if !last.is_ascii_alphanumeric() || self.byte(at).is_some_and(|first| !first.is_ascii_alphanumeric())
        {
            return true;
        }
        let before = self.before(at, 12);
        let rest = &before[..before.len() - 1];
        match last {
            b'n' | b't' | b'r' if rest.ends_with(b"\\") => true,
            b'm' => ends_colour_code(rest),
            _ => {
                last.is_ascii_hexdigit()
                    && rest.len() >= 2
                    && rest[rest.len() - 2] == b'%'
                    && rest[rest.len() - 1].is_ascii_hexdigit()
            }
        }
    }

    /// Returns whether a long piece of base64 precedes `at`, such as an image: there every
    /// short prefix occurs by chance.
    fn is_within_base64(&self, at: usize) -> bool {
        let before = self.before(at, 64);
        before.len() == 64 && BASE64.run_back(before, 64) == 64 && looks_random(before)
    }
}

/// Returns whether `bytes` ends in the parameters of a terminal colour code (`␛[1;32`, the `m` cut off).
fn ends_colour_code(bytes: &[u8]) -> bool {
    let n_parameters = bytes.iter().rev().take_while(|byte| byte.is_ascii_digit() || **byte == b';').count();
    bytes[..bytes.len() - n_parameters].ends_with(b"[")
}
