//! Decides whether the name of a variable, field, header or flag marks its value as secret.

mod services;
mod words;

use services::is_service;
use words::{ABOUT, HARMLESS, HARMLESS_KEYS, HARMLESS_TOKENS, KEY_OWNERS, KEYS, PASSWORDS, SUFFIXES};

/// The kind of secret that a name marks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Promise {
    /// Chosen by a person: may be short, but is not an identifier.
    Password,
    /// Generated: long and random.
    Key,
    /// A key by its name, but also a word of parsers and lists: words with spaces do not count.
    Token,
    /// Perhaps a key, perhaps an identifier or a hash: only a generated value counts.
    Perhaps,
    /// Says nothing: only an unmistakable value of both cases counts.
    Bare,
}

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
    promise_of(flat, name)
        .or_else(|| {
            let suffix = SUFFIXES.iter().find(|suffix| {
                suffix.as_bytes().last() == flat.last() && flat.ends_with(suffix.as_bytes())
            })?;
            promise_of(without_digits(&flat[..flat.len() - suffix.len()]), &[])
        })
        .or_else(|| perhaps(flat, name))
}

/// Returns whether `word` before `token` makes it a mark in a list or a string: `next page token`.
pub(crate) fn is_harmless_token(word: &[u8]) -> bool {
    HARMLESS_TOKENS.iter().any(|kind| kind.as_bytes().eq_ignore_ascii_case(word))
}

/// Returns whether `word` before `key` is the name of a service that hands out keys: `pinata key`.
pub(crate) fn is_key_owner(word: &[u8]) -> bool {
    is_service(word)
}

/// Returns whether a name is that of a service, or its last word is: `pinata`, `my_pinata`, `myPinata`.
pub(crate) fn names_service(name: &[u8]) -> bool {
    let mut letters = [0; MOST];
    let mut n_letters = 0;
    for byte in name.iter().filter(|byte| byte.is_ascii_alphanumeric()).take(MOST) {
        letters[n_letters] = *byte;
        n_letters += 1;
    }
    is_service(&letters[..n_letters]) || is_service(without_digits(name)) || is_service(owner_word(name, 0))
}

/// Returns whether a name ends in that of a service whose commits, pages, films and pictures have long identifiers.
pub(crate) fn names_publisher(name: &[u8]) -> bool {
    const PUBLISHERS: [&str; 19] = [
        "bitbucket",
        "codecov",
        "facebook",
        "figma",
        "flickr",
        "github",
        "gitlab",
        "gyazo",
        "imgur",
        "linkedin",
        "miro",
        "notion",
        "pastebin",
        "sourcegraph",
        "spotify",
        "twitch",
        "twitter",
        "wistia",
        "youtube",
    ];
    PUBLISHERS.iter().any(|publisher| {
        let n_before = name.len().checked_sub(publisher.len());
        n_before.is_some_and(|n| name[n..].eq_ignore_ascii_case(publisher.as_bytes()))
    })
}

/// Returns whether `word` before `key` makes it an identifier, a hash or a public key: `cache key`.
pub(crate) fn is_harmless_owner(word: &[u8]) -> bool {
    HARMLESS_KEYS.iter().any(|owner| owner.as_bytes().eq_ignore_ascii_case(word))
}

/// Returns [`Promise::Perhaps`] for the key of an unknown owner (`acme_key`), and for a telling word with other
/// words after it (`api_key_of_acme`), and for an interface (`acme_api`).
fn perhaps(flat: &[u8], name: &[u8]) -> Option<Promise> {
    if flat.ends_with(b"api") {
        let owner = &flat[..flat.len() - 3];
        return (is_separate(name, 3) && owner.len() >= 2 || is_service(owner)).then_some(Promise::Perhaps);
    }
    if let Some(owner) = flat.strip_suffix(b"key") {
        let is_word = is_separate(name, 3) && owner.len() >= 2;
        return (is_word && !ends_in(owner, &HARMLESS_KEYS)).then_some(Promise::Perhaps);
    }
    if flat.ends_with(b"pat") {
        return is_separate(name, 3).then_some(Promise::Perhaps);
    }
    // WHY the marks first: hardly any field that a hook records has one, and the lists are long.
    if !has_mark(name) && !begins_with_mark(name) {
        return None;
    }
    let is_about = ends_in(flat, &ABOUT) || ends_in(flat, &HARMLESS);
    let is_harmless = is_about || flat.ends_with(b"s") || flat.ends_with(b"token");
    (!is_harmless).then_some(Promise::Perhaps)
}

/// Returns whether the words of `name` up to a separator mark a secret: `db_key_secure`, `smtp-pass-backup`.
fn begins_with_mark(name: &[u8]) -> bool {
    let mut letters = [0; MOST];
    let mut n_letters = 0;
    for (at, byte) in name.iter().enumerate() {
        if byte.is_ascii_alphanumeric() {
            letters[n_letters] = byte.to_ascii_lowercase();
            n_letters += 1;
            continue;
        }
        let (words, flat) = (&name[..at], without_digits(&letters[..n_letters]));
        let is_key = flat.strip_suffix(b"key").is_some_and(|owner| {
            owner.len() >= 2 && is_separate(words, 3) && !ends_in(owner, &HARMLESS_KEYS)
        });
        if is_key || matches!(promise_of(flat, words), Some(Promise::Password | Promise::Key)) {
            return true;
        }
    }
    false
}

/// Returns whether a telling word is in `name`, and more words after it.
fn has_mark(name: &[u8]) -> bool {
    const MARKS: [&str; 9] = [
        "apikey",
        "api_key",
        "api-key",
        "secret",
        "password",
        "passwd",
        "private_key",
        "privatekey",
        "token",
    ];
    let is_marked = |at: usize, mark: &str| {
        let Some(window) = name.get(at..at + mark.len() + 1) else { return false };
        let (word, next) = (&window[..mark.len()], window[mark.len()]);
        let is_end =
            if word[0].is_ascii_lowercase() { !next.is_ascii_lowercase() } else { b"_-.".contains(&next) };
        is_end && word.eq_ignore_ascii_case(mark.as_bytes())
    };
    name.iter().enumerate().any(|(at, first)| {
        b"aspt".contains(&first.to_ascii_lowercase()) && MARKS.iter().any(|mark| is_marked(at, mark))
    })
}

/// Returns whether the last `n_word` letters of `name` are a separate word: `acme_key`, `acmeKey`, not `monkey`.
fn is_separate(name: &[u8], n_word: usize) -> bool {
    let name = without_digits(name);
    let word = &name[name.len().saturating_sub(n_word)..];
    let before = name.len().checked_sub(n_word + 1).map(|at| name[at]);
    before.is_some_and(|byte| {
        !byte.is_ascii_alphabetic()
            || byte.is_ascii_lowercase() && word.first().is_some_and(u8::is_ascii_uppercase)
    })
}

/// WHY the last word first: a hook checks every field that it records, and hardly any name
/// ends in one of these words.
fn promise_of(flat: &[u8], name: &[u8]) -> Option<Promise> {
    if let Some(owner) = flat.strip_suffix(b"key") {
        let is_key = ends_in(owner, &KEY_OWNERS) || is_service(owner) || is_service(owner_word(name, 3));
        return is_key.then_some(Promise::Key);
    }
    if let Some(kind) = flat.strip_suffix(b"token") {
        return (!is_harmless_kind(kind, name)).then_some(Promise::Token);
    }
    if ends_in(flat, &HARMLESS) {
        return None;
    }
    if ends_in(flat, &PASSWORDS) {
        let is_short = [&b"pass"[..], b"pwd", b"pw"].iter().any(|word| flat.ends_with(word));
        return (!is_short || is_short_password(flat, name)).then_some(Promise::Password);
    }
    (ends_in(flat, &KEYS) || flat == b"auth").then_some(Promise::Key)
}

/// Returns whether the letters before `token` make it a mark in a list or a string. A short word must stand alone: the
/// `end` of `end_token`, not that of `clicksend_token`.
fn is_harmless_kind(kind: &[u8], name: &[u8]) -> bool {
    // WHY the last byte first: comparing slices is a call, as in `ends_in`.
    let last = kind.last();
    let is_alone = |word: &str| name.is_empty() || word.as_bytes().eq_ignore_ascii_case(owner_word(name, 5));
    HARMLESS_TOKENS.iter().any(|word| {
        word.as_bytes().last() == last
            && kind.ends_with(word.as_bytes())
            && (word.len() > 3 || is_alone(word))
    })
}

/// Returns the word before the last `n_last` letters of a name. Of `key`, that is `pinata` of `my_pinata_key` and `Pinata` of `myPinataKey`.
fn owner_word(name: &[u8], n_last: usize) -> &[u8] {
    let name = without_digits(name);
    let owner = &name[..name.len().saturating_sub(n_last)];
    let owner = &owner[..owner.iter().rposition(u8::is_ascii_alphanumeric).map_or(0, |last| last + 1)];
    let starts = |at: &usize| {
        let before = owner[*at - 1];
        !before.is_ascii_alphanumeric() || before.is_ascii_lowercase() && owner[*at].is_ascii_uppercase()
    };
    let start = (1..owner.len()).rev().find(starts).unwrap_or(0);
    &owner[start..]
}

fn ends_in(flat: &[u8], words: &[&str]) -> bool {
    // WHY the last byte first: comparing slices is a call, and these lists are long.
    let last = flat.last();
    words.iter().any(|word| word.as_bytes().last() == last && flat.ends_with(word.as_bytes()))
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
    let n_word = if flat.ends_with(b"pass") {
        4
    } else if flat.ends_with(b"pwd") {
        3
    } else {
        2
    };
    let owner = &flat[..flat.len() - n_word];
    owner.is_empty() && n_word > 2
        || OWNERS.iter().any(|word| owner.ends_with(word.as_bytes()))
        || is_separate(name, n_word)
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
            ("github_token", Some(Promise::Token)),
            ("pinataKey", Some(Promise::Key)),
            ("my_pinata_key", Some(Promise::Key)),
            ("MyPinataKey2", Some(Promise::Key)),
            ("ZENDESK_KEY", Some(Promise::Key)),
            ("acme_api", Some(Promise::Perhaps)),
            ("pinataAPI", Some(Promise::Perhaps)),
            ("api", None),
            ("okapi", None),
            ("acme_key", Some(Promise::Perhaps)),
            ("acmeKey", Some(Promise::Perhaps)),
            ("cache_key", None),
            ("apikey_of_acme", Some(Promise::Perhaps)),
            ("db_key_backup", Some(Promise::Perhaps)),
            ("smtp-pass-spare", Some(Promise::Perhaps)),
            ("my_client_key_secure", Some(Promise::Key)),
            ("cache_key_prefix", None),
            ("key_pass_count", None),
            ("contrase\u{f1}a", Some(Promise::Password)),
            ("password_for_billing", Some(Promise::Perhaps)),
            ("acme_pw", Some(Promise::Password)),
            ("PublicKeyToken", None),
        ] {
            assert_eq!(promise(name.as_bytes()), expected, "{name}");
        }
    }
}
