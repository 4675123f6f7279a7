//! Checks that file names are specific.

use super::finding::Finding;

const FORBIDDEN: &[&str] = &["utils", "util", "helpers", "helper", "common", "manager", "misc"];

/// Finds Rust files whose name does not describe their content.
pub(crate) fn check(path: &str) -> Vec<Finding> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let Some(stem) = name.strip_suffix(".rs") else { return Vec::new() };
    if !FORBIDDEN.contains(&stem) {
        return Vec::new();
    }
    let hint = "name the file after the one thing in it; several things make several files";
    vec![Finding::new(path, 1, format!("`{name}` could hold anything"), hint)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::finding::briefly;

    #[test]
    fn a_name_for_everything_is_found() {
        for name in ["utils", "helpers", "common", "manager", "misc"] {
            let found = check(&format!("crates/store/src/{name}.rs"));
            assert_eq!(briefly(&found), [format!("1: `{name}.rs` could hold anything")]);
        }
    }

    #[test]
    fn a_name_for_one_thing_passes() {
        assert_eq!(check("crates/store/src/journal.rs"), []);
        assert_eq!(check("docs/common.md"), []);
    }
}
