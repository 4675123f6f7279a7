//! Reads the lines of a journal one by one.

use std::io::{self, BufRead, BufReader, Seek, SeekFrom};
use std::ops::ControlFlow;
use std::path::Path;

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

/// Passes every whole line of a file behind an offset to `each`. Returns the end of the last one.
pub fn each_line_after(path: &Path, offset: u64, mut each: impl FnMut(&[u8])) -> io::Result<u64> {
    let mut file = store::plain_file::open_plain(path)?;
    file.seek(SeekFrom::Start(offset))?;
    let mut reader = BufReader::with_capacity(256 * 1024, file);
    let (mut end, mut line) = (offset, Vec::new());
    loop {
        line.clear();
        let length = reader.read_until(b'\n', &mut line)?;
        if line.pop() != Some(b'\n') {
            return Ok(end);
        }
        end += length as u64;
        each(&line);
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
