//! The words around code on a line: options that only run it.

use crate::code::Language;
use crate::text::Text;

/// Returns whether the code is a word of the call, or its input, and no other word does more than run it.
pub(super) fn is_plain_call(language: Language, words: &[Text], code: &str, is_input: bool) -> bool {
    let at = words.iter().position(|word| !code.is_empty() && word.text.ends_with(code));
    let (front, behind) = match at {
        Some(at) => (&words[..at], &words[at + 1..]),
        None if is_input => (words, &words[..0]),
        None => return false,
    };
    let glued = at.map_or("", |at| words[at].text.strip_suffix(code).unwrap_or(""));
    let options = front.iter().map(|word| word.text.as_str()).chain([glued]);
    options.into_iter().all(|word| is_plain_option(language, word))
        && behind.iter().all(|word| is_plain_operand(language, &word.text))
}

/// Options that change neither what runs nor where it writes.
fn is_plain_option(language: Language, word: &str) -> bool {
    if matches!(word, "" | "-") {
        return true;
    }
    match language {
        Language::Python => {
            let letters = word.strip_prefix('-').unwrap_or("?");
            letters.starts_with("Wignore") || letters.bytes().all(|letter| b"cBEIOPsSuqb".contains(&letter))
        }
        Language::Node => matches!(
            word,
            "-e" | "-p"
                | "-pe"
                | "--eval"
                | "--print"
                | "--no-warnings"
                | "--no-deprecation"
                | "--eval="
                | "--print="
                | "--input-type=module"
                | "--input-type=commonjs"
        ),
        Language::Perl => {
            let letters = word.strip_prefix('-').unwrap_or("?");
            let flags = letters.split('F').next().unwrap_or("");
            let separator = letters.get(flags.len() + 1..).unwrap_or("");
            flags.bytes().all(|letter| b"nepalwsE0123456789".contains(&letter))
                && separator.len() <= 2
                && !separator.contains([';', '`'])
        }
        Language::Ruby => matches!(
            word,
            "-e" | "-w" | "-W0" | "-rjson" | "-ryaml" | "-rset" | "-rtime" | "-rdate" | "-rdigest" | "-rpp"
        ),
        Language::Php => matches!(word, "-r" | "-n"),
        Language::Lua => word == "-e",
        Language::Awk
        | Language::AppleScript
        | Language::R
        | Language::Julia
        | Language::Elixir
        | Language::Groovy
        | Language::Other => false,
    }
}

/// Words behind the code: arguments of python and node, files that perl opens and that name a command with `|`.
fn is_plain_operand(language: Language, word: &str) -> bool {
    language != Language::Perl || !word.contains(['|', '<', '>']) && !word.starts_with('-')
}
