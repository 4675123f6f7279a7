//! Base64 of either alphabet.

const STANDARD: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Encodes `bytes` in the standard alphabet, padded.
pub fn encode(bytes: &[u8]) -> String {
    let mut text = digits(bytes);
    let n_padded = text.len().next_multiple_of(4);
    text.extend(std::iter::repeat_n('=', n_padded - text.len()));
    text
}

/// Encodes `bytes` in the alphabet for URLs, without padding.
pub fn encode_url(bytes: &[u8]) -> String {
    digits(bytes).replace('+', "-").replace('/', "_")
}

fn digits(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let group = [0, 1, 2].map(|at| u32::from(chunk.get(at).copied().unwrap_or(0)));
        let group = group[0] << 16 | group[1] << 8 | group[2];
        for at in 0..=chunk.len() {
            text.push(char::from(STANDARD[(group >> (18 - 6 * at) & 63) as usize]));
        }
    }
    text
}

/// Decodes `text` up to its padding; drops an incomplete last byte. Returns `None` if a byte belongs to neither
/// alphabet: a caller that ignores spaces, or all such bytes, filters them first.
pub fn decode(text: impl IntoIterator<Item = u8>) -> Option<Vec<u8>> {
    let text = text.into_iter();
    let mut bytes = Vec::with_capacity(text.size_hint().1.unwrap_or(0) * 3 / 4);
    let (mut bits, mut n_bits) = (0_u32, 0);
    for byte in text.take_while(|byte| *byte != PADDING) {
        bits = bits << 6 | u32::from(value(byte)?);
        n_bits += 6;
        if n_bits >= 8 {
            n_bits -= 8;
            bytes.push((bits >> n_bits & 0xff) as u8);
        }
    }
    Some(bytes)
}

/// The byte that fills the last group.
pub const PADDING: u8 = b'=';

/// Returns the six bits of a digit, or `None` if `byte` belongs to neither alphabet.
pub const fn value(byte: u8) -> Option<u8> {
    Some(match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' | b'-' => 62,
        b'/' | b'_' => 63,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_standard_alphabet_is_padded_and_the_one_for_urls_is_not() {
        for (bytes, standard, url) in [
            (&b""[..], "", ""),
            (b"f", "Zg==", "Zg"),
            (b"fo", "Zm8=", "Zm8"),
            (b"foo", "Zm9v", "Zm9v"),
            (&[0xfb, 0xff], "+/8=", "-_8"),
        ] {
            assert_eq!((encode(bytes).as_str(), encode_url(bytes).as_str()), (standard, url));
        }
    }

    #[test]
    fn both_alphabets_missing_padding_and_a_cut_group_are_decoded() {
        for (text, expected) in [
            ("dXNlcjpwYXNz", Some(&b"user:pass"[..])),
            ("Zg==", Some(b"f")),
            ("Zg", Some(b"f")),
            ("Zg==garbage!", Some(b"f")),
            ("Zm9vZ", Some(b"foo")),
            ("+/8", Some(&[0xfb, 0xff])),
            ("-/8", Some(&[0xfb, 0xff])),
            ("", Some(b"")),
            ("not base64", None),
            ("Zm9v\n", None),
        ] {
            assert_eq!(decode(text.bytes()).as_deref(), expected, "{text}");
        }
    }

    proptest! {
        #[test]
        fn bytes_survive_encoding_and_decoding(bytes: Vec<u8>) {
            prop_assert_eq!(decode(encode(&bytes).bytes()), Some(bytes.clone()));
            prop_assert_eq!(decode(encode_url(&bytes).bytes()), Some(bytes));
        }
    }
}
