//! The globs that select an automation's files.

use config_file::{GlobFault, glob_faults};

/// Returns the fault for which a pattern is refused when its file is loaded.
pub(crate) fn fault(pattern: &str) -> Option<GlobFault> {
    use GlobFault::{Absolute, Empty, Malformed, ParentFolder};
    glob_faults(pattern).find(|it| matches!(it, Empty | Absolute | ParentFolder | Malformed(_)))
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
