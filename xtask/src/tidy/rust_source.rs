//! Checks that a Rust file has module docs and is short enough to read.

use super::finding::Finding;

/// Longer files hold more than one thing.
const MOST_LINES: usize = 500;

/// The first line of a file that may be longer, followed by the reason.
const LONG: &str = "// tidy: long, because ";

/// Returns whether a file is source of a crate, not of its tests.
pub(crate) fn is_shipped_source(path: &str) -> bool {
    path.starts_with("crates/") && path.contains("/src/") && !path.ends_with("/tests.rs")
}

/// Finds files without module docs and files that are too long.
pub(crate) fn check(path: &str, text: &str) -> Vec<Finding> {
    let mut findings = Vec::new();
    let first = text.lines().next().unwrap_or_default();
    let reason = first.strip_prefix(LONG).map(str::trim);
    let docs = if reason.is_some() { text.lines().nth(1).unwrap_or_default() } else { first };
    if !docs.starts_with("//!") {
        let hint = "start the file with `//!` and one sentence on its purpose";
        findings.push(Finding::new(path, 1, "no module docs", hint));
    }
    if reason == Some("") {
        let hint = "say why one long file is better to read than several";
        findings.push(Finding::new(path, 1, "a long file without a reason", hint));
    }
    let n_lines = text.lines().count();
    if n_lines > MOST_LINES && reason.is_none() {
        let hint = "split it by what the parts are; one big table may start with `// tidy: long, because …`";
        findings.push(Finding::new(path, MOST_LINES + 1, format!("{n_lines} lines in one file"), hint));
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::finding::briefly;

    fn file(first: &str, n_lines: usize) -> String {
        format!("{first}\n{}", "let x = 1;\n".repeat(n_lines - first.lines().count()))
    }

    #[test]
    fn a_file_that_does_not_say_what_it_is_for_is_found() {
        assert_eq!(briefly(&check("a.rs", "use std::fs;\n")), ["1: no module docs"]);
        assert_eq!(briefly(&check("a.rs", "")), ["1: no module docs"]);
        assert_eq!(
            briefly(&check("a.rs", "// tidy: long, because it is a table\nuse x;\n")),
            ["1: no module docs"]
        );
    }

    #[test]
    fn a_long_file_is_found() {
        assert_eq!(check("a.rs", &file("//! A.", 500)), []);
        assert_eq!(briefly(&check("a.rs", &file("//! A.", 501))), ["501: 501 lines in one file"]);
    }

    #[test]
    fn a_long_file_with_a_reason_passes() {
        assert_eq!(check("a.rs", &file("// tidy: long, because it is one table\n//! A.", 900)), []);
        let found = check("a.rs", &file("// tidy: long, because \n//! A.", 900));
        assert_eq!(briefly(&found), ["1: a long file without a reason"]);
    }
}
