//! Checks spaces, tabs and line ends.

use super::finding::Finding;

/// Finds trailing spaces, tabs, carriage returns and a missing last line end.
pub(crate) fn check(path: &str, text: &str) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (index, line) in text.split('\n').enumerate() {
        let mut found = |what: &str, hint| findings.push(Finding::new(path, index + 1, what, hint));
        if let Some(line) = line.strip_suffix('\r') {
            found("carriage return", "save the file with line feeds only");
            if line.ends_with(' ') {
                found("trailing space", "remove it");
            }
        } else if line.ends_with([' ', '\t']) {
            found("trailing space", "remove it; in a string that needs one, write `\\x20`");
        } else if line.contains('\t') {
            found("tab", "use spaces; in a string that needs one, write `\\t`");
        }
    }
    if !text.is_empty() && !text.ends_with('\n') {
        let hint = "end the file with a line feed";
        findings.push(Finding::new(path, text.lines().count(), "the last line has no end", hint));
    }
    if text.ends_with("\n\n") {
        let hint = "remove it";
        findings.push(Finding::new(path, text.lines().count(), "empty line at the end of the file", hint));
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::finding::briefly;

    fn check_one(text: &str, expected: &[&str]) {
        assert_eq!(briefly(&check("a.md", text)), expected);
    }

    #[test]
    fn clean_text_passes() {
        check_one("", &[]);
        check_one("one\n\ntwo\n", &[]);
    }

    #[test]
    fn each_kind_of_litter_is_found() {
        check_one("one \ntwo\n", &["1: trailing space"]);
        check_one("one\ntwo\t\n", &["2: trailing space"]);
        check_one("a\tb\n", &["1: tab"]);
        check_one("a\r\n", &["1: carriage return"]);
        check_one("one\ntwo", &["2: the last line has no end"]);
        check_one("one\n\n", &["2: empty line at the end of the file"]);
    }
}
