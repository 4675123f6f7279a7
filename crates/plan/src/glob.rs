//! Checks the globs of a scope.

use config_file::{GlobFault, glob_faults};

/// Paths in a repository are shorter.
const LONGEST: usize = 512;

/// Each pair of braces multiplies the alternatives, and each `**` is tried at every folder. Every call matches the
/// globs, so both are limited.
const MOST_BRACES: usize = 4;
const MOST_STARS: usize = 4;

/// Returns why a scope is refused, with a hint. Returns `None` for a glob below the workspace.
pub(crate) fn bad_glob(text: &str) -> Option<String> {
    if text.len() > LONGEST {
        return Some("is longer than 512 bytes".to_owned());
    }
    if text.matches('{').count() > MOST_BRACES || text.matches("**").count() > MOST_STARS {
        return Some("has too many alternatives or `**`; write several globs".to_owned());
    }
    let is_refused = |fault: &GlobFault| match fault {
        GlobFault::EmptySegment => false,
        GlobFault::EscapedLetter => text.starts_with('\\'),
        _ => true,
    };
    if let Some(fault) = glob_faults(text).find(is_refused) {
        return Some(format!("{fault}; {}", fault.hint()));
    }
    let is_sentence = text.contains(' ') && !text.contains(['*', '/', '.']);
    is_sentence.then(|| "is a sentence, not a glob such as `src/**`".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn globs_below_the_workspace_are_told_from_everything_else() {
        for glob in
            ["src/**", "**", "a.rs", "src/{a,b}/*.rs", "src/[ab].rs", "docs/my notes/*.md", "Makefile"]
        {
            assert_eq!(bad_glob(glob), None, "{glob}");
        }
        let piled = "**/a/".repeat(6) + "*";
        let long = "a".repeat(600);
        for text in [
            piled.as_str(),
            &long,
            "{a,b}{a,b}{a,b}{a,b}{a,b}",
            "a\u{7}",
            "",
            " ",
            "/etc/**",
            "~/x",
            "../x",
            "a/../../b",
            "!src/**",
            "src/",
            "src/{a",
            "src/[a",
            "a}",
            "C:\\x",
            "the whole frontend",
        ] {
            assert!(bad_glob(text).is_some(), "{text}");
        }
    }
}
