//! The lines of a journal, one after the other.

use std::io::{self, BufRead, BufReader};
use std::ops::ControlFlow;

use event::AbsPath;

use crate::EventRecord;

/// Hands every whole line of a journal to `each` until it breaks off, and returns what it
/// broke off with. A journal that is not there has no lines.
pub fn each_line<B>(path: &AbsPath, mut each: impl FnMut(&str) -> ControlFlow<B>) -> io::Result<Option<B>> {
    let file = match store::plain_file::open_plain(path.as_path()) {
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            return Ok(None);
        }
        other => other?,
    };
    let mut reader = BufReader::with_capacity(256 * 1024, file);
    let mut line = Vec::new();
    loop {
        line.clear();
        reader.read_until(b'\n', &mut line)?;
        if line.pop() != Some(b'\n') {
            return Ok(None);
        }
        if let ControlFlow::Break(result) = each(&String::from_utf8_lossy(&line)) {
            return Ok(Some(result));
        }
    }
}

/// Reads one line; what is no record of ours is none.
pub fn parse(line: &str) -> Option<EventRecord> {
    serde_json::from_str(line).ok()
}

/// Returns the part of a line in which its own keys stand: type, ids, module. What a tool
/// was given comes after them.
pub fn head(line: &str) -> &str {
    &line[..line.floor_char_boundary(256)]
}
