//! Words that mean "not finished" or "not run", and phrases that hide who does what.

use super::file_tree::has_extension;
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

/// A phrase that leaves open who does what, and the trade's word to use instead. Cut in two
/// halves for the same reason.
const UNCLEAR: &[(&str, &str)] = &[
    (concat!("is t", "old"), REPORTS),
    (concat!("are t", "old"), REPORTS),
    (concat!("was t", "old"), REPORTS),
    (concat!("kept", " of"), "write the stored X, the cached X or the record of X"),
    (concat!("come", " by"), "write measured or obtained"),
    (concat!("is n", "one"), INVALID),
    (concat!("are n", "one"), INVALID),
    (concat!("an", "ew"), "write again, or rotates, restarts, is recreated"),
    (concat!("who", "ever"), PERSON),
    (concat!("at w", "ork"), "write running"),
    (concat!("the defaults", " serve"), "write using defaults"),
    (concat!("has to", " be"), "write must be"),
    (concat!("held", " against"), "write checked against"),
    (concat!("in a", " crowd"), "write under contention"),
    (concat!("sets", " off"), "write triggers"),
    (concat!("handed", " in"), "write emitted or passed"),
    (concat!("goes on", " with"), "write resumes or continues"),
    (concat!("is s", "aid"), REPORTS),
    (concat!("are s", "aid"), REPORTS),
    (concat!("was s", "aid"), REPORTS),
    (concat!("comes", " of"), "name the cause"),
    (concat!("some", "body"), PERSON),
    (concat!("any", "body"), PERSON),
    (concat!("every", "body"), PERSON),
    (concat!("looks", " at"), READS),
    (concat!("looked", " at"), READS),
    (concat!("truth", " value"), "write boolean"),
    (concat!("of", " ours"), "write our X, or the X of steersman"),
    (concat!("what is k", "ept"), "write the stored X, the cached X or the record of X"),
    (concat!("begins", " again"), "write restarts"),
    (concat!("note", " of git"), "write git note"),
    (concat!("journal", " knows"), "write the journal has"),
    (concat!("what is", " hidden"), NOUN),
    (concat!("what is", " asked"), NOUN),
    (concat!("what is", " left behind"), NOUN),
];

/// Phrases that only comments of sources must not use: strings may quote a user or a program that does.
const UNCLEAR_IN_COMMENTS: &[(&str, &str)] = &[
    ("nobody", PERSON),
    ("has to", "write must"),
    ("goes on", "write resumes or continues"),
    ("knows nothing", "name the missing record"),
    ("cannot be had", "name the cause"),
    ("said so", REPORTS),
];

/// The openings of doc comments that hide the noun.
const OPENINGS: [&str; 2] = ["/// What ", "//! What "];

const NOUN: &str = "name the thing: The files that a command may write";
const REPORTS: &str = "name who reports, logs or warns";
const PERSON: &str = "name the process, the user or the caller";
const READS: &str = "write reads, checks, judges or queries";
const INVALID: &str = "write does not exist, is invalid, or the value: Returns `None` if …";

/// Finds the phrases that hide who does what in comments, strings and pages, each at most once
/// per line. Quoted text is free, so that a page can name a phrase to avoid.
pub(crate) fn check_phrases(path: &str, text: &str) -> Vec<Finding> {
    let is_page = has_extension(path, "md");
    let mut findings = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line = unquoted(&line.to_lowercase(), is_page);
        for (phrase, hint) in UNCLEAR {
            if has_word(&line, phrase) {
                findings.push(Finding::new(path, index + 1, format!("`{phrase}`"), hint));
            }
        }
    }
    findings
}

/// Finds comments of sources that open with a clause where a noun exists, or hide who does what. Tests may: their docs
/// complete the names beside them.
pub(crate) fn check_comments(path: &str, text: &str) -> Vec<Finding> {
    let is_source = path.contains("/src/") && !path.contains("/tests");
    let comments = text.lines().map(str::trim_start).enumerate();
    let comments = comments.filter(|(_, line)| is_source && line.starts_with("//"));
    let mut findings = Vec::new();
    for (index, line) in comments {
        let mut find = |phrase: &str, hint: &'static str| {
            findings.push(Finding::new(path, index + 1, format!("`{phrase}`"), hint));
        };
        if let Some(opening) = OPENINGS.into_iter().find(|opening| line.starts_with(opening)) {
            find(opening, NOUN);
        }
        let line = unquoted(&line.to_lowercase(), false);
        for (phrase, hint) in UNCLEAR_IN_COMMENTS.iter().filter(|(phrase, _)| has_word(&line, phrase)) {
            find(phrase, hint);
        }
    }
    findings
}

/// Returns a line without its text in backticks and, on a page, without its text in quotes.
fn unquoted(line: &str, is_page: bool) -> String {
    let outside = |line: &str, mark| line.split(mark).step_by(2).collect::<Vec<_>>().join(" \u{2026} ");
    let line = outside(line, '`');
    if is_page { outside(&line, '"') } else { line }
}

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
    fn every_unclear_phrase_is_found_in_comments_strings_and_pages() {
        for (phrase, _) in UNCLEAR {
            let text = format!(
                "/// It {phrase} x.\nlet a = \"it {phrase}\";\nfn {}() {{}}\n",
                phrase.replace(' ', "_")
            );
            // A name of one word is a word; names of several are joined, so that tests are free.
            let expected: &[usize] = if phrase.contains(' ') { &[1, 2] } else { &[1, 2, 3] };
            let lines: Vec<usize> = check_phrases("xtask/a.rs", &text).iter().map(|it| it.line).collect();
            assert_eq!(lines, expected, "{phrase}");
            assert_eq!(check_phrases("docs/a.md", &format!("It {}.\n", phrase.to_uppercase())).len(), 1);
        }
    }

    #[test]
    fn a_doc_comment_that_opens_with_a_clause_is_found() {
        let text =
            "//! What it is.\n\n    /// What it does.\n/// The thing. What it does.\n// What follows.\n";
        assert_eq!(lines_with(text, "crates/a/src/b.rs"), [1, 3]);
        assert_eq!(lines_with(text, "crates/a/tests/b.rs"), [0; 0]);
    }

    #[test]
    fn an_unclear_phrase_of_a_comment_is_found_but_not_that_of_a_string() {
        for (phrase, _) in UNCLEAR_IN_COMMENTS {
            let text = format!("// It {phrase}.\nlet a = \"it {phrase}\";\n// `{phrase}`\n");
            assert_eq!(lines_with(&text, "xtask/src/a.rs"), [1], "{phrase}");
        }
    }

    fn lines_with(text: &str, path: &str) -> Vec<usize> {
        check_comments(path, text).iter().map(|it| it.line).collect()
    }

    #[test]
    fn quoted_phrases_pass() {
        let phrase = UNCLEAR[0].0;
        assert_eq!(check_phrases("docs/a.md", &format!("Not \"{phrase}\", not `{phrase}`.\n")), []);
    }

    #[test]
    fn longer_words_pass() {
        let text = concat!("TO", "DOS mktemp.XX", "XX the_dbg TodoWrite my_todo", "!()\n");
        assert_eq!(check("a.rs", text), []);
    }
}
