//! The length that a journal had after a run, in a file of the user's state folder: a journal that is shorter has lost lines.
//!
//! WHY in place, as digits of a fixed width: replacing a file makes ext4 flush it, which takes longer than a run. A file
//! that is empty or has other content says nothing.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Write};

use event::AbsPath;

use crate::no_follow;

/// The digits of the largest number.
const WIDTH: usize = 20;

/// Records the present length of a journal in an existing file. Records nothing while the last line is incomplete: the
/// next writer removes it.
pub fn record_length(record: &AbsPath, journal: &AbsPath) -> io::Result<()> {
    let mut journal = File::open(journal.as_path())?;
    let length = journal.metadata()?.len();
    let mut last = [0];
    if length > 0 {
        journal.seek(SeekFrom::Start(length - 1))?;
        journal.read_exact(&mut last)?;
    }
    if last != *b"\n" {
        return Ok(());
    }
    no_follow::options().write(true).open(record.as_path())?.write_all(format!("{length:0WIDTH$}").as_bytes())
}

/// Returns whether a journal is shorter than a run recorded.
pub fn is_shorter_than_recorded(record: &AbsPath, journal: &AbsPath) -> bool {
    let recorded = crate::plain_file::read(record.as_path()).unwrap_or_default();
    let recorded = std::str::from_utf8(&recorded).ok().filter(|text| text.len() == WIDTH);
    let recorded = recorded.and_then(|text| text.parse::<u64>().ok());
    let length = fs::metadata(journal.as_path()).map_or(0, |meta| meta.len());
    recorded.is_some_and(|recorded| length < recorded)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_journal_that_lost_lines_is_shorter_than_recorded() {
        let dir = tempfile::tempdir().unwrap();
        let root = AbsPath::new(dir.path()).unwrap();
        let (record, journal) = (root.child("record"), root.child("journal"));
        fs::write(journal.as_path(), "one\ntwo\n").unwrap();
        assert!(record_length(&record, &journal).is_err(), "no run has made the record");
        fs::write(record.as_path(), "").unwrap();
        assert!(!is_shorter_than_recorded(&record, &journal), "nothing is recorded");
        record_length(&record, &journal).unwrap();
        assert!(!is_shorter_than_recorded(&record, &journal));
        fs::write(journal.as_path(), "one\ntwo\nthr").unwrap();
        record_length(&record, &journal).unwrap();
        fs::write(journal.as_path(), "one\ntwo\n").unwrap();
        assert!(!is_shorter_than_recorded(&record, &journal), "an incomplete line is removed");
        fs::write(journal.as_path(), "one\n").unwrap();
        assert!(is_shorter_than_recorded(&record, &journal));
        fs::remove_file(journal.as_path()).unwrap();
        assert!(is_shorter_than_recorded(&record, &journal));
    }
}
