//! Conversions between bytes and strings for `Buffer`, `TextEncoder` and hashes.
//!
//! WHY: the engine passes bytes as a string with one character per byte. Its own
//! way to lend a byte array is `unsafe`, since a module may detach the array meanwhile.

use rquickjs::{Ctx, Exception, Function, Object, Result, TypedArray};

const BASE64: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// An encoding of bytes as text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Encoding {
    Utf8,
    Hex,
    Base64,
    Base64Url,
    Latin1,
}

impl Encoding {
    pub(crate) fn parse(name: &str) -> Option<Self> {
        match name.to_ascii_lowercase().as_str() {
            "utf8" | "utf-8" => Some(Self::Utf8),
            "hex" => Some(Self::Hex),
            "base64" => Some(Self::Base64),
            "base64url" => Some(Self::Base64Url),
            "latin1" | "binary" | "ascii" => Some(Self::Latin1),
            _ => None,
        }
    }

    pub(crate) fn encode(self, bytes: &[u8]) -> String {
        match self {
            Self::Utf8 => String::from_utf8_lossy(bytes).into_owned(),
            Self::Hex => hex(bytes),
            Self::Base64 => base64(bytes, true),
            Self::Base64Url => base64(bytes, false).replace('+', "-").replace('/', "_"),
            Self::Latin1 => bytes.iter().copied().map(char::from).collect(),
        }
    }

    /// Decodes as far as the text is valid, as Node does.
    pub(crate) fn decode(self, text: &str) -> Vec<u8> {
        match self {
            Self::Utf8 => text.as_bytes().to_vec(),
            Self::Hex => text.as_bytes().chunks_exact(2).map_while(hex_pair).collect(),
            Self::Base64 | Self::Base64Url => from_base64(text),
            Self::Latin1 => from_binary(text),
        }
    }
}

/// Returns the native functions of `bytes.js`.
pub(crate) fn natives<'js>(ctx: &Ctx<'js>) -> Result<Object<'js>> {
    let natives = Object::new(ctx.clone())?;
    let encode = |ctx: Ctx<'js>, binary: String, encoding: String| {
        Ok::<_, rquickjs::Error>(known(&ctx, &encoding)?.encode(&from_binary(&binary)))
    };
    natives.set("encode", Function::new(ctx.clone(), encode)?)?;
    let decode = |ctx: Ctx<'js>, text: rquickjs::String<'js>, encoding: String| {
        let bytes = known(&ctx, &encoding)?.decode(&crate::json::text(&text)?);
        TypedArray::<u8>::new_copy(ctx, bytes)
    };
    natives.set("decode", Function::new(ctx.clone(), decode)?)?;
    Ok(natives)
}

/// Returns the encoding with this name, or throws.
pub(super) fn known(ctx: &Ctx<'_>, name: &str) -> Result<Encoding> {
    Encoding::parse(name).ok_or_else(|| Exception::throw_type(ctx, &format!("unknown encoding: {name}")))
}

/// Returns the bytes of a string with one character per byte.
pub(super) fn from_binary(binary: &str) -> Vec<u8> {
    binary.chars().map(|character| (u32::from(character) & 0xff) as u8).collect()
}

fn base64(bytes: &[u8], pad: bool) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let [first, second, third] =
            [0, 1, 2].map(|index: usize| u32::from(chunk.get(index).copied().unwrap_or(0)));
        let group = (first << 16) | (second << 8) | third;
        for index in 0..4_usize {
            if index <= chunk.len() {
                let sextet = (group >> (18 - 6 * index)) & 63;
                text.push(char::from(BASE64[sextet as usize]));
            } else if pad {
                text.push('=');
            }
        }
    }
    text
}

fn from_base64(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let (mut group, mut n_bits) = (0_u32, 0_u32);
    for byte in text.bytes().take_while(|byte| *byte != b'=') {
        let byte = match byte {
            b'-' => b'+',
            b'_' => b'/',
            other => other,
        };
        let Some((sextet, _)) = (0_u32..).zip(BASE64).find(|(_, letter)| **letter == byte) else { continue };
        group = (group << 6) | sextet;
        n_bits += 6;
        if n_bits >= 8 {
            n_bits -= 8;
            bytes.push((group >> n_bits & 0xff) as u8);
        }
    }
    bytes
}

fn hex(bytes: &[u8]) -> String {
    let digit = |nibble: u8| char::from_digit(u32::from(nibble), 16).unwrap_or_default();
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

fn hex_pair(pair: &[u8]) -> Option<u8> {
    let digit = |byte: u8| char::from(byte).to_digit(16);
    u8::try_from(digit(pair[0])? * 16 + digit(pair[1])?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn bytes_are_written_as_node_writes_them() {
        assert_eq!(Encoding::Base64.encode(b""), "");
        assert_eq!(Encoding::Base64.encode(b"f"), "Zg==");
        assert_eq!(Encoding::Base64.encode(b"fo"), "Zm8=");
        assert_eq!(Encoding::Base64.encode(b"foo"), "Zm9v");
        assert_eq!(Encoding::Base64Url.encode(&[0xfb, 0xff]), "-_8");
        assert_eq!(Encoding::Hex.encode(&[0, 0xab]), "00ab");
        assert_eq!(Encoding::Hex.decode("00abz1"), [0, 0xab]);
    }

    proptest! {
        #[test]
        fn every_encoding_but_utf8_keeps_all_bytes(bytes: Vec<u8>) {
            for encoding in [Encoding::Hex, Encoding::Base64, Encoding::Base64Url, Encoding::Latin1] {
                prop_assert_eq!(&encoding.decode(&encoding.encode(&bytes)), &bytes);
            }
        }
    }
}
