//! The subject of a tool call: two calls with the same subject count as the same.

use std::fmt;

use event::{AbsPath, Access, one_line};

use crate::recorded_input::short;

/// A tool and the command or file that it was used on.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Subject {
    /// The tool, in the host's spelling.
    pub tool: String,
    /// The command line, else the file, else empty.
    pub text: String,
}

impl Subject {
    /// Returns the subject of a call with this command or these paths.
    pub fn new<'a>(
        root: &AbsPath,
        tool: &str,
        command: Option<&str>,
        touches: impl Iterator<Item = (&'a str, &'a str)>,
    ) -> Self {
        let text = command.map_or_else(|| path(root, touches), |command| one_line(&short(command)));
        Self { tool: short(tool).into_owned(), text }
    }
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.text.is_empty() { f.write_str(&self.tool) } else { write!(f, "{}: {}", self.tool, self.text) }
    }
}

/// Returns a path for people: relative to the workspace if it is below it.
pub fn shown_path(root: &AbsPath, path: &str) -> String {
    let absolute = root.join(path);
    absolute.below(root).map_or_else(|_| absolute.to_string(), |path| path.to_string())
}

/// Prefers a written path, which distinguishes calls better than a read one.
fn path<'a>(root: &AbsPath, touches: impl Iterator<Item = (&'a str, &'a str)>) -> String {
    let touches: Vec<_> = touches.collect();
    let written = touches.iter().find(|(_, access)| *access != Access::Read.as_str());
    written.or_else(|| touches.first()).map(|(path, _)| shown_path(root, path)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_is_known_by_its_command_or_by_what_it_writes() {
        let root = AbsPath::root().child("w");
        let subject = |command, touches: &[(&'static str, &'static str)]| {
            Subject::new(&root, "T", command, touches.iter().copied()).text
        };
        assert_eq!(subject(Some("cargo  test\n -q"), &[]), "cargo test -q");
        assert_eq!(subject(None, &[("/w/a.rs", "read"), ("b.rs", "write")]), "b.rs");
        assert_eq!(subject(None, &[("/w/src/../a.rs", "read")]), "a.rs");
        assert_eq!(subject(None, &[("/etc/hosts", "read")]), "/etc/hosts");
        assert_eq!(subject(None, &[]), "");
    }
}
