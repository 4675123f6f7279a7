//! The content of a file before a call.

use std::fs;
use std::io;

use event::AbsPath;

/// The content of a file before a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Before {
    /// The file did not exist.
    Absent,
    /// The content.
    Content(Vec<u8>),
    /// The content is too large, or cannot be read.
    Unknown,
}

/// The maximum size of a stored content.
pub const MAX_BEFORE: u64 = 1024 * 1024;

impl Before {
    /// Reads the current content of a file.
    pub fn of(file: &AbsPath) -> Self {
        match fs::metadata(file.as_path()) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Self::Absent,
            Ok(meta) if meta.is_file() && meta.len() <= MAX_BEFORE => {
                fs::read(file.as_path()).map_or(Self::Unknown, Self::Content)
            }
            _ => Self::Unknown,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_absent_known_or_too_large() {
        let dir = tempfile::tempdir().unwrap();
        let file = AbsPath::new(dir.path().join("a")).unwrap();
        assert_eq!(Before::of(&file), Before::Absent);
        fs::write(file.as_path(), "one").unwrap();
        assert_eq!(Before::of(&file), Before::Content(b"one".to_vec()));
        fs::write(file.as_path(), vec![b'x'; 1024 * 1024 + 1]).unwrap();
        assert_eq!(Before::of(&file), Before::Unknown);
        assert_eq!(Before::of(&AbsPath::new(dir.path()).unwrap()), Before::Unknown);
    }
}
