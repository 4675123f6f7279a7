//! Hexadecimal digits, two per byte.

/// Returns the lower-case digits of `bytes`.
///
/// WHY not `{:02x}`: a hook needs five hashes, and formatting each byte takes longer than the hash.
pub fn digits(bytes: &[u8]) -> impl Iterator<Item = char> {
    let digit = |half: u8| char::from(b"0123456789abcdef"[usize::from(half)]);
    bytes.iter().flat_map(move |byte| [digit(byte >> 4), digit(byte & 15)])
}

/// Encodes `bytes` as lower-case digits.
pub fn encode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() * 2);
    text.extend(digits(bytes));
    text
}

/// Decodes pairs of digits up to the first other byte; drops a digit without a partner.
pub fn decode(text: impl IntoIterator<Item = u8>) -> Vec<u8> {
    let mut values = text.into_iter().map_while(value);
    let mut bytes = Vec::new();
    while let (Some(high), Some(low)) = (values.next(), values.next()) {
        bytes.push(high << 4 | low);
    }
    bytes
}

/// Returns the four bits of a digit, or `None` if `byte` is not one.
const fn value(byte: u8) -> Option<u8> {
    Some(match byte {
        b'0'..=b'9' => byte - b'0',
        b'a'..=b'f' => byte - b'a' + 10,
        b'A'..=b'F' => byte - b'A' + 10,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_lower_case_and_two_per_byte() {
        assert_eq!(encode(&[0, 0xab, 0x7f]), "00ab7f");
        assert_eq!(digits(&[0xf0]).collect::<String>(), "f0");
    }

    #[test]
    fn decoding_ends_at_the_first_pair_that_is_incomplete() {
        for (text, expected) in [
            ("", &[][..]),
            ("00aB", &[0, 0xab]),
            ("00abz1", &[0, 0xab]),
            ("00ab1", &[0, 0xab]),
            ("00ab1z22", &[0, 0xab]),
        ] {
            assert_eq!(decode(text.bytes()), expected, "{text}");
        }
    }
}
