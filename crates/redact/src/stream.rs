//! Redacts a long input piece by piece, in bounded memory.

use crate::Filter;
use crate::fixpoint::redact_to_fixpoint;
use crate::scan::MAX_SECRET;

/// How many written bytes are retained: a reader looks back for names and line starts.
const LOOK_BACK: usize = 1024;
/// How many bytes must follow a position before it is decided: the longest secret and its context.
const LOOK_AHEAD: usize = MAX_SECRET + 8 * 1024;
/// How many bytes are decided at a time.
const STEP: usize = 128 * 1024;

/// An input that arrives in pieces.
///
/// Bytes that are not UTF-8 pass through as they are.
#[derive(Debug)]
pub struct Stream<'f> {
    filter: &'f Filter,
    /// Written bytes for looking back, then the undecided bytes.
    buffer: Vec<u8>,
    n_written: usize,
    look_ahead: usize,
    step: usize,
}

impl<'f> Stream<'f> {
    /// Starts an input.
    #[must_use]
    pub fn new(filter: &'f Filter) -> Self {
        Self { filter, buffer: Vec::new(), n_written: 0, look_ahead: LOOK_AHEAD, step: STEP }
    }

    /// Starts an input with other sizes, so that tests meet many boundaries.
    #[cfg(test)]
    pub(crate) fn with_sizes(filter: &'f Filter, look_ahead: usize, step: usize) -> Self {
        Self { look_ahead, step, ..Self::new(filter) }
    }

    /// Takes the next piece and appends the decided bytes to `out`.
    pub fn push(&mut self, piece: &[u8], out: &mut Vec<u8>) {
        for piece in piece.chunks(self.step) {
            self.buffer.extend_from_slice(piece);
            while self.buffer.len() - self.n_written >= self.look_ahead + self.step {
                let until = self.border();
                self.write(until, out);
            }
        }
    }

    /// Appends the complete lines to `out` without waiting for more input, for a live display.
    /// Holds back a line that may be the beginning of a secret of several lines, and
    /// everything after it.
    pub fn settle_lines(&mut self, out: &mut Vec<u8>) {
        let open = &self.buffer[self.n_written..];
        let Some(last) = open.iter().rposition(|byte| *byte == b'\n') else { return };
        let mut n_safe = last + 1;
        let lines = open[..n_safe].split_inclusive(|byte| *byte == b'\n');
        let mut at = 0;
        let mut key_begins = None;
        let mut last_begins = 0;
        for line in lines {
            if contains(line, b"-----BEGIN") && !contains(line, b"-----END") {
                key_begins.get_or_insert(at);
            } else if contains(line, b"-----END") {
                key_begins = None;
            }
            last_begins = at;
            at += line.len();
        }
        if goes_on(&open[last_begins..n_safe]) {
            n_safe = last_begins;
        }
        let mut until = self.n_written + key_begins.map_or(n_safe, |begins| n_safe.min(begins));
        let partial_match = self.filter.partial_match(&self.buffer, self.n_written);
        if partial_match < until {
            // The whole line waits: half of it would not help.
            let before = &self.buffer[self.n_written..partial_match];
            until = self.n_written + before.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        }
        if until > self.n_written {
            self.write(until, out);
        }
    }

    /// Ends the input and appends the rest to `out`.
    pub fn finish(mut self, out: &mut Vec<u8>) {
        self.write(self.buffer.len(), out);
    }

    /// Returns the best position to stop: after a line, else after a word, else at the limit.
    fn border(&self) -> usize {
        let most = self.buffer.len() - self.look_ahead;
        let open = &self.buffer[self.n_written..most];
        let after = |is_end: fn(&u8) -> bool| open.iter().rposition(is_end).map(|at| self.n_written + at + 1);
        after(|byte| *byte == b'\n').or_else(|| after(u8::is_ascii_whitespace)).unwrap_or(most)
    }

    /// Writes up to `until`, or to the end of a secret that crosses it.
    fn write(&mut self, until: usize, out: &mut Vec<u8>) {
        let secrets = self.filter.secrets(&self.buffer, self.n_written, until);
        redact_to_fixpoint(&self.buffer, self.n_written, until, &secrets, out);
        let last_end = secrets.last().map_or(0, |secret| secret.end);
        let written = until.max(last_end);
        // Looking back must end where the last secret ends, as within one text.
        let keep_from = written.saturating_sub(LOOK_BACK).max(last_end);
        self.buffer.drain(..keep_from);
        self.n_written = written - keep_from;
    }
}

fn contains(line: &[u8], part: &[u8]) -> bool {
    line.windows(part.len()).any(|it| it == part)
}

/// Returns whether a line may continue on the next: a name whose value follows, a key in lines.
fn goes_on(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    let is_open = line.last().is_some_and(|byte| b":=|>,\"'\\(-+".contains(byte));
    let is_cut = line.rsplit(u8::is_ascii_whitespace).next().is_some_and(|word| word.len() >= 16);
    is_open || is_cut
}
