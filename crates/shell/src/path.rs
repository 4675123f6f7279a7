//! Paths as far as they can be known without looking at the disk.

use crate::reading::{Site, Span};
use crate::text::Text;

/// How much of a path is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Certainty {
    /// The path itself.
    Exact,
    /// A pattern of paths: `/w/src/*.rs`. `/**` means anything below.
    Pattern,
    /// The begin is known, up to the last `/`; the rest is decided at run time.
    Below,
    /// Nothing is known; `path` is the word as written.
    Unknown,
}

/// A path and its use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PathUse {
    /// Absolute and without `.` and `..`, unless nothing is known about it.
    pub path: String,
    /// How much of it is known.
    pub certainty: Certainty,
    /// Whether everything below it is meant.
    pub recursive: bool,
    /// Whose path it is.
    pub site: Site,
    /// Index of the command in [`crate::Reading::commands`]; behind its end for a redirection
    /// without a command.
    pub command: usize,
    /// Where in the line.
    pub span: Span,
}

/// Resolves a word against a folder.
pub(crate) fn resolve(text: &Text, cwd: Option<&str>, home: &str) -> (String, Certainty) {
    let value = text.text.as_str();
    if let Some(&(start, end)) = text.holes.first() {
        let known = value.get(..start).unwrap_or("");
        // `..` behind an unknown part could lead anywhere.
        if value.get(end..).unwrap_or("").split('/').any(|segment| segment == "..") || known.is_empty() {
            return (value.to_owned(), Certainty::Unknown);
        }
        return match known.rfind('/') {
            Some(slash) => match join(&known[..=slash], cwd, home) {
                Some(base) => (with_rest(&base, &value[slash + 1..]), Certainty::Below),
                None => (value.to_owned(), Certainty::Unknown),
            },
            None => match cwd {
                Some(cwd) => (with_rest(cwd, value), Certainty::Below),
                None => (value.to_owned(), Certainty::Unknown),
            },
        };
    }
    match join(value, cwd, home) {
        Some(path) => {
            let certainty = if text.glob { Certainty::Pattern } else { Certainty::Exact };
            (path, certainty)
        }
        None => (value.to_owned(), Certainty::Unknown),
    }
}

fn with_rest(base: &str, rest: &str) -> String {
    if base == "/" { format!("/{rest}") } else { format!("{base}/{rest}") }
}

/// Joins and normalises lexically; `None` for a relative path in an unknown folder.
pub(crate) fn join(path: &str, cwd: Option<&str>, home: &str) -> Option<String> {
    let path = path.strip_prefix("file://").unwrap_or(path);
    if path == "~" || path.starts_with("~/") {
        return Some(normalise(&format!("{home}/{}", &path[1..])));
    }
    if path.starts_with('/') {
        return Some(normalise(path));
    }
    // `C:/` and `'C:\Users'` as the bash of Git for Windows has them: a drive, not one of our files.
    if let [drive, b':', b'/' | b'\\', ..] = path.as_bytes()
        && drive.is_ascii_alphabetic()
        && cwd.is_none_or(|cwd| cwd.starts_with('/'))
    {
        return Some(normalise(&crate::windows::to_posix(path)));
    }
    cwd.map(|cwd| normalise(&format!("{cwd}/{path}")))
}

/// Removes `.`, `..` and doubled slashes from an absolute path.
pub(crate) fn normalise(path: &str) -> String {
    let mut out = String::with_capacity(path.len() + 1);
    for segment in path.as_bytes().split(|byte| *byte == b'/') {
        match segment {
            b"" | b"." => {}
            b".." => out.truncate(out.rfind('/').unwrap_or(0)),
            _ => {
                out.push('/');
                // A part between two slashes is whole characters.
                out.push_str(str::from_utf8(segment).unwrap_or_default());
            }
        }
    }
    if out.is_empty() {
        out.push('/');
    }
    out
}

/// Returns whether `path` is `base` or lies below it.
pub(crate) fn is_within(path: &str, base: &str) -> bool {
    base == "/" || path == base || path.strip_prefix(base).is_some_and(|rest| rest.starts_with('/'))
}
