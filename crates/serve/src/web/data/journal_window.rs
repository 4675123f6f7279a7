//! A part of a journal, so that a page about a session of any length reads a bounded number of bytes.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

use event::AbsPath;

/// Whole lines of a journal.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct JournalWindow {
    /// The lines.
    pub(super) text: String,
    /// The offset of the first line.
    pub(super) start: u64,
    /// Whether the lines reach the end of the journal.
    pub(super) is_latest: bool,
}

impl JournalWindow {
    /// Reads at most `size` bytes before the offset `before`, or before the journal's end. A missing journal has no
    /// lines.
    pub(super) fn read(path: &AbsPath, before: Option<u64>, size: u64) -> io::Result<Self> {
        let mut file = match File::open(path.as_path()) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Ok(Self { is_latest: true, ..Self::default() });
            }
            other => other?,
        };
        let length = file.metadata()?.len();
        let end = before.unwrap_or(length).min(length);
        let from = end.saturating_sub(size);
        file.seek(SeekFrom::Start(from))?;
        let mut bytes = Vec::new();
        file.take(end - from).read_to_end(&mut bytes)?;
        // A torn last line does not count, nor does the rest of a line that began earlier.
        bytes.truncate(bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1));
        let skipped = if from == 0 {
            0
        } else {
            bytes.iter().position(|byte| *byte == b'\n').map_or(bytes.len(), |at| at + 1)
        };
        let text = String::from_utf8_lossy(&bytes[skipped..]).into_owned();
        Ok(Self { text, start: from + skipped as u64, is_latest: end == length })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_of_whole_lines_cover_the_journal_once() {
        let dir = tempfile::tempdir().unwrap();
        let path = AbsPath::new(dir.path().join("events.jsonl")).unwrap();
        let lines: Vec<String> = (0..100).map(|n| format!("line {n}\n")).collect();
        let lines = lines.concat();
        std::fs::write(path.as_path(), lines.clone() + "torn").unwrap();
        let (mut before, mut read) = (None, String::new());
        loop {
            let window = JournalWindow::read(&path, before, 64).unwrap();
            assert!(window.text.len() <= 64);
            assert_eq!(window.is_latest, before.is_none());
            read.insert_str(0, &window.text);
            if window.start == 0 {
                break;
            }
            before = Some(window.start);
        }
        assert_eq!(read, lines);
    }

    #[test]
    fn a_missing_journal_has_no_lines() {
        let window = JournalWindow::read(&AbsPath::new("/gone/events.jsonl").unwrap(), None, 64).unwrap();
        assert_eq!(window, JournalWindow { is_latest: true, ..JournalWindow::default() });
    }
}
