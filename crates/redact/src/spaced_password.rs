//! Passwords with spaces between quotes: `password = "open sesame 42!"`.
//!
//! Labels, hints and messages about passwords also stand between quotes, so words of such texts
//! decide against a password, and after a colon, where translations have their texts, words are not enough.

use crate::judge::Setting;

/// Words of labels, hints and messages.
const OF_LABELS: [&str; 56] = [
    "a",
    "an",
    "are",
    "at",
    "be",
    "been",
    "cannot",
    "change",
    "character",
    "characters",
    "choose",
    "confirm",
    "contain",
    "current",
    "enter",
    "error",
    "failed",
    "for",
    "forgot",
    "has",
    "have",
    "in",
    "incorrect",
    "invalid",
    "is",
    "least",
    "length",
    "login",
    "match",
    "minimum",
    "missing",
    "must",
    "new",
    "no",
    "not",
    "of",
    "old",
    "only",
    "or",
    "passwd",
    "password",
    "passwords",
    "passphrase",
    "please",
    "required",
    "reset",
    "secret",
    "should",
    "strong",
    "the",
    "this",
    "to",
    "token",
    "user",
    "username",
    "your",
];

/// Returns whether a value with spaces is a password.
pub(crate) fn is_one(setting: Setting, value: &[u8]) -> bool {
    let words: Vec<&[u8]> = value.split(|byte| *byte == b' ').collect();
    let is_label = |word: &&[u8]| {
        let letters = word.trim_ascii_end();
        let letters = letters.strip_suffix(b":").or_else(|| letters.strip_suffix(b".")).unwrap_or(letters);
        OF_LABELS.iter().any(|label| label.as_bytes().eq_ignore_ascii_case(letters))
    };
    if !(2..=8).contains(&words.len())
        || !(8..=64).contains(&value.len())
        || words.iter().any(|word| word.is_empty() || is_label(word))
        || value.iter().any(|byte| b"<>{}()=;|\\\t".contains(byte))
    {
        return false;
    }
    let has_digit = value.iter().any(u8::is_ascii_digit);
    let has_mark = value.iter().any(|byte| b"!@#$%^&*".contains(byte));
    has_digit && has_mark
        || setting == Setting::Assigned && !value[0].is_ascii_uppercase() && words.len() >= 3
}

#[cfg(test)]
mod tests {
    use super::is_one;
    use crate::judge::Setting;

    #[test]
    fn words_after_an_equals_sign_are_a_password_and_labels_are_not() {
        for (setting, value, expected) in [
            (Setting::Assigned, "open the old gate", false),
            (Setting::Assigned, "green apples on monday", true),
            (Setting::Assigned, "Green apples on monday", false),
            (Setting::Assigned, "enter your password", false),
            (Setting::Assigned, "two words", false),
            (Setting::Assigned, "gr33n apples!", true),
            (Setting::Quoted, "gr33n apples!", true),
            (Setting::Quoted, "green apples on monday", false),
            (Setting::Quoted, "At least 8 characters!", false),
        ] {
            assert_eq!(is_one(setting, value.as_bytes()), expected, "{value}");
        }
    }
}
