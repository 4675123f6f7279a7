//! A moment on the clock of the file system.
//!
//! WHY not the system's clock: the file system may be another machine's, and its times advance in steps.

use std::fs;
use std::io;
use std::time::UNIX_EPOCH;

use event::AbsPath;

/// A moment on the clock of the file system.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct FileSystemTime(u128);

impl FileSystemTime {
    /// The moment before every change.
    pub const START: Self = Self(0);

    /// Marks the current moment with a file in the session's folder.
    #[expect(clippy::disallowed_methods, reason = "the file system's clock is what is read, not the file")]
    pub fn mark(marker: &AbsPath) -> io::Result<Self> {
        if let Err(error) = fs::write(marker.as_path(), b".") {
            if error.kind() != io::ErrorKind::NotFound {
                return Err(error);
            }
            marker.as_path().parent().map_or(Ok(()), store::create_folder)?;
            fs::write(marker.as_path(), b".")?;
        }
        Self::of_marker(marker)
    }

    /// Returns the moment of a marker file.
    pub fn of_marker(marker: &AbsPath) -> io::Result<Self> {
        Ok(Self::of_metadata(&fs::metadata(marker.as_path())?))
    }

    /// Returns the modification time of an open file.
    pub fn of_file(file: &fs::File) -> io::Result<Self> {
        Ok(Self::of_metadata(&file.metadata()?))
    }

    /// Returns when the content or the entry of a file last changed.
    pub(crate) fn of_metadata(meta: &fs::Metadata) -> Self {
        Self(newness(meta))
    }

    /// Returns the moment as a number for storage.
    pub fn nanoseconds(self) -> u128 {
        self.0
    }

    /// Creates a moment from a stored number.
    pub fn at_nanoseconds(nanoseconds: u128) -> Self {
        Self(nanoseconds)
    }

    /// Returns whether a file was created since; `false` if the file system does not record it.
    pub fn saw_the_birth_of(self, file: &AbsPath) -> bool {
        store::creation_time(file).is_some_and(|creation_time| creation_time >= self.0)
    }
}

/// Returns when the content or the entry last changed, in nanoseconds.
#[cfg(unix)]
fn newness(meta: &fs::Metadata) -> u128 {
    use std::os::unix::fs::MetadataExt;
    // WHY the entry too: `mv`, `cp -p` and `tar` keep the time of the content.
    let entry = i128::from(meta.ctime()) * 1_000_000_000 + i128::from(meta.ctime_nsec());
    u128::try_from(entry).unwrap_or(0).max(content_time(meta))
}

/// Returns when the content last changed, in nanoseconds.
#[cfg(not(unix))]
fn newness(meta: &fs::Metadata) -> u128 {
    content_time(meta)
}

/// Returns when the content last changed, in nanoseconds.
fn content_time(meta: &fs::Metadata) -> u128 {
    let modified = meta.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    modified.unwrap_or_default().as_nanos()
}
