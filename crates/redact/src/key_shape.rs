//! The shapes of values that a program made, whatever their name.

use crate::brackets::{is_balanced, is_open};
use crate::contains;
use crate::placeholder::{SEAL, is_placeholder};
use crate::randomness::looks_random;

/// A key that a program made: long, of letters and digits without words in it. For names that do not
/// say for certain that they hold a secret.
pub(crate) fn is_generated(value: &[u8]) -> bool {
    let is_token = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-+/=".contains(byte);
    let is_hex = value.iter().all(|byte| byte.is_ascii_hexdigit() || *byte == b'-');
    let has_all = value.iter().any(u8::is_ascii_digit) && has_both_cases(value);
    (value.len() >= 20 && has_all || value.len() >= 16 && is_mixed(value))
        && value.iter().all(is_token)
        && (!is_hex || matches!(value.len(), 32 | 40 | 48 | 64))
        && looks_random(value)
}

/// Returns whether a value is unmistakable even for a name that says nothing: of both cases, and no hash.
pub(crate) fn is_unmistakable(value: &[u8]) -> bool {
    value.len() >= 20 && has_both_cases(value) && is_generated(value)
}

fn has_both_cases(value: &[u8]) -> bool {
    value.iter().any(u8::is_ascii_lowercase) && value.iter().any(u8::is_ascii_uppercase)
}

/// Three or more letters and three or more digits.
pub(crate) fn is_mixed(value: &[u8]) -> bool {
    value.iter().filter(|byte| byte.is_ascii_digit()).count() >= 3
        && value.iter().filter(|byte| byte.is_ascii_alphabetic()).count() >= 3
}

/// Both cases and digits and nothing else, long enough for a key: `abcDEF123456ghiJKL`.
pub(crate) fn is_made_of_all(value: &[u8]) -> bool {
    value.len() >= 16
        && value.iter().all(u8::is_ascii_alphanumeric)
        && value.iter().filter(|byte| byte.is_ascii_digit()).count() >= 3
        && has_both_cases(value)
}

/// Fifteen digits or more, not counted up or repeated: no time, amount or size is that long.
pub(crate) fn is_long_number(value: &[u8]) -> bool {
    let is_step = |pair: &[u8]| pair[0].abs_diff(pair[1]) <= 1 || pair == b"90";
    value.len() >= 15
        && value.iter().all(u8::is_ascii_digit)
        && value.windows(2).filter(|pair| is_step(pair)).count() * 2 < value.len()
}

/// Returns whether the content of an element in braces holds a key, as Jenkins writes it. After the mark of its
/// encryption nothing else stands.
pub(crate) fn holds_sealed_key(value: &[u8]) -> bool {
    let Some(inner) = value.strip_prefix(b"{").and_then(|rest| rest.strip_suffix(b"}")) else { return false };
    let mut words = inner.split(u8::is_ascii_whitespace);
    if words.clone().any(|word| word.starts_with(SEAL)) {
        return words.next_back().is_some_and(|word| word.len() >= 8 && !is_placeholder(word));
    }
    words.any(|word| {
        word.len() >= 12 && word.iter().any(u8::is_ascii_digit) && looks_random(word) && !is_placeholder(word)
    })
}

/// Letters with three or more marks, and brackets of which one closes nothing: no template, pattern or expression.
pub(crate) fn is_symbolic(value: &[u8]) -> bool {
    const MARKS: &[u8] = b"!@#$%^&*()[]{}<>?~";
    let bit = |byte: &u8| MARKS.iter().position(|mark| mark == byte).map_or(0_u32, |at| 1 << at);
    let marks =
        value.iter().filter(|byte| byte.is_ascii_punctuation()).fold(0, |marks, byte| marks | bit(byte));
    let n_marks = marks.count_ones();
    let has_brackets = value.iter().any(|byte| b"()[]{}<>".contains(byte));
    let is_code =
        value.iter().any(|byte| byte.is_ascii_whitespace() || *byte == b'\\') || contains(value, b"://");
    n_marks >= 3
        && value.len() >= 8
        && !is_code
        && value.iter().any(u8::is_ascii_alphabetic)
        && !(has_brackets && (is_balanced(value) || is_open(value)))
}
