//! Decodes base64, to inspect the value of a header.

/// Returns the bytes that `text` encodes in either alphabet, padded or not; a last incomplete group is dropped.
pub(crate) fn decode(text: &[u8]) -> Option<Vec<u8>> {
    let mut decoded = Vec::with_capacity(text.len() * 3 / 4);
    let mut bits = 0_u32;
    let mut n_bits = 0;
    for &byte in text {
        let six = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            b'=' => break,
            _ => return None,
        };
        bits = bits << 6 | u32::from(six);
        n_bits += 6;
        if n_bits >= 8 {
            n_bits -= 8;
            decoded.push((bits >> n_bits & 0xFF) as u8);
        }
    }
    Some(decoded)
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_known_text_is_decoded() {
        assert_eq!(super::decode(b"dXNlcjpwYXNz").as_deref(), Some(&b"user:pass"[..]));
        assert_eq!(super::decode(b"not base64"), None);
    }
}
