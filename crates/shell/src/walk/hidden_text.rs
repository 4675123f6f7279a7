//! Finds commands inside of a word: the code of a language, or of a program's own commands, that no table describes.
//!
//! Every text that is found is judged as if it ran. Only one that would be denied counts, so prose that merely begins
//! like a command costs time and no question.

use crate::programs;
use crate::walk::base_name;

/// Longer words are data.
const MAX_CODE: usize = 2000;

/// How much of a word may be code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Search {
    /// Only text between quotes: the word is of a program whose words are known to be something else as well.
    Quotes,
    /// Text behind every sign that begins a command in some language: `!rm`, `\write18{rm`, `%(rm`, `exec rm`.
    Everything,
}

/// Words behind which languages and programs of their own take a command.
const VERBS: [&str; 9] = ["exec", "system", "shell", "sh", "spawn", "call", "popen", "ProxyCommand", "eval"];

/// Signs behind which a command may begin without a quote.
const SIGNS: [char; 10] = ['{', '(', '[', '!', '=', ';', '|', '&', '`', '\n'];

/// Returns the texts in a word that begin with a program and have words behind it.
pub(super) fn texts(word: &str, search: Search) -> Vec<&str> {
    if word.len() > MAX_CODE || !word.contains(' ') {
        return Vec::new();
    }
    let mut found = Vec::new();
    found.extend(quoted(word));
    if search == Search::Everything {
        found.extend(behind_signs(word));
    }
    found
}

/// Returns the texts between quotes (`gnuplot -e 'system("rm -rf x")'`). A quote behind a space is prose, unless the word
/// is a list of Lisp or the quote follows a verb that runs it.
fn quoted(word: &str) -> impl Iterator<Item = &str> {
    let is_lisp = word.trim_start().starts_with('(');
    let begins = move |at: usize| {
        let front = &word[..at];
        front.is_empty()
            || front.ends_with(['(', '{', '[', '=', ',', ':'])
            || front.ends_with(' ')
                && (is_lisp
                    || front.trim_end().ends_with([',', '(', '[', '{'])
                    || ends_with_verb(front.trim_end()))
    };
    word.match_indices(['"', '\'', '`'])
        .filter(move |(at, _)| begins(*at))
        .filter_map(move |(at, quote)| Some(word[at + 1..].split(quote).next()?.trim()))
        .filter(|text| is_command(text))
}

/// Returns the texts behind a sign or a verb, up to the sign that ends them.
fn behind_signs(word: &str) -> impl Iterator<Item = &str> {
    let signs = word.match_indices(SIGNS).map(|(at, sign)| at + sign.len());
    let is_verb = move |at: &usize| ends_with_verb(&word[..*at]);
    let verbs = word.match_indices(' ').map(|(at, _)| at).filter(is_verb);
    std::iter::once(0)
        .chain(signs)
        .chain(verbs)
        .map(move |at| {
            let text = word[at..].trim_start();
            text.split(['"', '\'', '`', '}', ')', '\n']).next().unwrap_or(text).trim_end()
        })
        .filter(|text| is_command(text))
}

fn ends_with_verb(front: &str) -> bool {
    front
        .rsplit(|letter: char| !letter.is_ascii_alphanumeric())
        .next()
        .is_some_and(|last| VERBS.contains(&last))
}

fn is_command(text: &str) -> bool {
    text.split_once(' ').is_some_and(|(program, _)| programs::is_program(base_name(program)))
}

#[cfg(test)]
mod tests {
    use super::{Search, texts};

    #[test]
    fn commands_are_found_behind_the_signs_of_other_languages() {
        for word in [
            "!rm -rf x",
            ":!rm -rf x",
            r"\immediate\write18{rm -rf x}\end",
            "%(rm -rf x)",
            "`rm -rf x`",
            "exec rm -rf x",
            "Match exec \"rm -rf x\"",
            "exec { '/bin/rm -rf x': }",
            "ProxyCommand rm -rf x",
            "}; rm -rf x",
            "--on-error=rm -rf x",
        ] {
            let found = texts(word, Search::Everything);
            assert!(found.iter().any(|text| text.ends_with("rm -rf x")), "{word}: {found:?}");
        }
    }

    #[test]
    fn prose_and_long_words_hold_no_commands() {
        assert_eq!(texts("please do not rm -rf x", Search::Everything), Vec::<&str>::new());
        assert_eq!(texts("see: rm -rf x", Search::Quotes), Vec::<&str>::new());
        assert_eq!(texts(&format!("!rm -rf {}", "x".repeat(2000)), Search::Everything), Vec::<&str>::new());
    }
}
