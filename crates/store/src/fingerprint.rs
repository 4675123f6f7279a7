//! Short hashes that identify sessions, prompts, tool calls and trusted files.

use std::fmt::{self, Write};

use encoding::hex;

/// A SHA-256 of some bytes; prints as 64 hex digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Fingerprint([u8; 32]);

/// Hashes the parts, each followed by a NUL so that no two sequences of parts are equal.
pub fn fingerprint<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> Fingerprint {
    let mut hash = hmac_sha256::Hash::new();
    for (index, part) in parts.into_iter().enumerate() {
        if index > 0 {
            hash.update([0]);
        }
        hash.update(part);
    }
    Fingerprint(hash.finalize())
}

impl Fingerprint {
    /// Returns the group of four bytes after `skip` others; there are eight groups.
    pub fn word(&self, skip: usize) -> [u8; 4] {
        let at = (skip % 8) * 4;
        [self.0[at], self.0[at + 1], self.0[at + 2], self.0[at + 3]]
    }

    /// Returns the first sixteen hex digits.
    pub fn short(&self) -> String {
        hex::encode(&self.0[..8])
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        hex::digits(&self.0).try_for_each(|digit| f.write_char(digit))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_sha_256() {
        let text = fingerprint([b"abc".as_slice()]).to_string();
        assert_eq!(text, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }

    #[test]
    fn parts_do_not_run_into_each_other() {
        let one = fingerprint([b"ab".as_slice(), b"c"]);
        let other = fingerprint([b"a".as_slice(), b"bc"]);
        assert_ne!(one, other);
        assert_eq!(one, fingerprint([b"ab\0c".as_slice()]));
    }
}
