//! Which folders are too wide to be searched as a whole.

use crate::path;
use crate::reading::{Arg, Reading};

/// A folder that holds more than one piece of work; the widest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Zone {
    /// `/`, `~`, or a folder around the workspace.
    Everywhere,
    /// The workspace itself.
    Workspace,
}

/// Returns the zone of a folder. Returns `None` for most folders.
pub(super) fn of(path: &str, reading: &Reading) -> Option<Zone> {
    let is_around = |inner: &str| path::is_within(inner, path);
    if path == "/" {
        Some(Zone::Everywhere)
    } else if path == reading.workspace {
        Some(Zone::Workspace)
    } else {
        (is_around(&reading.workspace) || is_around(&reading.home)).then_some(Zone::Everywhere)
    }
}

/// Returns the folder a word names; `x/*` is nearly all of `x`.
pub(super) fn resolve(word: &Arg, cwd: Option<&str>, home: &str) -> Option<String> {
    let mut text = word.text.as_str();
    while let Some(rest) = text.strip_suffix("/**").or_else(|| text.strip_suffix("/*")) {
        text = if rest.is_empty() { "/" } else { rest };
    }
    let text = if matches!(text, "*" | "**") { "." } else { text };
    word.known.then(|| path::join(text, cwd, home)).flatten()
}
