//! Reads the lines of a journal one by one.

use std::io::{self, BufRead, BufReader};
use std::ops::ControlFlow;

use event::AbsPath;

use crate::EventRecord;

/// Passes every whole line of a journal to `each` until that breaks, and returns its value. A missing journal has
/// no lines.
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

/// Parses one line. Returns `None` if it is not a record.
pub fn parse(line: &str) -> Option<EventRecord> {
    serde_json::from_str(line).ok()
}

/// Returns the start of a line, which has its type, ids and module. Data from a payload comes after them.
pub fn head(line: &str) -> &str {
    &line[..line.floor_char_boundary(256)]
}
