//! Which files an automation is about.

/// Why a text is no pattern for files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BadGlob {
    /// There is nothing in it.
    #[error("is empty")]
    Empty,
    /// It leads out of the workspace.
    #[error("leads out of the workspace")]
    Outside,
    /// A bracket or brace is not closed.
    #[error("has a `{0}` that is not closed")]
    Unclosed(char),
}

/// Checks a pattern when its file is loaded.
pub(crate) fn check(pattern: &str) -> Result<(), BadGlob> {
    if pattern.is_empty() {
        return Err(BadGlob::Empty);
    }
    if pattern.starts_with('/') || pattern.split('/').any(|part| part == "..") {
        return Err(BadGlob::Outside);
    }
    let (mut braces, mut in_class, mut escaped) = (0_usize, false, false);
    for character in pattern.chars() {
        match character {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            ']' => in_class = false,
            _ if in_class => {}
            '[' => in_class = true,
            '{' => braces += 1,
            '}' => braces = braces.saturating_sub(1),
            _ => {}
        }
    }
    match (in_class, braces) {
        (true, _) => Err(BadGlob::Unclosed('[')),
        (_, 0) => Ok(()),
        _ => Err(BadGlob::Unclosed('{')),
    }
}

/// Returns whether a file is meant. `path` is relative to the workspace, with `/`.
///
/// A pattern without `/` is about names of files, wherever they are: `*.ts` is every one.
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
        for (pattern, error) in [
            ("", BadGlob::Empty),
            ("/etc/*", BadGlob::Outside),
            ("src/../../x", BadGlob::Outside),
            ("a[b", BadGlob::Unclosed('[')),
            ("a{b,c", BadGlob::Unclosed('{')),
        ] {
            assert_eq!(check(pattern), Err(error), "{pattern}");
        }
        for good in ["**/*.{ts,tsx}", "a[{]b", "a\\{b", "x..y"] {
            assert_eq!(check(good), Ok(()), "{good}");
        }
    }
}
