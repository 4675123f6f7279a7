//! Conversions between bytes and strings for `Buffer`, `TextEncoder` and hashes.
//!
//! WHY: the engine passes bytes as a string with one character per byte. Its own
//! way to lend a byte array is `unsafe`, since a module may detach the array meanwhile.

use encoding::{base64, hex};
use rquickjs::{Ctx, Exception, Function, Object, Result, TypedArray};

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
            Self::Hex => hex::encode(bytes),
            Self::Base64 => base64::encode(bytes),
            Self::Base64Url => base64::encode_url(bytes),
            Self::Latin1 => bytes.iter().copied().map(char::from).collect(),
        }
    }

    /// Decodes as far as the text is valid, as Node does.
    pub(crate) fn decode(self, text: &str) -> Vec<u8> {
        match self {
            Self::Utf8 => text.as_bytes().to_vec(),
            Self::Hex => hex::decode(text.bytes()),
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

/// Decodes the digits of either alphabet up to the padding and skips all other characters, as Node does.
fn from_base64(text: &str) -> Vec<u8> {
    let is_read = |byte: &u8| *byte == base64::PADDING || base64::value(*byte).is_some();
    base64::decode(text.bytes().filter(is_read)).unwrap_or_default()
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
        assert_eq!(Encoding::Base64.decode("Z m!9v==Zg"), b"foo");
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
