//! Captures one output stream: redacted, the head and the tail, with the middle counted.

use std::collections::VecDeque;

use redact::{Filter, Stream};

/// The captured part of a program's output.
///
/// INVARIANT: the filter runs before the cut, so no cut can reveal half a secret.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Captured {
    /// The text; a line in the middle states how many bytes were left out.
    pub text: String,
    /// How many bytes exceeded the limit.
    pub n_left_out: u64,
}

/// An output stream while it is being read.
///
/// WHY two streams: the captured text waits for all bytes that may decide whether it holds a
/// secret, which is more than most programs ever print; the live output needs whole lines early.
pub(crate) struct Capture<'f> {
    shown: Stream<'f>,
    stream: Stream<'f>,
    kept: HeadAndTail,
}

/// The first and the last bytes of a stream.
struct HeadAndTail {
    head: Vec<u8>,
    tail: VecDeque<u8>,
    half: usize,
    n_left_out: u64,
}

impl<'f> Capture<'f> {
    pub(crate) fn new(filter: &'f Filter, limit: usize) -> Self {
        let kept =
            HeadAndTail { head: Vec::new(), tail: VecDeque::new(), half: (limit / 2).max(1), n_left_out: 0 };
        Self { shown: Stream::new(filter), stream: Stream::new(filter), kept }
    }

    /// Takes the next bytes and returns the redacted bytes that can be shown now.
    pub(crate) fn push(&mut self, bytes: &[u8]) -> Vec<u8> {
        let mut safe = Vec::new();
        self.stream.push(bytes, &mut safe);
        self.kept.push(&safe);
        let mut shown = Vec::new();
        self.shown.push(bytes, &mut shown);
        self.shown.settle_lines(&mut shown);
        shown
    }

    /// Ends the stream. Returns the remaining redacted bytes and the captured text.
    pub(crate) fn finish(mut self) -> (Vec<u8>, Captured) {
        let mut safe = Vec::new();
        self.stream.finish(&mut safe);
        self.kept.push(&safe);
        let mut shown = Vec::new();
        self.shown.finish(&mut shown);
        (shown, self.kept.into_captured())
    }
}

impl HeadAndTail {
    fn push(&mut self, bytes: &[u8]) {
        let n_head = bytes.len().min(self.half - self.head.len());
        self.head.extend_from_slice(&bytes[..n_head]);
        self.tail.extend(&bytes[n_head..]);
        let n_over = self.tail.len().saturating_sub(self.half);
        self.tail.drain(..n_over);
        self.n_left_out += n_over as u64;
    }

    fn into_captured(self) -> Captured {
        let Self { mut head, tail, n_left_out, .. } = self;
        if n_left_out > 0 {
            head.extend_from_slice(format!("\n[{n_left_out} bytes left out]\n").as_bytes());
        }
        head.extend(tail);
        Captured { text: String::from_utf8_lossy(&head).into_owned(), n_left_out }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn captured(pieces: &[&str], limit: usize) -> Captured {
        let filter = Filter::default();
        let mut capture = Capture::new(&filter, limit);
        for piece in pieces {
            capture.push(piece.as_bytes());
        }
        capture.finish().1
    }

    #[test]
    fn output_within_the_limit_is_kept_as_it_is() {
        assert_eq!(captured(&["one\n", "two\n"], 100), Captured { text: "one\ntwo\n".into(), n_left_out: 0 });
    }

    #[test]
    fn the_middle_is_left_out_and_counted() {
        let long = "x".repeat(1000);
        let kept = captured(&["begin", &long, "end"], 10);
        assert_eq!(kept, Captured { text: "begin\n[998 bytes left out]\nxxend".into(), n_left_out: 998 });
    }

    #[test]
    fn a_secret_at_the_cut_is_gone_before_it_is_cut() {
        let secret = concat!("ghp_", "abcdefghijklmnopqrstuvwxyz0123456789");
        let kept = captured(&["token: ", &secret[..10], &secret[10..], "\n", &"y".repeat(500)], 40);
        assert!(!kept.text.contains("ghp_"), "{}", kept.text);
        assert!(kept.text.starts_with("token: [REDACTED]"), "{}", kept.text);
    }
}
