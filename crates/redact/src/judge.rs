//! Whether the value beside a telling name is a secret, or code, or prose.

use crate::contains;
use crate::name::Promise;
use crate::placeholder::is_placeholder;
use crate::randomness::looks_random;

/// Where the value stands; the less it can be anything but a literal, the less proof it needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Setting {
    /// The string value of a parsed JSON field.
    Field,
    /// Between quotes.
    Quoted,
    /// The rest of a line of an `.env`, ini or YAML file, the content of an XML element, the value of a flag.
    Line,
    /// Anything else: perhaps an expression, perhaps a sentence.
    Loose,
    /// Nothing but a blank between name and value.
    Prose,
}

/// Says whether `value` is a secret.
pub(crate) fn is_secret(promise: Promise, setting: Setting, value: &[u8]) -> bool {
    if is_placeholder(value) || names_a_place(value) || is_digest(value) {
        return false;
    }
    if setting == Setting::Field {
        return !value.contains(&b' ') || looks_random(value);
    }
    if value.iter().any(u8::is_ascii_whitespace) {
        return false;
    }
    match promise {
        Promise::Key => is_key(setting, value),
        Promise::Password => is_password(setting, value) || is_key(setting, value),
    }
}

fn is_key(setting: Setting, value: &[u8]) -> bool {
    let least = match setting {
        Setting::Field | Setting::Quoted | Setting::Line => 8,
        Setting::Loose => 12,
        Setting::Prose => 20,
    };
    let has_digit = value.iter().any(u8::is_ascii_digit);
    value.len() >= least && (has_digit || value.len() >= 20) && looks_random(value)
}

fn is_password(setting: Setting, value: &[u8]) -> bool {
    let has_digit = value.iter().any(u8::is_ascii_digit);
    let has_letter = value.iter().any(|byte| byte.is_ascii_alphabetic() || !byte.is_ascii());
    let has_mark = value.iter().any(|byte| b"!@#$%^&*+~?".contains(byte));
    if names_itself(value, has_mark) || is_technical(value) || is_rule(value) {
        return false;
    }
    match setting {
        Setting::Field | Setting::Quoted => value.len() >= 5 && (has_digit || has_mark && has_letter),
        Setting::Line if is_expression(value) => false,
        Setting::Line => value.len() >= 6 && (has_digit || has_mark || is_word_of(value, 8)),
        Setting::Loose | Setting::Prose => {
            value.len() >= 6
                && has_letter
                && !is_expression(value)
                && (has_digit && has_mark || is_leet(value))
        }
    }
}

/// Letters only, `least` or more: a password where nothing but a literal can stand, as in an `.env` file.
fn is_word_of(value: &[u8], least: usize) -> bool {
    value.len() >= least && value.iter().all(u8::is_ascii_alphabetic)
}

/// Digits in the midst of letters, or both cases and digits: `s3cr3t7`, not `user2` and not `utf8Name`.
fn is_leet(value: &[u8]) -> bool {
    let n_turns =
        value.windows(2).filter(|pair| pair[0].is_ascii_digit() != pair[1].is_ascii_digit()).count();
    n_turns >= 2 && value.iter().all(u8::is_ascii_alphanumeric)
}

/// `user.password`, `config::get`, `a->b`, `f(x)`, `x[0]`: names of a program.
fn is_expression(value: &[u8]) -> bool {
    let is_path = value.first().is_some_and(|byte| byte.is_ascii_alphabetic() || b"_$&*@".contains(byte))
        && value.iter().skip(1).all(|byte| byte.is_ascii_alphanumeric() || b"_.:->?!".contains(byte))
        && value.iter().any(|byte| b"._:".contains(byte));
    is_path || contains(value, b"(") || value.contains(&b'[') && value.contains(&b']')
}

/// `confirm_password2`, `#password-field`: says the word instead of keeping a secret.
fn names_itself(value: &[u8], has_mark: bool) -> bool {
    let lower = value.to_ascii_lowercase();
    let says_it =
        ["password", "passwd", "passwort", "passphrase"].iter().any(|word| contains(&lower, word.as_bytes()));
    let n_digits = value.iter().filter(|byte| byte.is_ascii_digit()).count();
    let is_selector = value.first().is_some_and(|byte| b"#.@".contains(byte));
    says_it && (n_digits < 2 && !has_mark || is_selector)
}

/// A file, an address or a resource that holds the secret.
fn names_a_place(value: &[u8]) -> bool {
    const STARTS: [&str; 14] = [
        "/", "./", "../", "~/", "http://", "https://", "file:", "arn:", "urn:", "data:", "vault:", "op://",
        "ref+", "C:\\",
    ];
    STARTS.iter().any(|start| value.starts_with(start.as_bytes()))
        && (value.len() < 2 || !is_base64_start(value))
}

/// A slash may also be the first character of a base64 key: then there is no second one soon, nor a dot.
fn is_base64_start(value: &[u8]) -> bool {
    let head = &value[1..value.len().min(24)];
    value[0] == b'/'
        && value.len() >= 20
        && looks_random(value)
        && !head.contains(&b'/')
        && !value.contains(&b'.')
}

/// `sha256:…`, `sha512-…`, `$2b$12$…`: says itself that it is a hash.
fn is_digest(value: &[u8]) -> bool {
    ["sha1", "sha256", "sha384", "sha512", "md5", "SHA256", "SHA1", "MD5"].iter().any(|name| {
        value
            .strip_prefix(name.as_bytes())
            .and_then(|rest| rest.first())
            .is_some_and(|byte| b"-:=(".contains(byte))
    })
}

/// A name with a number that is no secret: `base64`, `sha256`, `aes-256-gcm`, `oauth2`.
fn is_technical(value: &[u8]) -> bool {
    const NAMES: [&str; 21] = [
        "base", "sha", "md", "aes", "utf", "hs", "rs", "es", "oauth", "http", "ipv", "rfc", "iso", "ed", "x",
        "pbkdf", "argon", "bcrypt", "win", "ascii", "latin",
    ];
    let n_letters = value.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
    let (letters, rest) = value.split_at(n_letters);
    rest.first().is_some_and(|byte| byte.is_ascii_digit() || *byte == b'-')
        && NAMES.iter().any(|name| name.as_bytes().eq_ignore_ascii_case(letters))
}

/// `required|min:8`, `min:8`, `string,8`: a rule about passwords.
fn is_rule(value: &[u8]) -> bool {
    value.split(|byte| b"|,".contains(byte)).all(|rule| {
        let (name, number) = rule.split_at(rule.iter().position(|byte| *byte == b':').unwrap_or(rule.len()));
        name.len() >= 2
            && name.iter().all(|byte| byte.is_ascii_lowercase() || *byte == b'_')
            && number.iter().skip(1).all(u8::is_ascii_digit)
    }) && value.iter().any(|byte| b":|".contains(byte))
}
