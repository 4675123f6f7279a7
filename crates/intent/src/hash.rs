//! The SHA-256 of a file's content.

use std::fmt;
use std::fs::File;
use std::io::{self, Read};

use encoding::hex;
use event::AbsPath;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use store::plain_file;

/// A SHA-256 as 64 lower-case hex digits.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(!try_from, !into))]
pub struct ContentHash(#[cfg_attr(feature = "schema", schemars(regex(pattern = "^[0-9a-f]{64}$")))] String);

/// The string is not a SHA-256 in hex digits.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a SHA-256 of 64 hex digits")]
pub struct InvalidHash(pub String);

/// Below this size the portable code finishes before the other has queried the CPU's features. Both
/// compute SHA-256.
const SMALL: usize = 8 * 1024;

/// The largest file that an event hashes: hashing takes about a millisecond per MiB.
pub const MAX_HASHED: u64 = 64 * 1024 * 1024;

impl ContentHash {
    /// Hashes bytes.
    pub fn of(bytes: &[u8]) -> Self {
        if bytes.len() <= SMALL {
            return Self(store::fingerprint([bytes]).to_string());
        }
        Self(hex::encode(&Sha256::digest(bytes)))
    }

    /// Hashes a file without loading it into memory, if it has at most [`MAX_HASHED`] bytes. Fails for a larger one,
    /// and for anything but a regular file.
    pub fn of_small_file(path: &AbsPath) -> io::Result<Self> {
        match plain_file::length(path.as_path()) {
            Some(length) if length > MAX_HASHED => Err(io::ErrorKind::FileTooLarge.into()),
            _ => Self::of_file(path),
        }
    }

    /// Hashes a file without loading it into memory, however large it is. Fails for anything but a regular file.
    pub fn of_file(path: &AbsPath) -> io::Result<Self> {
        let mut file = plain_file::open_plain(path.as_path())?;
        let mut block = vec![0; 64 * 1024];
        let n_first = fill(&mut file, &mut block)?;
        if n_first < block.len() {
            return Ok(Self::of(&block[..n_first]));
        }
        let mut hash = Sha256::new_with_prefix(&block);
        loop {
            match fill(&mut file, &mut block)? {
                0 => return Ok(Self(hex::encode(&hash.finalize()))),
                n_read => hash.update(&block[..n_read]),
            }
        }
    }

    /// Parses 64 hex digits.
    pub fn parse(text: &str) -> Result<Self, InvalidHash> {
        let plain = text.len() == 64 && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
        if plain { Ok(Self(text.to_owned())) } else { Err(InvalidHash(text.to_owned())) }
    }

    /// Returns the hash as a string.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for ContentHash {
    type Error = InvalidHash;

    fn try_from(text: String) -> Result<Self, InvalidHash> {
        Self::parse(&text)
    }
}

impl From<ContentHash> for String {
    fn from(hash: ContentHash) -> Self {
        hash.0
    }
}

impl fmt::Display for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

fn fill(file: &mut File, block: &mut [u8]) -> io::Result<usize> {
    let mut n_read = 0;
    while n_read < block.len() {
        match file.read(&mut block[n_read..]) {
            Ok(0) => break,
            Ok(more) => n_read += more,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(n_read)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_to_hash_agrees_whatever_the_size() {
        let dir = tempfile::tempdir().unwrap();
        let path = AbsPath::new(dir.path().join("f")).unwrap();
        for size in [0, 3, SMALL, SMALL + 1, 64 * 1024 - 1, 64 * 1024, 64 * 1024 + 1, 300_000] {
            let bytes: Vec<u8> = (0..size).map(|n| u8::try_from(n % 251).unwrap()).collect();
            std::fs::write(path.as_path(), &bytes).unwrap();
            assert_eq!(ContentHash::of(&bytes).as_str(), hex::encode(&Sha256::digest(&bytes)), "{size}");
            assert_eq!(ContentHash::of_file(&path).unwrap(), ContentHash::of(&bytes), "{size}");
        }
        assert!(ContentHash::of(b"abc").as_str().starts_with("ba7816bf8f01cfea"));
    }
}
