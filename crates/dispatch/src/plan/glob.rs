//! What is wrong with a glob of a scope.

/// A path of a repository is shorter.
const LONGEST: usize = 512;

/// Each pair of braces multiplies, and each `**` is tried at every folder: a glob is matched on every
/// call, so neither may be piled up.
const MOST_BRACES: usize = 4;
const MOST_STARS: usize = 4;

/// Returns why a text is no glob below the workspace; most are.
pub(super) fn bad_glob(text: &str) -> Option<&'static str> {
    let drive = matches!(text.as_bytes(), [letter, b':', ..] if letter.is_ascii_alphabetic());
    if text.len() > LONGEST {
        return Some("is longer than 512 bytes");
    }
    if text.matches('{').count() > MOST_BRACES || text.matches("**").count() > MOST_STARS {
        return Some("has too many alternatives or `**` in it; write several globs");
    }
    if text.contains(char::is_control) {
        return Some("has a control character in it");
    }
    if text.trim().is_empty() {
        return Some("is empty; `**` means every file");
    }
    if text.starts_with(['/', '~', '\\']) || drive {
        return Some("is absolute; write it relative to the workspace, such as `src/**`");
    }
    if text.starts_with('!') {
        return Some("begins with `!`; a scope says what belongs to it");
    }
    if text.split('/').any(|part| part == "..") {
        return Some("has `..` in it and could lead out of the workspace");
    }
    if text.ends_with('/') {
        return Some("ends with `/` and would fit nothing; add `**`");
    }
    if text.contains(' ') && !text.contains(['*', '/', '.']) {
        return Some("is a sentence, not a glob such as `src/**`");
    }
    (!is_balanced(text)).then_some("has a bracket or brace that is not closed")
}

fn is_balanced(text: &str) -> bool {
    let mut open = Vec::new();
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match (character, open.last()) {
            ('\\', _) => drop(characters.next()),
            (']', Some('[')) | ('}', Some('{')) => drop(open.pop()),
            // Within a class everything else is itself.
            (_, Some('[')) => {}
            ('[' | '{', _) => open.push(character),
            ('}', _) => return false,
            _ => {}
        }
    }
    open.is_empty()
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
