//! What a file held before a call, kept until the call ends.

use std::fs;
use std::io;

use event::AbsPath;

/// What a file held before a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Before {
    /// There was no file.
    Absent,
    /// This.
    Content(Vec<u8>),
    /// Too much to keep, or it could not be read.
    Unknown,
}

/// The before-images of a session, in a folder of its own.
#[derive(Debug, Clone)]
pub struct BeforeImages {
    folder: AbsPath,
}

/// The largest file whose content is kept.
pub const MAX_BEFORE: u64 = 1024 * 1024;

/// The first byte of a kept image.
const ABSENT: u8 = b'-';
const CONTENT: u8 = b'+';
const UNKNOWN: u8 = b'?';

impl Before {
    /// Looks at a file as it is now.
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

impl BeforeImages {
    /// Keeps images in this folder, which is made when the first is kept.
    pub fn in_folder(folder: AbsPath) -> Self {
        Self { folder }
    }

    /// Keeps what a file holds now, for the call of this id.
    pub fn keep(&self, call: &str, file: &AbsPath) -> io::Result<Before> {
        let before = Before::of(file);
        let bytes = match &before {
            Before::Absent => vec![ABSENT],
            Before::Unknown => vec![UNKNOWN],
            Before::Content(content) => [&[CONTENT], content.as_slice()].concat(),
        };
        let path = self.path_of(call, file);
        match fs::write(path.as_path(), &bytes) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                fs::create_dir_all(self.folder.as_path())?;
                fs::write(path.as_path(), &bytes)?;
            }
            other => other?,
        }
        Ok(before)
    }

    /// Hands out what was kept and lets go of it; unknown if nothing was.
    pub fn take(&self, call: &str, file: &AbsPath) -> Before {
        let path = self.path_of(call, file);
        let Ok(mut bytes) = fs::read(path.as_path()) else { return Before::Unknown };
        let _ = fs::remove_file(path.as_path());
        match bytes.first() {
            Some(&ABSENT) => Before::Absent,
            Some(&CONTENT) => {
                bytes.remove(0);
                Before::Content(bytes)
            }
            _ => Before::Unknown,
        }
    }

    /// Lets go of every image; for the end of a session.
    pub fn clear(&self) {
        let _ = fs::remove_dir_all(self.folder.as_path());
    }

    /// WHY a hash: neither the host's id nor the path may become part of a path of ours.
    fn path_of(&self, call: &str, file: &AbsPath) -> AbsPath {
        let file = file.to_string();
        self.folder.child(&store::fingerprint([call.as_bytes(), file.as_bytes()]).short())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_image_is_kept_until_it_is_taken() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| AbsPath::new(dir.path().join(name)).unwrap();
        let images = BeforeImages::in_folder(at("before"));
        let file = at("a");
        assert_eq!(images.keep("1", &file).unwrap(), Before::Absent);
        fs::write(file.as_path(), "one").unwrap();
        images.keep("2", &file).unwrap();
        fs::write(file.as_path(), vec![b'x'; 1024 * 1024 + 1]).unwrap();
        images.keep("../3", &file).unwrap();
        assert_eq!(images.take("1", &file), Before::Absent);
        assert_eq!(images.take("2", &file), Before::Content(b"one".to_vec()));
        assert_eq!(images.take("2", &file), Before::Unknown);
        assert_eq!(images.take("../3", &file), Before::Unknown);
        assert_eq!(fs::read_dir(at("before").as_path()).unwrap().count(), 0);
    }
}
