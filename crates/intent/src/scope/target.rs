//! A path of a tool call, and the extent of the access.

use std::path::PathBuf;

use event::{AbsPath, Access};

/// A path from a payload: untrusted text to check, never to open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// The path as given, for messages.
    pub shown: String,
    /// The absolute path, with dots and links as given.
    pub(crate) raw: PathBuf,
    /// The kind of access.
    pub access: Access,
    /// The extent of the access.
    pub reach: Reach,
}

/// The extent of an access.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Reach {
    /// The path itself.
    Itself,
    /// Everything below, existing or not.
    Below,
}

impl Target {
    /// Creates a target from a host's path; relative paths refer to `cwd`.
    pub fn new(path: &str, cwd: &AbsPath, access: Access, reach: Reach) -> Self {
        let raw = match path.strip_prefix("file://") {
            Some(rest) => PathBuf::from(decoded(rest)),
            None => cwd.as_path().join(path),
        };
        Self { shown: path.to_owned(), raw, access, reach }
    }

    /// Returns why the path is ambiguous or meaningless. Returns `None` for an ordinary path.
    pub(crate) fn oddity(&self) -> Option<&'static str> {
        let given = self.shown.as_str();
        let scheme = given.split_once("://").is_some_and(|(scheme, _)| scheme != "file" && is_scheme(scheme));
        match given {
            _ if given.trim().is_empty() => Some("the path is empty"),
            _ if given.contains('\0') => Some("the path contains a NUL"),
            _ if given.len() > 4096 => Some("the path is longer than 4096 bytes"),
            _ if given == "~" || given.starts_with("~/") => Some("the path begins in a home folder"),
            _ if scheme => Some("the path is a URL that is not a file"),
            _ => None,
        }
    }
}

fn is_scheme(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.'))
}

/// Decodes the `%20` of a URL.
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
