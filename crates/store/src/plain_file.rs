//! Reads one of our files and never blocks on a pipe or a device in its place.
//!
//! WHY not `fs::read`: opening a pipe blocks until another process writes to it, perhaps forever, and
//! a device may have no end.

use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

/// Larger than any file that a user or a run writes for us.
const AT_MOST: u64 = 32 * 1024 * 1024;

/// Reads a whole file. Fails for anything but a regular file of reasonable size.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    read_with_metadata(path).map(|(bytes, _)| bytes)
}

/// Reads a whole file, with its metadata when it was opened.
pub fn read_with_metadata(path: &Path) -> io::Result<(Vec<u8>, Metadata)> {
    let mut file = open(path)?;
    let meta = plain(&file)?;
    let length = meta.len();
    if length > AT_MOST {
        let complaint = format!("the file has {length} bytes; at most {AT_MOST} are allowed");
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, complaint));
    }
    // One byte more than expected: if it stays unused the end is reached without another read.
    let mut bytes = vec![0; usize::try_from(length).unwrap_or(0) + 1];
    let mut n_read = 0;
    loop {
        match file.read(&mut bytes[n_read..]) {
            Ok(0) => break,
            Ok(more) if n_read + more < bytes.len() => {
                n_read += more;
                if n_read as u64 >= length {
                    break;
                }
            }
            // The file has grown in the meantime.
            Ok(_) => return Ok((read_growing(path)?, meta)),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    bytes.truncate(n_read);
    Ok((bytes, meta))
}

/// Reads the last `bytes` of a file as text, from the beginning of a line. Fails for anything but a regular file.
pub fn tail(path: &Path, bytes: u64) -> io::Result<String> {
    let mut file = open(path)?;
    let length = plain(&file)?.len();
    let start = length.saturating_sub(bytes);
    file.seek(SeekFrom::Start(start))?;
    let mut read = Vec::new();
    file.take(bytes).read_to_end(&mut read)?;
    let text = String::from_utf8_lossy(&read);
    let whole_lines = if start == 0 { &*text } else { text.split_once('\n').map_or("", |(_, rest)| rest) };
    Ok(whole_lines.to_owned())
}

/// Returns the length of a file in bytes without opening it. Returns `None` for anything but a regular file.
pub fn length(path: &Path) -> Option<u64> {
    std::fs::metadata(path).ok().filter(Metadata::is_file).map(|meta| meta.len())
}

/// Opens a regular file for reading. Fails for anything else.
pub fn open_plain(path: &Path) -> io::Result<File> {
    let file = open(path)?;
    plain(&file)?;
    Ok(file)
}

/// Returns the length of a regular file in bytes. Fails for anything else.
pub(crate) fn length_of_plain(file: &File) -> io::Result<u64> {
    plain(file).map(|meta| meta.len())
}

fn plain(file: &File) -> io::Result<Metadata> {
    let meta = file.metadata()?;
    if meta.is_file() { Ok(meta) } else { Err(not_plain(meta.is_dir())) }
}

fn read_growing(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open_plain(path)?.take(AT_MOST).read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[expect(clippy::disallowed_methods, reason = "it opens for reading")]
fn open(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, libc::O_NONBLOCK | libc::O_NOCTTY);
    options.read(true).open(path)
}

fn not_plain(is_folder: bool) -> io::Error {
    if is_folder {
        return io::Error::new(io::ErrorKind::IsADirectory, "it is a folder");
    }
    io::Error::new(io::ErrorKind::InvalidInput, "it is a pipe, a socket or a device")
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::net::UnixListener;
    use std::process::Command;

    #[test]
    fn a_file_is_read_to_its_end() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("file");
        for content in [String::new(), "x".into(), "y".repeat(100_000)] {
            fs::write(&path, &content).unwrap();
            assert_eq!(read(&path).unwrap(), content.as_bytes());
        }
    }

    #[test]
    fn the_tail_begins_with_a_whole_line() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("file");
        fs::write(&path, "one\ntwo\nthree\n").unwrap();
        for (bytes, expected) in [(100, "one\ntwo\nthree\n"), (8, "three\n"), (3, "")] {
            assert_eq!(tail(&path, bytes).unwrap(), expected);
        }
        assert_eq!(length(&path), Some(14));
        assert_eq!(length(dir.path()), None);
    }

    #[test]
    fn what_is_no_file_is_refused_at_once() {
        let dir = tempfile::tempdir().unwrap();
        let (pipe, socket) = (dir.path().join("pipe"), dir.path().join("socket"));
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let _listener = UnixListener::bind(&socket).unwrap();
        for path in [&pipe, &socket, dir.path(), Path::new("/dev/zero"), Path::new("/dev/tty")] {
            assert!(read(path).is_err(), "{}", path.display());
        }
        assert_eq!(read(&pipe).unwrap_err().kind(), io::ErrorKind::InvalidInput);
    }

    #[test]
    fn a_file_without_end_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("large");
        File::create(&path).unwrap().set_len(AT_MOST + 1).unwrap();
        assert_eq!(read(&path).unwrap_err().kind(), io::ErrorKind::FileTooLarge);
    }
}
