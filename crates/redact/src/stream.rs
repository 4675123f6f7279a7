//! Redacts a long input piece by piece, in bounded memory.

use crate::Filter;
use crate::scan::MAX_SECRET;
use crate::settle::settled;

/// So much is kept of what was written already: a reader looks back for names and line starts.
const LOOK_BACK: usize = 1024;
/// So much must follow a place before it is decided: the longest secret and what makes it one.
const LOOK_AHEAD: usize = MAX_SECRET + 8 * 1024;
/// So much is decided at a time.
const STEP: usize = 128 * 1024;

/// An input that arrives in pieces.
///
/// Bytes that are not UTF-8 pass through as they are.
#[derive(Debug)]
pub struct Stream<'f> {
    filter: &'f Filter,
    /// What was written already and may be looked back at, then what is not decided yet.
    buffer: Vec<u8>,
    n_written: usize,
    look_ahead: usize,
    step: usize,
}

impl<'f> Stream<'f> {
    /// Begins an input.
    #[must_use]
    pub fn new(filter: &'f Filter) -> Self {
        Self { filter, buffer: Vec::new(), n_written: 0, look_ahead: LOOK_AHEAD, step: STEP }
    }

    /// The same with other sizes, so that tests meet many borders.
    #[cfg(test)]
    pub(crate) fn with_sizes(filter: &'f Filter, look_ahead: usize, step: usize) -> Self {
        Self { look_ahead, step, ..Self::new(filter) }
    }

    /// Takes the next piece and adds to `out` what is decided by now.
    pub fn push(&mut self, piece: &[u8], out: &mut Vec<u8>) {
        for piece in piece.chunks(self.step) {
            self.buffer.extend_from_slice(piece);
            while self.buffer.len() - self.n_written >= self.look_ahead + self.step {
                let until = self.border();
                self.write(until, out);
            }
        }
    }

    /// Ends the input and adds the rest to `out`.
    pub fn finish(mut self, out: &mut Vec<u8>) {
        self.write(self.buffer.len(), out);
    }

    /// Returns the best place to stop: after a line, else after a word, else wherever it must be.
    fn border(&self) -> usize {
        let most = self.buffer.len() - self.look_ahead;
        let open = &self.buffer[self.n_written..most];
        let after = |is_end: fn(&u8) -> bool| open.iter().rposition(is_end).map(|at| self.n_written + at + 1);
        after(|byte| *byte == b'\n').or_else(|| after(u8::is_ascii_whitespace)).unwrap_or(most)
    }

    /// Writes up to `until`, and further if a secret that begins before it ends behind it.
    fn write(&mut self, until: usize, out: &mut Vec<u8>) {
        let secrets = self.filter.secrets(&self.buffer, self.n_written, until);
        settled(&self.buffer, self.n_written, until, &secrets, out);
        let last_end = secrets.last().map_or(0, |secret| secret.end);
        let written = until.max(last_end);
        // Looking back must end where the last secret does, as it does within one text.
        let keep_from = written.saturating_sub(LOOK_BACK).max(last_end);
        self.buffer.drain(..keep_from);
        self.n_written = written - keep_from;
    }
}
