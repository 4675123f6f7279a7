//! A path of a tool call, and how much of what lies there the call reaches.

use std::path::PathBuf;

use event::{AbsPath, Access};

/// A path as a payload gave it. Text to judge, never to write to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// As it was given, for messages.
    pub shown: String,
    /// Absolute, with its dots and links as they were given.
    pub(crate) raw: PathBuf,
    /// What is done there.
    pub access: Access,
    /// How much is reached.
    pub reach: Reach,
}

/// How much of what lies at a path a call reaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Reach {
    /// The path itself.
    Itself,
    /// Whatever lies below, existing or not.
    Below,
}

impl Target {
    /// Takes a path as a host sent it; relative ones are meant from `cwd`.
    pub fn new(path: &str, cwd: &AbsPath, access: Access, reach: Reach) -> Self {
        let raw = match path.strip_prefix("file://") {
            Some(rest) => PathBuf::from(decoded(rest)),
            None => cwd.as_path().join(path),
        };
        Self { shown: path.to_owned(), raw, access, reach }
    }

    /// Returns whether the path can be meant in more than one way, or in none.
    pub(crate) fn oddity(&self) -> Option<&'static str> {
        let given = self.shown.as_str();
        let scheme = given.split_once("://").is_some_and(|(scheme, _)| scheme != "file" && is_scheme(scheme));
        match given {
            _ if given.trim().is_empty() => Some("the path is empty"),
            _ if given.contains('\0') => Some("the path has a NUL in it"),
            _ if given.len() > 4096 => Some("the path is longer than 4096 bytes"),
            _ if given == "~" || given.starts_with("~/") => Some("the path begins in a home folder"),
            _ if scheme => Some("the path is an address of something else than a file"),
            _ => None,
        }
    }
}

fn is_scheme(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.'))
}

/// Reads the `%20` of an address.
fn decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let code = (bytes[at] == b'%').then(|| text.get(at + 1..at + 3)).flatten();
        if let Some(byte) = code.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            out.push(byte);
            at += 3;
        } else {
            out.push(bytes[at]);
            at += 1;
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}
