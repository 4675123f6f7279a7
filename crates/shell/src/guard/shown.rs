//! Whether the output of a command that prints secrets reaches the model.

use crate::reading::{Outlet, Reading, Simple};
use crate::secrets;

/// Programs that pass their input on, changed or not; a model reads it all the same.
const PASS_ON: [&str; 24] = [
    "cat", "tac", "rev", "sort", "uniq", "head", "tail", "less", "more", "tee", "nl", "column", "tr", "fold",
    "fmt", "sed", "base64", "xxd", "od", "hexdump", "bat", "expand", "strings", "jq",
];

/// Returns whether lines with secrets of the output of `command` are printed.
pub(super) fn is_shown(reading: &Reading, command: Option<usize>) -> bool {
    let Some(mut at) = command else { return true };
    let mut is_first = true;
    // Each step goes to a later command, so this ends.
    while let Some(simple) = reading.commands.get(at) {
        if !passes(simple, is_first) {
            return false;
        }
        is_first = false;
        match simple.outlet {
            Outlet::Shown => return true,
            Outlet::Kept => return false,
            Outlet::Command(next) if next > at => at = next,
            Outlet::Command(_) => return true,
        }
    }
    false
}

/// Returns whether a program passes secrets of its input, or of its files, on.
fn passes(simple: &Simple, is_first: bool) -> bool {
    let words: Vec<&str> = simple.argv.iter().skip(1).map(|word| word.text.as_str()).collect();
    let has_letter = |letter: char| {
        words.iter().any(|word| word.starts_with('-') && !word.starts_with("--") && word.contains(letter))
    };
    match simple.program.as_str() {
        "grep" | "egrep" | "fgrep" | "rg" | "ag" | "ack" | "zgrep" => {
            let is_quiet =
                has_letter('c') || has_letter('q') || has_letter('l') || words.contains(&"--count");
            let pattern = words.iter().find(|word| !word.starts_with('-')).copied().unwrap_or("");
            let about_secrets =
                pattern.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').any(is_secret_part);
            // `-v` leaves all others; a pattern without a word of its own matches every line.
            let is_inverted = has_letter('v') || words.contains(&"--invert-match");
            let is_empty = !pattern.bytes().any(|byte| byte.is_ascii_alphanumeric());
            !is_quiet && if is_inverted { !about_secrets } else { about_secrets || is_empty }
        }
        // Only the names: `cut -d= -f1`, `awk -F= '{print $1}'`.
        "cut" => {
            !words.iter().any(|word| matches!(*word, "-f1" | "-f" | "--fields=1"))
                || !words.iter().any(|word| matches!(*word, "-f1" | "1" | "--fields=1"))
        }
        "awk" | "gawk" | "mawk" => {
            let program = words.iter().find(|word| word.contains('{') || word.contains('/'));
            !program.is_some_and(|program| {
                program.contains("print $1") && !program.contains("$2") && !program.contains("$0")
            })
        }
        "sed" => !words.iter().any(|word| word.contains("=.*")),
        program => is_first || PASS_ON.contains(&program),
    }
}

/// A word of a pattern that finds secrets: `token`, `SECRET`, `api_key`, `pass`.
fn is_secret_part(word: &str) -> bool {
    let upper = word.to_ascii_uppercase();
    secrets::is_secret_name(word)
        || matches!(
            upper.as_str(),
            "KEY"
                | "KEYS"
                | "PASS"
                | "PWD"
                | "AUTH"
                | "CRED"
                | "CREDS"
                | "SECRETS"
                | "TOKENS"
                | "API"
                | "PASSWORDS"
        )
}
