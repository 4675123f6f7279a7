//! Commands that do not end by themselves, or fill the answer: they change nothing, but the session waits for them.

use shell::Simple;

/// A list of more words, or a number with more digits, is more than a model can use.
const MOST_WORDS: u64 = 10_000;

/// Numbers with more digits are a width, a count or an end that fills the answer.
const MOST_DIGITS: usize = 6;

/// Returns whether the text of a line makes a list of words that is too long, or a loop that counts by itself.
pub(super) fn is_line(line: &str) -> bool {
    expanded_words(line) > MOST_WORDS || has_counting_loop(line)
}

/// Returns whether a command may run forever, or print without an end.
pub(super) fn is_command(command: &Simple) -> bool {
    let words = || command.argv.iter().skip(1).map(|word| word.text.as_str());
    let code = || words().map(|word| word.split_whitespace().collect::<String>());
    match command.program.as_str() {
        "shuf" => words().any(|word| word == "--repeat" || is_cluster_with(word, 'r')),
        "seq" => {
            let numbers: Vec<&str> = words().filter(|word| word.parse::<f64>().is_ok()).collect();
            let is_bounded =
                |word: &&str| word.len() <= MOST_DIGITS && word.parse().is_ok_and(f64::is_finite);
            let has_no_step = numbers.len() == 3 && numbers[1].parse() == Ok(0.0);
            numbers.is_empty()
                || words().any(has_long_number)
                || has_no_step
                || !numbers.iter().all(is_bounded)
        }
        "printf" | "numfmt" | "pr" | "cal" | "expand" | "fold" => {
            words().any(|word| has_long_number(word) || word.contains("%*"))
        }
        "sed" => code().any(|code| loops_in_sed(&code)),
        "awk" | "gawk" | "mawk" => {
            code().any(|code| ["while", "for(;", ";;", "do{"].iter().any(|part| code.contains(part)))
        }
        "jq" => code().any(|code| {
            let parts = ["repeat", "until", "while", "infinite", "def", "recurse(", "limit(", "combinations"];
            parts.iter().any(|part| code.contains(part)) || has_long_number(&code) || has_exponent(&code)
        }),
        _ => false,
    }
}

/// Returns the number of words that the braces of a line make: `{1..50}`, `{a,b}{c,d}`.
fn expanded_words(line: &str) -> u64 {
    let mut n_words: u64 = 1;
    for piece in line.split('{').skip(1) {
        let inner = piece.split('}').next().unwrap_or_default();
        let n = match inner.split_once("..") {
            Some((from, to)) => {
                let to = to.split("..").next().unwrap_or_default();
                match (from.parse::<i64>(), to.parse::<i64>()) {
                    (Ok(from), Ok(to)) => from.abs_diff(to).saturating_add(1),
                    // From letter to letter, or a number that is too long to read.
                    _ if from.len() == 1 && to.len() == 1 => 64,
                    _ if has_long_number(inner) => u64::MAX,
                    _ => 1,
                }
            }
            None => inner.split(',').count() as u64,
        };
        n_words = n_words.saturating_mul(n.max(1));
    }
    n_words
}

/// Returns whether a line has a loop of the form `for ((…))`, whose end is not known.
fn has_counting_loop(line: &str) -> bool {
    line.match_indices("for").any(|(at, word)| line[at + word.len()..].trim_start().starts_with("(("))
}

/// Returns whether the code of an editor goes back to a label other than by reading the next line.
fn loops_in_sed(code: &str) -> bool {
    let commands: Vec<&str> = code.split([';', '{', '}', '\n']).collect();
    let has_label = commands.iter().any(|command| command.starts_with(':'));
    let is_branch = |command: &&&str| {
        let command = command.trim_start_matches(|letter: char| letter.is_ascii_digit() || letter == '$');
        command.trim_start_matches('!').starts_with(['b', 't', 'T'])
    };
    let reads_on = commands.iter().any(|command| command.trim_start_matches("$!").starts_with('N'));
    // `:a;N;$!ba` ends with the last line.
    has_label && !(reads_on && commands.iter().filter(is_branch).all(|command| command.starts_with("$!b")))
}

fn is_cluster_with(word: &str, letter: char) -> bool {
    word.starts_with('-') && !word.starts_with("--") && word.contains(letter)
}

fn has_long_number(text: &str) -> bool {
    text.split(|letter: char| !letter.is_ascii_digit()).any(|digits| digits.len() >= MOST_DIGITS)
}

/// Returns whether a text has a number such as `1e9`.
fn has_exponent(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.windows(3).any(|part| {
        part[0].is_ascii_digit()
            && part[1].eq_ignore_ascii_case(&b'e')
            && (part[2].is_ascii_digit() || part[2] == b'+')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lists_and_counting_loops_are_found() {
        for (line, expected) in [
            ("for i in {1..20}; do echo $i; done", false),
            ("echo {a,b}.{c,d}", false),
            ("awk '{print $1}' f", false),
            ("echo {1..100000000}", true),
            ("echo {1..99999999999999999999}", true),
            ("echo {a..z}{a..z}{a..z}", true),
            ("echo {1..200}{1..200}", true),
            ("for ((;;)); do ls; done", true),
            ("for((i=0;i<3;i++)); do ls; done", true),
        ] {
            assert_eq!(is_line(line), expected, "{line}");
        }
    }

    #[test]
    fn a_loop_of_an_editor_ends_only_with_the_last_line() {
        for (code, expected) in [
            ("s/a/b/;p", false),
            (":a;N;$!ba;s/x/y/", false),
            (":a;ba", true),
            (":a;N;$!ba;p;ba", true),
            (":a;s/x/x/;ta", true),
        ] {
            assert_eq!(loops_in_sed(code), expected, "{code}");
        }
    }
}
