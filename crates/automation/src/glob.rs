//! The globs that select an automation's files.

use std::fmt;

use config_file::{GlobFault, glob_faults};

/// The globs that select an automation's files: those after a `!` exclude files. The last glob that matches a
/// file decides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FilePatterns(Vec<String>);

impl FilePatterns {
    /// Makes patterns of at least one glob.
    pub fn new(globs: Vec<String>) -> Self {
        Self(globs)
    }

    /// Returns the globs, in the order of the file.
    pub fn globs(&self) -> &[String] {
        &self.0
    }

    /// Returns whether a file is selected. `path` is relative to the workspace, with `/`.
    pub fn select(&self, path: &str) -> bool {
        // A list that starts with an exclusion selects everything else.
        let mut is_selected = self.0.first().is_some_and(|it| it.starts_with('!'));
        for glob in &self.0 {
            match glob.strip_prefix('!') {
                Some(excluded) if is_match(excluded, path) => is_selected = false,
                None if is_match(glob, path) => is_selected = true,
                _ => {}
            }
        }
        is_selected
    }
}

impl From<&str> for FilePatterns {
    fn from(glob: &str) -> Self {
        Self(vec![glob.to_owned()])
    }
}

impl fmt::Display for FilePatterns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join(" "))
    }
}

/// Returns the fault for which a pattern is refused when its file is loaded.
pub(crate) fn fault(pattern: &str) -> Option<GlobFault> {
    use GlobFault::{Absolute, Empty, Malformed, ParentFolder};
    glob_faults(pattern.strip_prefix('!').unwrap_or(pattern))
        .find(|it| matches!(it, Empty | Absolute | ParentFolder | Malformed(_)))
}

/// Returns whether a glob matches a file. `path` is relative to the workspace, with `/`.
///
/// A glob without `/` matches file names in every folder: `*.ts` matches all TypeScript files.
pub(crate) fn is_match(pattern: &str, path: &str) -> bool {
    let pattern = pattern.strip_prefix("./").unwrap_or(pattern);
    if pattern.contains('/') {
        fast_glob::glob_match(pattern, path)
    } else {
        fast_glob::glob_match(pattern, path.rsplit('/').next().unwrap_or(path))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_as_one_would_think() {
        for (pattern, path, matches) in [
            ("src/**", "src/a.rs", true),
            ("src/**/*.rs", "src/deep/er/a.rs", true),
            ("src/**/*.rs", "src/a.rs", true),
            ("src/*.rs", "src/deep/a.rs", false),
            ("*.ts", "deep/a.ts", true),
            ("*.ts", "deep/a.tsx", false),
            ("./src/*.rs", "src/a.rs", true),
            ("**/*.{ts,tsx}", "a/b.tsx", true),
            ("**", "a/b", true),
            ("src/**", "Src/a.rs", false),
            ("**/.env*", "a/.env.local", true),
        ] {
            assert_eq!(is_match(pattern, path), matches, "{pattern} {path}");
        }
    }

    #[test]
    fn the_last_matching_pattern_decides() {
        let select = |globs: &[&str], path: &str| {
            FilePatterns::new(globs.iter().map(|it| (*it).to_owned()).collect()).select(path)
        };
        for (globs, path, is_selected) in [
            (&["src/**", "!src/made/**"][..], "src/a.rs", true),
            (&["src/**", "!src/made/**"], "src/made/a.rs", false),
            (&["src/**", "!src/made/**", "src/made/keep.rs"], "src/made/keep.rs", true),
            (&["*.ts", "*.tsx"], "deep/a.tsx", true),
            (&["!*.md"], "src/a.rs", true),
            (&["!*.md"], "docs/a.md", false),
        ] {
            assert_eq!(select(globs, path), is_selected, "{globs:?} {path}");
        }
    }

    #[test]
    fn what_is_no_pattern_is_refused() {
        for (pattern, expected) in [
            ("", "is empty"),
            ("/etc/*", "is absolute"),
            ("src/../../x", "contains `..`"),
            ("a[b", "is not a glob"),
            ("a{b,c", "is not a glob"),
        ] {
            let fault = fault(pattern).map(|it| it.to_string()).unwrap_or_default();
            assert!(fault.starts_with(expected), "{pattern}: {fault}");
        }
        for good in ["**/*.{ts,tsx}", "a[{]b", "a\\{b", "x..y", "./src/", "a}"] {
            assert_eq!(fault(good), None, "{good}");
        }
    }
}
