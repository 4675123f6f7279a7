//! Checks globs over workspace-relative paths, for every file that contains them.
//!
//! Each file decides which faults it refuses: a scope must be exact, the pattern of an automation need not be.

use std::fmt;

/// A fault of a glob over workspace-relative paths.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GlobFault {
    /// It has no characters but white space.
    Empty,
    /// It begins at the root, in a home folder, on a drive or on a share.
    Absolute,
    /// It begins with `!`.
    Negated,
    /// It contains `..`, also within braces.
    ParentFolder,
    /// It ends with `/`.
    TrailingSlash,
    /// It contains `//` or `/./`.
    EmptySegment,
    /// A backslash precedes a letter or digit, as between the folders of a Windows path.
    EscapedLetter,
    /// It contains a control character.
    ControlCharacter,
    /// A `}` has no `{`.
    UnopenedBrace,
    /// The matcher rejects it, for example for an unclosed bracket.
    Malformed(fast_glob::Error),
}

/// Returns the faults of a glob, the most telling first. Lazy: a caller that needs one fault computes no more.
pub fn glob_faults(text: &str) -> impl Iterator<Item = GlobFault> {
    CHECKS.iter().filter_map(move |(fault, has)| has(text).then_some(*fault)).chain(
        std::iter::once_with(move || fast_glob::validate(text).err()).flatten().map(GlobFault::Malformed),
    )
}

/// A fault, and how to detect it.
type Check = (GlobFault, fn(&str) -> bool);

const CHECKS: [Check; 9] = [
    (GlobFault::Empty, |text| text.trim().is_empty() || text == "."),
    (GlobFault::Absolute, is_absolute),
    (GlobFault::Negated, |text| text.starts_with('!')),
    (GlobFault::ParentFolder, |text| text.split(['/', '{', '}', ',', '\\']).any(|part| part == "..")),
    (GlobFault::TrailingSlash, |text| text.ends_with('/')),
    (GlobFault::EmptySegment, |text| text.split('/').any(|part| part == "." || part.is_empty())),
    (GlobFault::EscapedLetter, escapes_a_letter),
    (GlobFault::ControlCharacter, |text| text.contains(char::is_control)),
    (GlobFault::UnopenedBrace, has_unopened_brace),
];

impl GlobFault {
    /// Returns the remedy, as an imperative.
    pub const fn hint(self) -> &'static str {
        match self {
            Self::Empty | Self::ControlCharacter => "use a path in the workspace, such as `src/**`",
            Self::Absolute => "write it relative to the workspace, such as `src/**`",
            Self::Negated => "list only the files that belong to it",
            Self::ParentFolder => "write it relative to the workspace, without `..`",
            Self::TrailingSlash => "add `**` to match everything below",
            Self::EmptySegment => "write single slashes and no `.` segments",
            Self::EscapedLetter => "separate folders with `/`",
            Self::UnopenedBrace | Self::Malformed(_) => "use `*`, `**`, `?`, `[…]` and `{a,b}`",
        }
    }
}

/// Prints the fault as the predicate of a sentence about the glob.
impl fmt::Display for GlobFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Empty => "is empty",
            Self::Absolute => "is absolute",
            Self::Negated => "begins with `!`",
            Self::ParentFolder => "contains `..`",
            Self::TrailingSlash => "ends with `/` and would match nothing",
            Self::EmptySegment => "has an empty segment and would match nothing",
            Self::EscapedLetter => "has a backslash before a letter",
            Self::ControlCharacter => "contains a control character",
            Self::UnopenedBrace => "has a `}` without a `{`",
            Self::Malformed(error) => return write!(f, "is not a glob: {error}"),
        })
    }
}

fn is_absolute(text: &str) -> bool {
    let has_drive = matches!(text.as_bytes(), [letter, b':', ..] if letter.is_ascii_alphabetic());
    has_drive || text.starts_with(['/', '~']) || text.starts_with("\\\\")
}

fn escapes_a_letter(text: &str) -> bool {
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        if character == '\\' && characters.next().is_some_and(char::is_alphanumeric) {
            return true;
        }
    }
    false
}

fn has_unopened_brace(text: &str) -> bool {
    let (mut n_open, mut in_class) = (0_usize, false);
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => drop(characters.next()),
            ']' => in_class = false,
            _ if in_class => {}
            '[' => in_class = true,
            '{' => n_open += 1,
            '}' if n_open == 0 => return true,
            '}' => n_open -= 1,
            _ => {}
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fault_is_found_and_a_good_glob_has_none() {
        for (text, expected) in [
            ("", "is empty"),
            (" ", "is empty"),
            (".", "is empty"),
            ("/etc/**", "is absolute"),
            ("~/x", "is absolute"),
            ("C:\\x", "is absolute"),
            ("\\\\server\\x", "is absolute"),
            ("!src/**", "begins with `!`"),
            ("src/../../x", "contains `..`"),
            ("src/{..,a}/x", "contains `..`"),
            ("..\\x", "contains `..`"),
            ("src/", "ends with `/` and would match nothing"),
            ("src//x", "has an empty segment and would match nothing"),
            ("src/./x", "has an empty segment and would match nothing"),
            ("src\\lib", "has a backslash before a letter"),
            ("src/\n", "contains a control character"),
            ("a}", "has a `}` without a `{`"),
        ] {
            let fault = glob_faults(text).next().map(|fault| fault.to_string());
            assert_eq!(fault.as_deref(), Some(expected), "{text:?}");
        }
        for text in ["src/[a", "src/{a", "src/\\"] {
            let fault = glob_faults(text).next().map(|fault| fault.to_string()).unwrap_or_default();
            assert!(fault.starts_with("is not a glob: "), "{text}: {fault}");
        }
        for text in ["**", "src/**", "a[{]b", "a\\{b", "x..y", "**/*.{ts,tsx}", "docs/my notes/*.md", "[}]"] {
            assert_eq!(glob_faults(text).next(), None, "{text}");
        }
    }
}
