//! The change that a call made to a file.

use std::fs;
use std::io;

use event::AbsPath;

use super::line_diff::lines;
use super::{Before, Hunk, LineMarks, LineRange, MAX_BEFORE, MutationClass, hunks, line_ranges};
use crate::ContentHash;

/// A file after a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileChange {
    /// The hash of the bytes on disk.
    pub content_hash: ContentHash,
    /// Whether the file was new.
    pub mutation_class: MutationClass,
    /// The written lines, if known.
    pub line_ranges: Option<Vec<LineRange>>,
    /// The changed lines, for tracking older lines, if known.
    pub hunks: Option<Vec<Hunk>>,
    /// Marks of the current lines; `None` for a large file.
    pub marks: Option<LineMarks>,
    /// Whether the content on disk differs from the one in the call's input: another process wrote
    /// the file.
    pub conflict: bool,
}

/// Compares a file after a call with its content before. Returns `None` if it is unchanged or does
/// not exist any more. Fails with `FileTooLarge` if hashing it would take longer than an event has.
pub fn file_change(
    file: &AbsPath,
    before: &Before,
    announced: Option<&str>,
) -> io::Result<Option<FileChange>> {
    let meta = match fs::metadata(file.as_path()) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        other => other?,
    };
    if !meta.is_file() {
        return Ok(None);
    }
    let mutation_class =
        if *before == Before::Absent { MutationClass::Create } else { MutationClass::Modify };
    if meta.len() > MAX_BEFORE {
        let content_hash = ContentHash::of_small_file(file)?;
        let conflict = announced.is_some_and(|text| ContentHash::of(text.as_bytes()) != content_hash);
        return Ok(Some(FileChange {
            content_hash,
            mutation_class,
            line_ranges: None,
            hunks: None,
            marks: None,
            conflict,
        }));
    }
    let after = fs::read(file.as_path())?;
    let hunks = match before {
        Before::Absent => {
            let new_lines = lines(&after).len();
            let whole = Hunk { old_start: 0, old_lines: 0, new_start: 0, new_lines };
            Some(if new_lines == 0 { Vec::new() } else { vec![whole] })
        }
        Before::Content(content) if *content == after => return Ok(None),
        Before::Content(content) => Some(hunks(content, &after)),
        Before::Unknown => None,
    };
    Ok(Some(FileChange {
        content_hash: ContentHash::of(&after),
        mutation_class,
        line_ranges: hunks.as_deref().map(line_ranges),
        hunks,
        marks: Some(LineMarks::of(&after)),
        conflict: announced.is_some_and(|text| !says_the_same(text.as_bytes(), &after)),
    }))
}

/// WHY not byte by byte: tools use the line ends of the file they replace, and some add one after the
/// last line. That is not another writer.
fn says_the_same(announced: &[u8], found: &[u8]) -> bool {
    let plain = |bytes: &[u8]| -> Vec<u8> {
        let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_end();
        text.iter().copied().filter(|byte| *byte != b'\r').collect()
    };
    announced == found || plain(announced) == plain(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_line_ends_are_no_other_writer() {
        for (announced, found, same) in [
            ("a\nb", "a\nb\n", true),
            ("a\nb\n", "a\r\nb\r\n", true),
            ("a", "\u{feff}a", true),
            ("a\nb", "a\nc", false),
            ("a", "a\nb", false),
            ("", "x", false),
        ] {
            assert_eq!(
                says_the_same(announced.as_bytes(), found.as_bytes()),
                same,
                "{announced:?} {found:?}"
            );
        }
    }
}
