//! Decides whether the name of a variable, field, header or flag marks its value as secret.

/// The kind of secret that a name marks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Promise {
    /// Chosen by a person: may be short, but is not an identifier.
    Password,
    /// Generated: long and random.
    Key,
}

/// Endings of names that hold a password. `pass` and `pwd` must be separate words, see [`promise`].
const PASSWORDS: [&str; 10] =
    ["password", "passwd", "passwort", "passphrase", "passcode", "pass", "pwd", "passw", "userpw", "dbpw"];

/// Endings of names that hold a key.
const KEYS: [&str; 10] = [
    "secret",
    "credential",
    "credentials",
    "creds",
    "authorization",
    "bearer",
    "jwt",
    "githubpat",
    "gitlabpat",
    "secretkeybase",
];

/// Words before `key` in the names of secret keys. A bare `key` does not mark a secret.
const KEY_OWNERS: [&str; 50] = [
    "api",
    "secret",
    "access",
    "private",
    "encryption",
    "signing",
    "master",
    "auth",
    "account",
    "service",
    "storage",
    "subscription",
    "consumer",
    "app",
    "application",
    "client",
    "shared",
    "sharedaccess",
    "session",
    "jwt",
    "hmac",
    "aes",
    "crypto",
    "cipher",
    "deploy",
    "webhook",
    "admin",
    "write",
    "ingest",
    "license",
    "licence",
    "integration",
    "role",
    "anon",
    "server",
    "token",
    "security",
    "payment",
    "merchant",
    "instrumentation",
    "function",
    "cookie",
    "sendgrid",
    "stripe",
    "openai",
    "aws",
    "google",
    "maps",
    "dd",
    "rest",
];

/// Words before `token` in names that hold no secret; all other tokens are secret.
const HARMLESS_TOKENS: [&str; 33] = [
    "next",
    "page",
    "continuation",
    "pagination",
    "sync",
    "resume",
    "publickey",
    "cancellation",
    "cancel",
    "start",
    "end",
    "eos",
    "bos",
    "pad",
    "unk",
    "sep",
    "cls",
    "mask",
    "stop",
    "special",
    "type",
    "change",
    "request",
    "client",
    "idempotency",
    "cursor",
    "last",
    "first",
    "prev",
    "current",
    "count",
    "max",
    "public",
];

/// Other endings of names that hold no secret, although a part of them would mark one.
const HARMLESS: [&str; 2] = ["hashedsecret", "nopasswd"];

/// Suffixes that do not change the meaning of a name.
const SUFFIXES: [&str; 19] = [
    "value",
    "production",
    "prod",
    "staging",
    "development",
    "dev",
    "test",
    "live",
    "sandbox",
    "old",
    "new",
    "base64",
    "b64",
    "plaintext",
    "plain",
    "string",
    "str",
    "default",
    "override",
];

/// Longer names are judged by their last bytes.
const MOST: usize = 64;

/// Returns the kind of secret that `name` marks.
pub(crate) fn promise(name: &[u8]) -> Option<Promise> {
    let name = &name[name.len().saturating_sub(MOST)..];
    let mut letters = [0; MOST];
    let mut n_letters = 0;
    for byte in name.iter().filter(|byte| byte.is_ascii_alphanumeric()) {
        letters[n_letters] = byte.to_ascii_lowercase();
        n_letters += 1;
    }
    let flat = without_digits(&letters[..n_letters]);
    promise_of(flat, name).or_else(|| {
        let suffix = SUFFIXES.iter().find(|suffix| flat.ends_with(suffix.as_bytes()))?;
        promise_of(without_digits(&flat[..flat.len() - suffix.len()]), &[])
    })
}

/// WHY the last word first: a hook checks every field that it records, and hardly any name
/// ends in one of these words.
fn promise_of(flat: &[u8], name: &[u8]) -> Option<Promise> {
    if let Some(owner) = flat.strip_suffix(b"key") {
        return ends_in(owner, &KEY_OWNERS).then_some(Promise::Key);
    }
    if let Some(kind) = flat.strip_suffix(b"token") {
        return (!ends_in(kind, &HARMLESS_TOKENS)).then_some(Promise::Key);
    }
    if ends_in(flat, &HARMLESS) {
        return None;
    }
    if ends_in(flat, &PASSWORDS) {
        let is_short = flat.ends_with(b"pass") || flat.ends_with(b"pwd");
        return (!is_short || is_short_password(flat, name)).then_some(Promise::Password);
    }
    (ends_in(flat, &KEYS) || flat == b"auth").then_some(Promise::Key)
}

fn ends_in(flat: &[u8], words: &[&str]) -> bool {
    words.iter().any(|word| flat.ends_with(word.as_bytes()))
}

/// Distinguishes `DB_PASS`, `dbPass` and `smtppass` from `bypass`, and `DB_PWD` from the shell's `PWD`.
fn is_short_password(flat: &[u8], name: &[u8]) -> bool {
    const OWNERS: [&str; 14] = [
        "db", "user", "usr", "smtp", "my", "ftp", "mail", "ssh", "sudo", "pg", "mysql", "redis", "login",
        "root",
    ];
    if matches!(name, b"PWD" | b"OLDPWD") {
        return false;
    }
    let n_word = if flat.ends_with(b"pass") { 4 } else { 3 };
    let owner = &flat[..flat.len() - n_word];
    if owner.is_empty() || OWNERS.iter().any(|word| owner.ends_with(word.as_bytes())) {
        return true;
    }
    let name = without_digits(name);
    let word = &name[name.len().saturating_sub(n_word)..];
    let before = name.len().checked_sub(n_word + 1).map(|at| name[at]);
    before.is_some_and(|byte| {
        !byte.is_ascii_alphabetic()
            || byte.is_ascii_lowercase() && word.first().is_some_and(u8::is_ascii_uppercase)
    })
}

fn without_digits(name: &[u8]) -> &[u8] {
    let n_digits = name.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    &name[..name.len() - n_digits]
}

#[cfg(test)]
mod tests {
    use super::{Promise, promise};

    #[test]
    fn a_name_promises_by_its_end() {
        for (name, expected) in [
            ("DB_PASSWORD", Some(Promise::Password)),
            ("spring.datasource.password", Some(Promise::Password)),
            ("dbPass", Some(Promise::Password)),
            ("smtp_pass2", Some(Promise::Password)),
            ("AWS_SECRET_ACCESS_KEY", Some(Promise::Key)),
            ("x-api-key", Some(Promise::Key)),
            ("clientSecret", Some(Promise::Key)),
            ("STRIPE_SECRET_KEY_LIVE", Some(Promise::Key)),
            ("SECRET_KEY_BASE", Some(Promise::Key)),
            ("bypass", None),
            ("compass", None),
            ("PWD", None),
            ("password_hash", None),
            ("tokenizer", None),
            ("token_count", None),
            ("nextPageToken", None),
            ("primary_key", None),
            ("public_key", None),
            ("monkey", None),
            ("PublicKeyToken", None),
        ] {
            assert_eq!(promise(name.as_bytes()), expected, "{name}");
        }
    }
}
