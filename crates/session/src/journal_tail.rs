//! The last lines of a journal, read on first use.

use std::cell::OnceCell;

use store::Journal;

/// The end of a journal.
#[derive(Debug)]
pub struct JournalTail<'a> {
    journal: Option<&'a Journal>,
    lines: OnceCell<String>,
}

impl<'a> JournalTail<'a> {
    /// The size of the tail.
    pub const BYTES: u64 = 16 * 1024;

    /// Returns the end of this journal. `read` holds its lines if the caller has read them already.
    pub fn new(journal: Option<&'a Journal>, read: Option<String>) -> Self {
        Self { journal, lines: read.map(OnceCell::from).unwrap_or_default() }
    }

    /// Returns a tail of lines that the caller has read, newest last.
    pub fn of(lines: &str) -> Self {
        Self { journal: None, lines: OnceCell::from(lines.to_owned()) }
    }

    /// Returns the last lines, newest last. Returns an empty string if the journal cannot be read.
    pub fn lines(&self) -> &str {
        let read = || self.journal.and_then(|journal| journal.tail(Self::BYTES).ok()).unwrap_or_default();
        self.lines.get_or_init(read)
    }

    /// Cuts `text`, which starts at byte `start` of the journal, to whole lines of at most [`Self::BYTES`].
    pub(crate) fn end_of(mut text: String, start: u64) -> String {
        let surplus = text.len().saturating_sub(usize::try_from(Self::BYTES).unwrap_or(0));
        if start > 0 || surplus > 0 {
            let after_line = |at: usize| text.as_bytes()[at..].iter().position(|byte| *byte == b'\n');
            let first_whole = after_line(surplus).map_or(text.len(), |at| surplus + at + 1);
            text.drain(..first_whole);
        }
        text
    }
}
