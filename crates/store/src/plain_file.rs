//! Reading a file of ours so that whatever stands in its place cannot hold us up.
//!
//! WHY not `fs::read`: a pipe in the place of a settings file is opened only when somebody
//! writes to it, which may be never, and a device may have no end.

use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, Read};
use std::path::Path;

/// More than any file of ours that a person or a run writes whole.
const AT_MOST: u64 = 32 * 1024 * 1024;

/// Reads a whole file; anything but a file of reasonable size is an error.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    read_with_metadata(path).map(|(bytes, _)| bytes)
}

/// Reads a whole file, and what the system knew of it when it was opened.
pub fn read_with_metadata(path: &Path) -> io::Result<(Vec<u8>, Metadata)> {
    let mut file = open(path)?;
    let meta = plain(&file)?;
    let length = meta.len();
    if length > AT_MOST {
        let complaint = format!("has {length} bytes; more than {AT_MOST} are not read");
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, complaint));
    }
    // One byte of room more than there should be: if it stays empty the end is reached, and
    // nobody has to ask again.
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
            // It has grown in the meantime.
            Ok(_) => return Ok((read_growing(path)?, meta)),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    bytes.truncate(n_read);
    Ok((bytes, meta))
}

/// Opens a file for reading; what stands in its place and is no file is an error.
pub fn open_plain(path: &Path) -> io::Result<File> {
    let file = open(path)?;
    plain(&file)?;
    Ok(file)
}

/// Returns how many bytes a file has; anything but a file is an error.
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

fn open(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, libc::O_NONBLOCK | libc::O_NOCTTY);
    options.read(true).open(path)
}

fn not_plain(is_folder: bool) -> io::Error {
    if is_folder {
        return io::Error::new(io::ErrorKind::IsADirectory, "is a folder");
    }
    io::Error::new(io::ErrorKind::InvalidInput, "is not a file but a pipe, a socket or a device")
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
