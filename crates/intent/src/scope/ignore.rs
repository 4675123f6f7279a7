//! `.intentignore`: the paths that no intent may write, in the syntax of `.gitignore`.

use known_files::GitIgnore;

use crate::unicode::composed;

/// The rules of an `.intentignore`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct IgnoreFile(GitIgnore);

impl IgnoreFile {
    /// The path of the file in a workspace.
    pub const PATH: &'static str = ".intentignore";

    /// Parses the rules; every text is valid.
    pub fn parse(text: &str) -> Self {
        Self(GitIgnore::parse(&composed(text)))
    }

    /// Returns the rule that ignores a path. As in git, a file in an ignored folder cannot be included again.
    pub(crate) fn rule_for(&self, path: &str, is_folder: bool) -> Option<&str> {
        self.0.rule_for(path, is_folder)
    }

    /// Returns whether the rules ignore or include a path itself, regardless of its ancestors.
    pub(crate) fn says(&self, path: &str, is_folder: bool) -> Option<bool> {
        self.0.says(path, is_folder)
    }

    /// Returns whether there are no rules.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn composed_and_decomposed_letters_are_equal() {
        let file = IgnoreFile::parse("caf\u{65}\u{301}");
        assert!(file.rule_for("caf\u{e9}", false).is_some());
        assert!(file.rule_for("cafe", false).is_none());
    }
}
