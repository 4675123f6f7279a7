//! Checks that the changelog has a section for the next release.

use super::finding::Finding;

/// Finds a changelog without a section for the next release.
pub(crate) fn check(path: &str, text: &str) -> Vec<Finding> {
    let has_section =
        text.lines().any(|line| line.starts_with("## ") && line.to_lowercase().contains("unreleased"));
    if has_section {
        return Vec::new();
    }
    let hint = "add `## Unreleased` above the newest release; every change puts its line there";
    vec![Finding::new(path, 1, "no section for what is not released yet", hint)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::finding::briefly;

    #[test]
    fn a_changelog_without_unreleased_is_found() {
        let found = check("CHANGELOG.md", "# Changelog\n\nNothing Unreleased here.\n\n## 0.1.0\n");
        assert_eq!(briefly(&found), ["1: no section for what is not released yet"]);
    }

    #[test]
    fn both_common_spellings_pass() {
        assert_eq!(check("CHANGELOG.md", "# Changelog\n\n## Unreleased\n"), []);
        assert_eq!(check("CHANGELOG.md", "# Changelog\n\n## [Unreleased]\n"), []);
    }
}
