//! Passwords of plain words: `correct-horse-battery`.
//!
//! Such a value is not random, and names of fields, styles and resources look the same. Those
//! contain one of a few technical words: a value with one of them is a name.

/// The least number of words in a passphrase.
const LEAST_WORDS: usize = 3;
const MOST_WORDS: usize = 8;

/// Technical words in names of things other than passwords.
const OF_NAMES: &[&str] = &[
    "account",
    "action",
    "admin",
    "agent",
    "and",
    "api",
    "app",
    "application",
    "auth",
    "aws",
    "backend",
    "base",
    "box",
    "btn",
    "button",
    "cache",
    "change",
    "class",
    "client",
    "cluster",
    "col",
    "component",
    "config",
    "confirm",
    "container",
    "content",
    "cookie",
    "create",
    "credential",
    "credentials",
    "current",
    "data",
    "database",
    "default",
    "dev",
    "dialog",
    "email",
    "enter",
    "env",
    "error",
    "event",
    "false",
    "field",
    "file",
    "for",
    "forgot",
    "form",
    "frontend",
    "generate",
    "grant",
    "group",
    "handler",
    "hash",
    "header",
    "help",
    "hide",
    "hint",
    "host",
    "icon",
    "input",
    "invalid",
    "item",
    "key",
    "label",
    "length",
    "level",
    "link",
    "list",
    "local",
    "login",
    "manager",
    "max",
    "message",
    "min",
    "modal",
    "name",
    "new",
    "not",
    "null",
    "old",
    "only",
    "option",
    "page",
    "param",
    "pass",
    "path",
    "policy",
    "postgres",
    "prod",
    "production",
    "prompt",
    "provider",
    "redis",
    "register",
    "repeat",
    "request",
    "required",
    "reset",
    "role",
    "root",
    "row",
    "rule",
    "rules",
    "screen",
    "secret",
    "service",
    "set",
    "settings",
    "show",
    "signin",
    "signup",
    "staging",
    "state",
    "store",
    "string",
    "strong",
    "style",
    "submit",
    "test",
    "text",
    "the",
    "title",
    "toggle",
    "token",
    "too",
    "true",
    "type",
    "update",
    "url",
    "user",
    "username",
    "valid",
    "validation",
    "value",
    "var",
    "vault",
    "view",
    "weak",
    "with",
    "wrapper",
    "your",
];

/// Returns whether a value is three or more plain words with hyphens between, and no technical name.
pub(crate) fn is_passphrase(value: &[u8]) -> bool {
    let is_word = |word: &[u8]| {
        (3..=12).contains(&word.len())
            && word.iter().all(u8::is_ascii_alphabetic)
            && word[1..].iter().all(u8::is_ascii_lowercase)
    };
    let words: Vec<&[u8]> = value.split(|byte| *byte == b'-').collect();
    (LEAST_WORDS..=MOST_WORDS).contains(&words.len())
        && words.iter().all(|word| is_word(word) && !is_of_names(word))
}

fn is_of_names(word: &[u8]) -> bool {
    let lower = word.to_ascii_lowercase();
    let stem = lower.strip_suffix(b"s").unwrap_or(&lower);
    OF_NAMES.iter().any(|name| name.as_bytes() == lower || name.as_bytes() == stem)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_words_are_a_passphrase_and_names_are_not() {
        for passphrase in ["three-plain-words", "correct-horse-battery-staple", "Sunny-River-Stone"] {
            assert!(is_passphrase(passphrase.as_bytes()), "{passphrase}");
        }
        for name in [
            "two-words",
            "input-field-large",
            "next-page-token",
            "my-app-db",
            "user-login-pass",
            "aws-secrets-manager",
            "BIG-WORDS-HERE",
            "camelCase-words-here",
            "with_under_scores",
            "one--two-three",
        ] {
            assert!(!is_passphrase(name.as_bytes()), "{name}");
        }
    }
}
