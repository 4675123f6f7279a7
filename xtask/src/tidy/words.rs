//! Words in code that mean "not finished" or "not run".

use super::finding::Finding;

/// A word, and what to do instead of writing it. The words are put together from
/// two halves so that this file passes its own check.
const FORBIDDEN: &[(&str, &str)] = &[
    (concat!("TO", "DO"), "fix it now, or file it"),
    (concat!("FIX", "ME"), "fix it now, or file it"),
    (concat!("XX", "X"), "fix it now, or file it"),
    (concat!("dbg", "!"), "remove it; what is worth knowing belongs in a journal or a test"),
    (concat!("todo", "!"), "write it, or leave the function out"),
    (concat!("unimplemented", "!"), "write it, or leave the function out"),
    (concat!("#[ig", "nore"), "a test that does not run proves nothing: mend it or remove it"),
];

/// Finds the forbidden words, each at most once per line.
pub(crate) fn check(path: &str, text: &str) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (index, line) in text.lines().enumerate() {
        for (word, hint) in FORBIDDEN {
            if has_word(line, word) {
                findings.push(Finding::new(path, index + 1, format!("`{word}`"), hint));
            }
        }
    }
    findings
}

fn has_word(line: &str, word: &str) -> bool {
    let is_part = |it: char| it.is_alphanumeric() || it == '_';
    line.match_indices(word).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let after = line[at + word.len()..].chars().next();
        let goes_on_before = word.starts_with(is_part) && before.is_some_and(is_part);
        let goes_on_after = word.ends_with(is_part) && after.is_some_and(is_part);
        !goes_on_before && !goes_on_after
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::finding::briefly;

    #[test]
    fn every_forbidden_word_is_found() {
        for (word, _) in FORBIDDEN {
            let text = format!("fn a() {{}}\n    {word}(1) // x\n");
            assert_eq!(briefly(&check("a.rs", &text)), [format!("2: `{word}`")]);
        }
    }

    #[test]
    fn a_test_left_out_with_a_reason_is_found_too() {
        let text = concat!("#[ig", "nore = \"slow\"]\n");
        assert_eq!(check("a.rs", text).len(), 1);
    }

    #[test]
    fn longer_words_pass() {
        let text = concat!("TO", "DOS mktemp.XX", "XX the_dbg TodoWrite my_todo", "!()\n");
        assert_eq!(check("a.rs", text), []);
    }
}
