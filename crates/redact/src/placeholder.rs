//! Placeholders for secrets.

use crate::brackets::is_balanced;
use crate::class::Class;
use crate::randomness::looks_random;
use crate::{REPLACEMENT, contains};

/// Words that mark any credential as an example: documentation and templates, never a real key.
/// WHY `example` alone and no `test` or `demo`: Stripe's and Square's test keys are real.
const ANYWHERE: [&[u8]; 17] = [
    b"example",
    b"xxxx",
    b"your-",
    b"your_",
    b"yourtoken",
    b"yourapi",
    b"yourkey",
    b"yoursecret",
    b"placeholder",
    b"changeme",
    b"change-me",
    b"change_me",
    b"replace-",
    b"replace_",
    b"redacted",
    b"insert_",
    b"dummy",
];

/// For each letter, the letters after it at the start of these words: hardly a pair in a value is one of them.
const STARTS: [u32; 26] = starts();

const fn starts() -> [u32; 26] {
    let mut rows = [0; 26];
    let mut index = 0;
    while index < ANYWHERE.len() {
        let word = ANYWHERE[index];
        rows[(word[0] - b'a') as usize] |= 1 << (word[1] - b'a');
        index += 1;
    }
    rows
}

/// The bytes that every reference has one of, unless it begins with its own mark.
const REFERENCES: Class = Class::of("[%${#.(");

/// Whole values that are commonly written as a placeholder.
const ALONE: [&str; 71] = [
    "admin123",
    "changeit",
    "pass123",
    "password1",
    "password12",
    "password123",
    "secret123",
    "test123",
    "test1234",
    "admin",
    "any",
    "bearer",
    "boolean",
    "bool",
    "default",
    "demo",
    "dev",
    "development",
    "disabled",
    "empty",
    "enabled",
    "fake",
    "false",
    "foo",
    "foobar",
    "bar",
    "guest",
    "hidden",
    "hunter",
    "invalid",
    "local",
    "localhost",
    "mypassword",
    "mysecret",
    "mysecretpassword",
    "mytoken",
    "mysql",
    "nil",
    "no",
    "none",
    "null",
    "number",
    "object",
    "off",
    "on",
    "optional",
    "pass",
    "passwd",
    "password",
    "passphrase",
    "postgres",
    "prompt",
    "pw",
    "pwd",
    "required",
    "root",
    "sample",
    "secret",
    "something",
    "str",
    "string",
    "test",
    "testing",
    "testpassword",
    "text",
    "token",
    "true",
    "undefined",
    "user",
    "username",
    "yes",
];

/// Returns whether `value` is a reference, a template or a placeholder.
pub(crate) fn is_placeholder(value: &[u8]) -> bool {
    value.is_empty() || is_reference(value) || is_stand_in(value) || is_lone_word(value)
}

/// Returns whether a token of the right format is a documented example.
pub(crate) fn is_stand_in(value: &[u8]) -> bool {
    has_one_character_mostly(value) || mentions(value, &ANYWHERE)
}

/// Returns whether `value` references the secret: `$TOKEN`, `${{ secrets.X }}`, `<token>`, `%s`.
pub(crate) fn is_reference(value: &[u8]) -> bool {
    let Some(&first) = value.first() else { return true };
    // WHY: nearly every value ends here, and each of the texts below would be another pass over it.
    if !b"<@&".contains(&first) && !value.iter().any(|byte| REFERENCES.has(*byte)) {
        return false;
    }
    if contains(value, REPLACEMENT.as_bytes()) || contains(value, b"%s") {
        return true;
    }
    let inner = value.get(1..).unwrap_or_default();
    match first {
        b'$' => inner.first().is_none_or(|byte| {
            matches!(byte, b'{' | b'(' | b'[') && is_balanced(value)
                || inner
                    .iter()
                    .all(|byte| byte.is_ascii_uppercase() || *byte == b'_' || byte.is_ascii_digit())
                || inner
                    .iter()
                    .all(|byte| byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'.' | b'-' | b'>'))
        }),
        b'<' => {
            contains(value, b">")
                || inner.iter().all(|byte| byte.is_ascii_alphabetic() || b"-_ ".contains(byte))
        }
        b'{' => (contains(value, b"}") || inner.first() == Some(&b'{')) && is_template(value),
        b'[' => value.ends_with(b"]"),
        b'%' => {
            value.ends_with(b"%")
                || matches!(inner, b"s" | b"d" | b"v" | b"q" | b"r" | b"@")
                || inner.starts_with(b"(")
        }
        b'@' => inner.first() == Some(&b'{'),
        b'&' => inner.starts_with(b"lt;"),
        _ => {
            (contains(value, b"${") || contains(value, b"{{") || contains(value, b"#{")) && is_balanced(value)
                || contains(value, b"process.env")
                || contains(value, b"os.environ")
                || contains(value, b"getenv")
                || contains(value, b"...")
        }
    }
}

/// The first letters of a key that Jenkins has encrypted.
pub(crate) const SEAL: &[u8] = b"AQAAABAAA";

/// Returns whether a value in braces is a template. A key that Jenkins has encrypted is also in braces.
fn is_template(value: &[u8]) -> bool {
    let inner = value.strip_prefix(b"{").and_then(|rest| rest.strip_suffix(b"}")).unwrap_or(value);
    let is_sealed = inner.split(u8::is_ascii_whitespace).any(|word| {
        word.starts_with(SEAL)
            || word.len() >= 12 && looks_random(word) && word.iter().any(u8::is_ascii_digit)
    });
    is_balanced(value) && !is_sealed
}

fn is_lone_word(value: &[u8]) -> bool {
    value.len() <= 16 && ALONE.iter().any(|word| word.as_bytes().eq_ignore_ascii_case(value))
}

/// Returns whether nearly all of `value` is one character, as in `xxxxxxxx`, `********`, `AKIAXXXXXXXXXXXXXXXX`.
fn has_one_character_mostly(value: &[u8]) -> bool {
    let tail = &value[value.len() / 2..];
    let Some(&last) = tail.last() else { return true };
    // A real key of one character is as unlikely, but no document writes `ZZZZ…` as a placeholder.
    let is_blank = value.len() < 16 || b"xX*.-_0?#Aa".contains(&last) || !last.is_ascii();
    is_blank && tail.len() >= 3 && tail.iter().filter(|byte| **byte != last).count() * 5 <= tail.len()
}

/// Returns whether one of `words`, given in lower case, occurs in `value` in any case.
fn mentions(value: &[u8], words: &[&[u8]]) -> bool {
    let sample = &value[..value.len().min(256)];
    let letter = |byte: u8| (byte | 0x20).wrapping_sub(b'a');
    sample.windows(2).enumerate().any(|(at, pair)| {
        let (first, second) = (letter(pair[0]), letter(pair[1]));
        first < 26
            && second < 26
            && STARTS[usize::from(first)] >> second & 1 == 1
            && words.iter().any(|word| {
                sample.get(at..at + word.len()).is_some_and(|part| part.eq_ignore_ascii_case(word))
            })
    })
}
