//! Checks that every crate of the binary turns on the fences of `clippy.toml`.

use super::finding::Finding;

/// The attribute; tests may read the environment, write files and start programs.
const FENCE: &str = "#![cfg_attr(not(test), warn(clippy::disallowed_methods))]";

/// Crates that only tests use.
const DEV: &[&str] = &["crates/testkit/"];

/// Finds the root of a crate without the attribute.
pub(crate) fn check(path: &str, text: &str) -> Vec<Finding> {
    let parts: Vec<&str> = path.split('/').collect();
    let is_root = matches!(parts.as_slice(), ["crates", _, "src", "lib.rs" | "main.rs"]);
    if !is_root || DEV.iter().any(|dev| path.starts_with(dev)) || text.lines().any(|line| line == FENCE) {
        return Vec::new();
    }
    let hint = "add `#![cfg_attr(not(test), warn(clippy::disallowed_methods))]` below the module docs";
    vec![Finding::new(path, 1, "a crate outside the fences of clippy.toml", hint)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::finding::briefly;

    #[test]
    fn a_root_without_the_attribute_is_found() {
        let found = ["1: a crate outside the fences of clippy.toml"];
        assert_eq!(briefly(&check("crates/plan/src/lib.rs", "//! A.\n")), found);
        assert_eq!(briefly(&check("crates/cli/src/main.rs", "//! A.\n")), found);
    }

    #[test]
    fn other_files_and_roots_with_the_attribute_pass() {
        assert_eq!(check("crates/plan/src/lib.rs", &format!("//! A.\n\n{FENCE}\n")), []);
        for path in [
            "crates/plan/src/a.rs",
            "crates/plan/tests/main.rs",
            "crates/testkit/src/lib.rs",
            "xtask/src/main.rs",
        ] {
            assert_eq!(check(path, "//! A.\n"), [], "{path}");
        }
    }
}
