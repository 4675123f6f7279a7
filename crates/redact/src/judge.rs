//! Decides whether the value of a telling name is a secret, code or prose.

use crate::brackets::is_balanced;
use crate::contains;
use crate::key_shape::{
    holds_sealed_key, is_generated, is_long_number, is_made_of_all, is_mixed, is_symbolic, is_unmistakable,
};
use crate::name::Promise;
use crate::passphrase::is_passphrase;
use crate::placeholder::is_placeholder;
use crate::randomness::looks_random;
use crate::spaced_password;

/// The context of a value; the more certainly it is a literal, the less evidence it needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Setting {
    /// The string value of a parsed JSON field.
    Field,
    /// Between quotes.
    Quoted,
    /// Between quotes, after `=`: no label of a form, as a translation has after `:`.
    Assigned,
    /// The rest of a line of an `.env`, ini or YAML file, the value of a flag.
    Line,
    /// The content of an XML element.
    Element,
    /// Between quotes, after a comma: the next argument, or the next of a list.
    Listed,
    /// The literal argument of a call: perhaps the name by which the secret is found.
    Argument,
    /// Anything else: perhaps an expression, perhaps a sentence.
    Loose,
    /// Only a space between name and value.
    Prose,
}

impl Setting {
    /// Returns whether a value of many marks is a password here: the value is a literal.
    fn takes_symbols(self) -> bool {
        self.is_literal() || self == Self::Listed
    }

    /// Returns whether only a literal can be here.
    fn is_literal(self) -> bool {
        matches!(self, Self::Field | Self::Quoted | Self::Assigned | Self::Line | Self::Element)
    }
}

/// Longer values are judged by their first bytes; an element is read whole, because its last byte counts.
const SAMPLE: usize = 128;
const ELEMENT_SAMPLE: usize = 1024;

/// Returns whether `value` is a secret.
pub(crate) fn is_secret(promise: Promise, setting: Setting, value: &[u8]) -> bool {
    let most = if setting == Setting::Element { ELEMENT_SAMPLE } else { SAMPLE };
    let sample = &value[..value.len().min(most)];
    looks_secret(promise, setting, sample)
        && !is_placeholder(sample)
        && !names_a_place(sample)
        && !is_digest(sample)
}

fn looks_secret(promise: Promise, setting: Setting, value: &[u8]) -> bool {
    match promise {
        Promise::Perhaps => {
            return setting != Setting::Prose && is_generated(value)
                || setting.takes_symbols() && is_symbolic(value)
                || setting.is_literal() && value.len() >= 8 && is_spiced(value);
        }
        Promise::Bare => return setting.is_literal() && is_unmistakable(value),
        Promise::Key | Promise::Token | Promise::Password => {}
    }
    if setting == Setting::Field {
        return !value.contains(&b' ') || looks_random(value);
    }
    if value.iter().any(u8::is_ascii_whitespace) {
        return match setting {
            Setting::Element => holds_sealed_key(value),
            Setting::Quoted | Setting::Assigned => {
                promise != Promise::Token && spaced_password::is_one(setting, value)
            }
            _ => false,
        };
    }
    match promise {
        Promise::Perhaps | Promise::Bare => false,
        Promise::Key | Promise::Token => is_key(setting, value),
        Promise::Password => {
            let is_certain = !matches!(setting, Setting::Prose | Setting::Argument);
            is_key(setting, value) || is_certain && is_password(setting, value)
        }
    }
}

fn is_key(setting: Setting, value: &[u8]) -> bool {
    let least = match setting {
        Setting::Field | Setting::Quoted | Setting::Assigned | Setting::Line | Setting::Element => 8,
        Setting::Loose | Setting::Listed | Setting::Argument => 12,
        Setting::Prose if is_mixed(value) => 16,
        Setting::Prose => 20,
    };
    let has_digit = value.iter().any(u8::is_ascii_digit);
    let is_code = setting == Setting::Loose && value.contains(&b'\\');
    value.len() >= least
        && !is_code
        && ((has_digit || value.len() >= 20)
            && (looks_random(value)
                || setting.is_literal()
                    && (is_made_of_all(value) || is_spiced(value) || is_long_number(value)))
            || setting.takes_symbols() && is_symbolic(value))
}

/// Words with digits and the marks people add to a password: `mySuperSecretKey2024!`.
fn is_spiced(value: &[u8]) -> bool {
    value.iter().any(u8::is_ascii_digit)
        && value.iter().any(u8::is_ascii_alphabetic)
        && (value.iter().any(|byte| b"!#^*".contains(byte))
            || value.last().is_some_and(|last| b"%$?@&~+".contains(last)))
        && !value.contains(&b'/')
        && !is_expression(value)
}

fn is_password(setting: Setting, value: &[u8]) -> bool {
    let has_digit = value.iter().any(u8::is_ascii_digit);
    let has_letter = value.iter().any(|byte| byte.is_ascii_alphabetic() || !byte.is_ascii());
    let has_mark = value.iter().any(|byte| b"!@#$%^&*+~?".contains(byte)) && !is_mail_address(value);
    if names_itself(value, has_mark) || is_technical(value) || is_rule(value) {
        return false;
    }
    match setting {
        Setting::Field | Setting::Quoted | Setting::Assigned => {
            let is_number = value.iter().all(u8::is_ascii_digit);
            value.len() >= 5 && (has_letter && (has_digit || has_mark) || is_number) || is_passphrase(value)
        }
        Setting::Line | Setting::Element if is_expression(value) => false,
        Setting::Line | Setting::Element => {
            value.len() >= 6 && (has_digit || has_mark || is_word_of(value, 8) || is_passphrase(value))
        }
        Setting::Listed if value.iter().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit()) => {
            false
        }
        Setting::Listed | Setting::Argument | Setting::Loose | Setting::Prose => {
            value.len() >= 6
                && has_letter
                && !is_expression(value)
                && (has_digit && has_mark || is_leet(value) || has_number(value) || is_symbolic(value))
        }
    }
}

/// Letters only, `least` or more, and no name of a type: a password where nothing but a literal can stand, as
/// in an `.env` file.
fn is_word_of(value: &[u8], least: usize) -> bool {
    value.len() >= least && value.iter().all(u8::is_ascii_alphabetic) && !is_type_name(value)
}

/// Words of three letters or more, each with a capital: `SecretStr`.
fn is_type_name(value: &[u8]) -> bool {
    let starts = value.iter().filter(|byte| byte.is_ascii_uppercase()).count();
    let is_short = |pair: &[u8]| pair[0].is_ascii_uppercase() && !pair[1].is_ascii_lowercase();
    starts >= 2
        && value[0].is_ascii_uppercase()
        && value.last().is_some_and(u8::is_ascii_lowercase)
        && !value.windows(2).any(is_short)
}

/// Digits in the midst of letters, or both cases and digits: `s3cr3t7`, not `user2` and not `utf8Name`.
fn is_leet(value: &[u8]) -> bool {
    let n_turns =
        value.windows(2).filter(|pair| pair[0].is_ascii_digit() != pair[1].is_ascii_digit()).count();
    n_turns >= 2 && value.iter().all(u8::is_ascii_alphanumeric)
}

/// Letters and then a number of two digits or more: `Xyz98765`. A name of a program rarely has that.
fn has_number(value: &[u8]) -> bool {
    let n_digits = value.iter().filter(|byte| byte.is_ascii_digit()).count();
    n_digits >= 3 && value.iter().all(u8::is_ascii_alphanumeric)
}

/// `user@site`, also without a domain.
fn is_mail_address(value: &[u8]) -> bool {
    let is_plain = |byte: &u8| byte.is_ascii_alphabetic() || b".-_@".contains(byte);
    value.iter().all(is_plain) && value.split(|byte| *byte == b'@').count() == 2
}

/// `user.password`, `config::get`, `a->b`, `f(x)`, `x[0]`: names of a program.
fn is_expression(value: &[u8]) -> bool {
    let is_path = value.first().is_some_and(|byte| byte.is_ascii_alphabetic() || b"_$&*@".contains(byte))
        && value.iter().skip(1).all(|byte| byte.is_ascii_alphanumeric() || b"_.:->?!".contains(byte))
        && value.iter().any(|byte| b"._:".contains(byte));
    is_path
        || value.contains(&b'\\')
        || contains(value, b"(") && (is_balanced(value) || !is_symbolic(value))
        || value.contains(&b'[') && value.contains(&b']') && is_balanced(value)
}

/// `confirm_password2`, `#password-field`: names a password field instead of holding a password.
fn names_itself(value: &[u8], has_mark: bool) -> bool {
    let lower = value.to_ascii_lowercase();
    let says_it =
        ["password", "passwd", "passwort", "passphrase"].iter().any(|word| contains(&lower, word.as_bytes()));
    let n_digits = value.iter().filter(|byte| byte.is_ascii_digit()).count();
    let is_selector = value.first().is_some_and(|byte| b"#.@".contains(byte));
    says_it && (n_digits < 2 && !has_mark || is_selector)
}

/// A file, a URL or a resource that holds the secret.
fn names_a_place(value: &[u8]) -> bool {
    const STARTS: [&str; 14] = [
        "/", "./", "../", "~/", "http://", "https://", "file:", "arn:", "urn:", "data:", "vault:", "op://",
        "ref+", "C:\\",
    ];
    // WHY the first byte first: hardly a value begins like a place, and comparing slices is a call.
    let first = value.first();
    STARTS.iter().any(|start| start.as_bytes().first() == first && value.starts_with(start.as_bytes()))
        && (value.len() < 2 || !is_base64_start(value))
        || value.contains(&b'/') && contains(value, b"/secrets/")
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

/// `sha256:…`, `sha512-…`, `$2b$12$…`: marked as a hash.
fn is_digest(value: &[u8]) -> bool {
    value.first().is_some_and(|first| b"smSM".contains(first))
        && ["sha1", "sha256", "sha384", "sha512", "md5", "SHA256", "SHA1", "MD5"].iter().any(|name| {
            value
                .strip_prefix(name.as_bytes())
                .and_then(|rest| rest.first())
                .is_some_and(|byte| b"-:=(".contains(byte))
        })
}

/// A name with a number that is not a secret: `base64`, `sha256`, `aes-256-gcm`, `oauth2`.
fn is_technical(value: &[u8]) -> bool {
    const NAMES: [&str; 21] = [
        "base", "sha", "md", "aes", "utf", "hs", "rs", "es", "oauth", "http", "ipv", "rfc", "iso", "ed", "x",
        "pbkdf", "argon", "bcrypt", "win", "ascii", "latin",
    ];
    let n_letters = value.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
    let (letters, rest) = value.split_at(n_letters);
    rest.first().is_some_and(|byte| byte.is_ascii_digit() || *byte == b'-')
        && rest.iter().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(byte))
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
