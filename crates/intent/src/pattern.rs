//! A glob over workspace-relative paths.
//!
//! `*` matches within a segment, `**` across segments, `?` one character, `[…]` a class, `{a,b}` a
//! choice. Matching is case-sensitive and includes dotfiles. Path and pattern are compared in the
//! same Unicode form, so that no spelling of a name counts as another name.
//!
//! INVARIANT: an accepted pattern cannot reach out of the workspace: it is relative, has no `..`, and
//! does not negate.

use config_file::{GlobFault, glob_faults};
use serde::{Deserialize, Serialize};

use crate::unicode::composed;

/// A checked glob.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Pattern(String);

/// Why a pattern is invalid for a scope, and a hint.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{what}")]
pub struct BadPattern {
    /// The message.
    pub what: String,
    /// The remedy.
    pub hint: String,
}

impl Pattern {
    /// Checks a pattern and normalizes it.
    pub fn parse(text: &str) -> Result<Self, BadPattern> {
        let mut rest = text;
        while let Some(shorter) = rest.strip_prefix("./") {
            rest = shorter;
        }
        // A `}` without a `{` is a literal.
        if let Some(fault) = glob_faults(rest).find(|it| *it != GlobFault::UnopenedBrace) {
            let hint = match fault {
                GlobFault::Negated => "list only the files to write; exclude files in .intentignore",
                other => other.hint(),
            };
            return Err(BadPattern { what: format!("pattern `{text}` {fault}"), hint: hint.to_owned() });
        }
        Ok(Self(composed(rest).into_owned()))
    }

    /// Returns the pattern as a string.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns whether it matches a workspace-relative path in composed form.
    pub fn matches(&self, path: &str) -> bool {
        fast_glob::glob_match(&self.0, path)
    }

    /// Returns whether it matches everything that could be below a folder.
    ///
    /// WHY only patterns that end in `**`: for those it suffices that the part before it matches the
    /// folder or an ancestor; for others there is no short answer, and a wrong yes would permit a
    /// recursive write out of the scope.
    pub(crate) fn covers_all_below(&self, folder: &str) -> bool {
        let whole = self.0.strip_suffix("/*").filter(|rest| ends_in_globstar(rest)).unwrap_or(&self.0);
        if whole == "**" {
            return true;
        }
        let Some(base) = whole.strip_suffix("/**") else { return false };
        ancestors(folder).any(|folder| fast_glob::glob_match(base, folder))
    }

    /// Returns whether a folder is on the way to files it matches, so that creating the folder is
    /// part of writing there.
    pub(crate) fn leads_through(&self, folder: &str) -> bool {
        let Some((base, _)) = self.literal_begin().rsplit_once('/') else { return false };
        ancestors(base).any(|above| above == folder)
    }

    /// Returns whether it could match anything below a folder; may return true wrongly, but never
    /// false.
    pub(crate) fn might_match_below(&self, folder: &str) -> bool {
        let (begin, folder) = (self.literal_begin(), format!("{folder}/"));
        begin.starts_with(&folder) || folder.starts_with(begin) || folder == "/"
    }

    /// Returns the folder before the first wildcard; `""` is the workspace. Returns `None` if the first
    /// wildcard matches folders too.
    pub(crate) fn literal_folder(&self) -> Option<&str> {
        let begin = self.literal_begin();
        let folder = begin.rsplit_once('/').map_or("", |(folder, _)| folder);
        (!self.0[begin.len()..].contains('/')).then_some(folder)
    }

    /// Returns the part before the first wildcard.
    fn literal_begin(&self) -> &str {
        let special = |c: char| matches!(c, '*' | '?' | '[' | '{' | '\\');
        self.0.find(special).map_or(self.0.as_str(), |at| &self.0[..at])
    }
}

fn ends_in_globstar(text: &str) -> bool {
    text == "**" || text.ends_with("/**")
}

/// Returns the folder and all its ancestors within the workspace.
fn ancestors(folder: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(folder).filter(|folder| !folder.is_empty()), |folder| {
        folder.rsplit_once('/').map(|(above, _)| above)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pattern(text: &str) -> Pattern {
        Pattern::parse(text).unwrap()
    }

    #[test]
    fn what_a_pattern_matches_is_as_documented() {
        for (glob, matching, others) in [
            ("src/*.rs", &["src/a.rs", "src/.rs"][..], &["src/a/b.rs", "src/a.RS", "Src/a.rs", "a.rs"][..]),
            ("src/**", &["src/a", "src/a/b/.c"], &["src", "srcs/a", "lib/src/a"]),
            ("**/*.ts", &["a.ts", "a/b.ts", "a/.b/c.ts"], &["a.tsx", "a.ts/b"]),
            ("**", &["a", ".a/b"], &[]),
            ("a?c", &["abc"], &["a/c", "ac", "abbc"]),
            ("a[/b]c", &["abc"], &["a/c"]),
            ("[!a]x", &["bx"], &["ax", "/x"]),
            ("src/{a,b/**}/x", &["src/a/x", "src/b/c/x"], &["src/c/x"]),
            ("./src/a", &["src/a"], &["a"]),
            ("a\\*b", &["a*b"], &["axb"]),
            ("caf\u{65}\u{301}/x", &["caf\u{e9}/x"], &["cafe/x"]),
        ] {
            for path in matching {
                assert!(pattern(glob).matches(path), "{glob} should match {path}");
            }
            for path in others {
                assert!(!pattern(glob).matches(path), "{glob} should not match {path}");
            }
        }
    }

    #[test]
    fn what_would_reach_out_or_match_nothing_is_no_pattern() {
        for (text, complaint) in [
            ("", "is empty"),
            ("  ", "is empty"),
            (".", "is empty"),
            ("/etc/**", "is absolute"),
            ("~/x", "is absolute"),
            ("C:/x", "is absolute"),
            ("\\\\server\\x", "is absolute"),
            ("../x", "contains `..`"),
            ("src/../../x", "contains `..`"),
            ("src/{..,a}/x", "contains `..`"),
            ("src/..", "contains `..`"),
            ("..\\x", "contains `..`"),
            ("!src/**", "begins with `!`"),
            ("src/", "ends with `/`"),
            ("src//x", "empty segment"),
            ("src/./x", "empty segment"),
            ("src\\lib", "backslash before a letter"),
            ("src/[a", "is not a glob"),
            ("src/{a", "is not a glob"),
            ("src/\\", "is not a glob"),
            ("src/\n", "control character"),
        ] {
            let error = Pattern::parse(text).unwrap_err();
            assert!(error.what.contains(complaint), "{text}: {error}");
        }
    }

    #[test]
    fn everything_below_is_covered_only_by_a_pattern_that_says_so() {
        for (glob, folder, covered) in [
            ("src/**", "src", true),
            ("src/**", "src/a/b", true),
            ("src/**/*", "src/a", true),
            ("**", "anything", true),
            ("**/*", "anything", true),
            ("src/*/**", "src", false),
            ("src/*/**", "src/a", true),
            ("src/**/*.rs", "src", false),
            ("src/[!a]*/**", "src", false),
            ("src/*", "src", false),
            ("src/**", "lib", false),
            ("src", "src", false),
        ] {
            assert_eq!(pattern(glob).covers_all_below(folder), covered, "{glob} over {folder}");
        }
    }

    #[test]
    fn a_pattern_leads_through_the_folders_before_its_first_wildcard() {
        let ui = pattern("src/ui/**");
        assert!(ui.leads_through("src") && ui.leads_through("src/ui"));
        assert!(!ui.leads_through("lib") && !ui.leads_through("src/u") && !ui.leads_through(""));
        assert!(!pattern("src*/x").leads_through("src"));
        assert!(pattern("a/b/c.txt").leads_through("a/b"));
    }
}
