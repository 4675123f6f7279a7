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

/// Resolves a word against a folder; `clean` removes the dots of an absolute path and returns `None` if the folder above
/// one is unknown.
pub(crate) fn resolve(text: &Text, cwd: Option<&str>, home: &str, clean: Clean<'_>) -> (String, Certainty) {
    let value = text.text.as_str();
    let join = |path: &str| join_with(path, cwd, home, clean);
    if let Some(&(start, end)) = text.holes.first() {
        let known = value.get(..start).unwrap_or("");
        // `..` behind an unknown part could lead anywhere.
        if value.get(end..).unwrap_or("").split('/').any(|segment| segment == "..") || known.is_empty() {
            return (value.to_owned(), Certainty::Unknown);
        }
        return match known.rfind('/') {
            Some(slash) => match join(&known[..=slash]) {
                Some(base) => (with_rest(&base, &value[slash + 1..]), Certainty::Below),
                None => (value.to_owned(), Certainty::Unknown),
            },
            None => match cwd {
                Some(cwd) => (with_rest(cwd, value), Certainty::Below),
                None => (value.to_owned(), Certainty::Unknown),
            },
        };
    }
    // A shell expands the pattern first, and a link among the matches has another folder above it.
    if text.glob && steps_up_from_pattern(value) {
        return (value.to_owned(), Certainty::Unknown);
    }
    match join(value) {
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

/// Removes `.`, `..` and doubled slashes from an absolute path. Returns `None` if the result is unknown.
pub(crate) type Clean<'a> = &'a dyn Fn(&str) -> Option<String>;

/// Returns whether `..` follows a part with a wildcard.
fn steps_up_from_pattern(path: &str) -> bool {
    let mut parts = path.split('/').skip_while(|part| !part.contains(['*', '?', '[']));
    parts.any(|part| part == "..")
}

/// Joins and normalises lexically; `None` for a relative path in an unknown folder.
pub(crate) fn join(path: &str, cwd: Option<&str>, home: &str) -> Option<String> {
    join_with(path, cwd, home, &|path| Some(normalise(path)))
}

fn join_with(path: &str, cwd: Option<&str>, home: &str, clean: Clean<'_>) -> Option<String> {
    let path = path.strip_prefix("file://").unwrap_or(path);
    if path == "~" || path.starts_with("~/") {
        return clean(&format!("{home}/{}", &path[1..]));
    }
    if path.starts_with('/') {
        return clean(path);
    }
    // `C:/` and `'C:\Users'` as the bash of Git for Windows has them: a drive, not one of our files.
    if let [drive, b':', b'/' | b'\\', ..] = path.as_bytes()
        && drive.is_ascii_alphabetic()
        && cwd.is_none_or(|cwd| cwd.starts_with('/'))
    {
        return clean(&crate::windows::to_posix(path));
    }
    cwd.and_then(|cwd| clean(&format!("{cwd}/{path}")))
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
