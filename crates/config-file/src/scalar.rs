//! The type of a scalar without quotes, by the core schema of YAML 1.2: `no` is a string.

/// Returns whether the scalar is null.
pub(crate) fn is_null(text: &str) -> bool {
    matches!(text, "" | "~" | "null" | "Null" | "NULL")
}

/// Returns the boolean.
pub(crate) fn truth(text: &str) -> Option<bool> {
    match text {
        "true" | "True" | "TRUE" => Some(true),
        "false" | "False" | "FALSE" => Some(false),
        _ => None,
    }
}

/// Returns the integer. A fraction of zeros does not make it another number: `4.0` is 4, as in JSON Schema.
pub(crate) fn integer(text: &str) -> Option<i64> {
    if let Some(digits) = text.strip_prefix("0x") {
        return i64::from_str_radix(digits, 16).ok();
    }
    if let Some(digits) = text.strip_prefix("0o") {
        return i64::from_str_radix(digits, 8).ok();
    }
    let whole =
        text.split_once('.').filter(|(_, zeros)| !zeros.is_empty() && zeros.bytes().all(|it| it == b'0'));
    let digits = whole.map_or(text, |(digits, _)| digits);
    digits.parse().ok().filter(|_| !digits.is_empty())
}

/// Returns the number with a fraction or an exponent.
pub(crate) fn float(text: &str) -> Option<f64> {
    let starts_like_one =
        text.trim_start_matches(['+', '-']).starts_with(|it: char| it.is_ascii_digit() || it == '.');
    let made_of_digits = text.chars().all(|it| it.is_ascii_digit() || "+-.eE".contains(it));
    (starts_like_one && made_of_digits).then(|| text.parse().ok()).flatten()
}

/// Returns whether the scalar is a string.
pub(crate) fn is_text(text: &str) -> bool {
    // A number too big for our types is still a number.
    !is_null(text) && truth(text).is_none() && integer(text).is_none() && float(text).is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fraction_of_zeros_is_an_integer() {
        for (text, expected) in [
            ("4.0", Some(4)),
            ("-3.000", Some(-3)),
            ("4.5", None),
            ("4.", None),
            (".0", None),
            ("1.0.0", None),
            ("v1.0", None),
        ] {
            assert_eq!(integer(text), expected, "{text}");
        }
    }

    #[test]
    fn words_are_read_by_the_core_schema() {
        for text in ["no", "yes", "on", "v1", "1.2.3", "2026-01-26", "e5", ".", "0xzz", "-", "+"] {
            assert!(is_text(text), "{text}");
        }
        for text in
            ["", "~", "true", "FALSE", "12", "-7", "0x1f", "0o17", "1.5", "1e9", ".5", "99999999999999999999"]
        {
            assert!(!is_text(text), "{text}");
        }
    }
}
