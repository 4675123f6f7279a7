//! What a call made of a file.

use std::fs;
use std::io;

use event::AbsPath;

use super::line_diff::lines;
use super::{Before, Hunk, LineMarks, LineRange, MAX_BEFORE, MutationClass, hunks, line_ranges};
use crate::ContentHash;

/// A file after a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// The hash of the bytes on disk.
    pub content_hash: ContentHash,
    /// Whether the file was new.
    pub mutation_class: MutationClass,
    /// The lines that were written, where that can be told.
    pub line_ranges: Option<Vec<LineRange>>,
    /// How the lines moved, for finding older lines again; where that can be told.
    pub hunks: Option<Vec<Hunk>>,
    /// Marks of the lines that are there now; not of a large file.
    pub marks: Option<LineMarks>,
    /// Whether the call had said what the content would be and the disk holds something else:
    /// another writer was there.
    pub conflict: bool,
}

/// Looks at a file after a call. A file that is gone or is as it was has nothing to trace.
pub fn written(file: &AbsPath, before: &Before, announced: Option<&str>) -> io::Result<Option<Written>> {
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
        let content_hash = ContentHash::of_file(file)?;
        let conflict = announced.is_some_and(|text| ContentHash::of(text.as_bytes()) != content_hash);
        return Ok(Some(Written {
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
    Ok(Some(Written {
        content_hash: ContentHash::of(&after),
        mutation_class,
        line_ranges: hunks.as_deref().map(line_ranges),
        hunks,
        marks: Some(LineMarks::of(&after)),
        conflict: announced.is_some_and(|text| !says_the_same(text.as_bytes(), &after)),
    }))
}

/// WHY not byte by byte: tools write the line ends of the file they replace, and some see to it that
/// the last line has one. That is no other writer.
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
