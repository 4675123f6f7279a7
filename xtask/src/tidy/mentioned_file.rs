//! Checks that the source files named in the code map and the recipes exist.

use super::file_tree::File;
use super::finding::Finding;

/// The pages that name source files.
const PAGES: &[&str] = &["ARCHITECTURE.md", "CONTRIBUTING.md"];

/// Finds names of Rust files in backticks that are the end of no path. A name with `<` or `…` is a placeholder.
pub(crate) fn check(files: &[File]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for page in files.iter().filter(|file| PAGES.contains(&file.path.as_str())) {
        for (index, line) in page.text.lines().enumerate() {
            for name in line.split('`').skip(1).step_by(2).filter(|it| is_file_name(it)) {
                let is_named = |file: &File| file.path.strip_suffix(name).is_some_and(ends_a_folder);
                if !files.iter().any(is_named) {
                    let hint = "name the file that has this content now";
                    findings.push(Finding::new(&page.path, index + 1, format!("no file `{name}`"), hint));
                }
            }
        }
    }
    findings
}

fn is_file_name(text: &str) -> bool {
    let is_part = |it: char| it.is_ascii_alphanumeric() || "_-./".contains(it);
    text.strip_suffix(".rs").is_some_and(|stem| !stem.is_empty() && stem.chars().all(is_part))
}

fn ends_a_folder(before: &str) -> bool {
    before.is_empty() || before.ends_with('/')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::finding::briefly;

    fn found(page: &str, text: &str) -> Vec<String> {
        let file = |path: &str, text: &str| File { path: path.to_owned(), text: text.to_owned() };
        briefly(&check(&[file(page, text), file("crates/host/src/tools/mcp.rs", "")]))
    }

    #[test]
    fn a_file_that_does_not_exist_is_found() {
        let text = "Add it to `mcp.rs`,\nthen to `gone.rs` and `crates/shell/src/tools/mcp.rs`.\n";
        assert_eq!(
            found("CONTRIBUTING.md", text),
            ["2: no file `gone.rs`", "2: no file `crates/shell/src/tools/mcp.rs`"]
        );
    }

    #[test]
    fn ends_of_paths_placeholders_and_other_pages_pass() {
        let text = "`mcp.rs`, `tools/mcp.rs`, `crates/host/src/tools/mcp.rs`, `<host>.rs`, `.rs`, `a b.rs`, gone.rs\n";
        assert_eq!(found("CONTRIBUTING.md", text), [""; 0]);
        assert_eq!(found("CONVENTIONS.md", "`elsewhere.rs`\n"), [""; 0]);
        assert_eq!(found("ARCHITECTURE.md", "`cp.rs`\n"), ["1: no file `cp.rs`"]);
    }
}
