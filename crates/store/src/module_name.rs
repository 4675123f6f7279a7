//! A module's name, checked before it becomes the name of a folder.

use std::fmt;

/// Letters, digits, `.`, `_` and `-`, beginning with a letter or digit, 64 at most.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ModuleName(String);

impl ModuleName {
    /// Creates a name that is safe as a folder name on every system. Returns `None` for any other.
    pub fn new(name: &str) -> Option<Self> {
        let fits = (1..=64).contains(&name.len())
            && name.starts_with(|c: char| c.is_ascii_alphanumeric())
            && !name.ends_with('.')
            && name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-'));
        fits.then(|| Self(name.to_owned()))
    }

    /// Returns the name as a string.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ModuleName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_one_folder_and_nothing_more() {
        for good in ["session", "planGraph-exec", "a.b_c-9"] {
            assert!(ModuleName::new(good).is_some(), "{good}");
        }
        for bad in ["", ".", "..", "../x", "a/b", "a\\b", "x\0", "-x", "x.", "é", &"x".repeat(65)] {
            assert!(ModuleName::new(bad).is_none(), "{bad}");
        }
    }
}
