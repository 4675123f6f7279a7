//! A set of ASCII bytes: the alphabet of a part of a token.

/// A set of ASCII bytes, one bit each. Bytes above 127 are in no class.
#[derive(Clone, Copy)]
pub(crate) struct Class([u64; 4]);

impl Class {
    /// Parses a list such as `a-z0-9_`; a dash at the end stands for itself.
    pub(crate) const fn of(list: &str) -> Self {
        let list = list.as_bytes();
        let mut bits = [0_u64; 4];
        let mut index = 0;
        while index < list.len() {
            let first = list[index];
            let is_range = index + 2 < list.len() && list[index + 1] == b'-';
            let upper = if is_range { list[index + 2] } else { first };
            let mut byte = first;
            while byte <= upper {
                bits[(byte >> 6) as usize] |= 1 << (byte & 63);
                byte += 1;
            }
            index += if is_range { 3 } else { 1 };
        }
        Self(bits)
    }

    pub(crate) const fn has(self, byte: u8) -> bool {
        (self.0[(byte >> 6) as usize] >> (byte & 63)) & 1 == 1
    }

    /// Returns how many bytes from the front of `bytes` belong to the class, at most `most`.
    pub(crate) fn run(self, bytes: &[u8], most: usize) -> usize {
        bytes.iter().take(most).take_while(|byte| self.has(**byte)).count()
    }

    /// Returns how many bytes from the back of `bytes` belong to the class, at most `most`.
    pub(crate) fn run_back(self, bytes: &[u8], most: usize) -> usize {
        bytes.iter().rev().take(most).take_while(|byte| self.has(**byte)).count()
    }
}

pub(crate) const DIGIT: Class = Class::of("0-9");
pub(crate) const HEX: Class = Class::of("0-9a-f");
pub(crate) const HEX_ANY: Class = Class::of("0-9a-fA-F");
/// Letters and digits of one case, as in AWS key ids and npm's older tokens.
pub(crate) const UPPER: Class = Class::of("A-Z0-9");
pub(crate) const LOWER: Class = Class::of("a-z0-9");
pub(crate) const ALNUM: Class = Class::of("A-Za-z0-9");
pub(crate) const WORD: Class = Class::of("A-Za-z0-9_");
/// The alphabet of base64url.
pub(crate) const URL64: Class = Class::of("A-Za-z0-9_-");
/// The alphabet of base64url with its padding, wherever that stands.
pub(crate) const PADDED: Class = Class::of("A-Za-z0-9_=-");
/// The alphabet of base64 with its padding.
pub(crate) const BASE64: Class = Class::of("A-Za-z0-9+/=");
/// base64url parts joined by dots, as in JWTs.
pub(crate) const DOTTED: Class = Class::of("A-Za-z0-9_.=-");
/// The characters of any token.
pub(crate) const TOKEN: Class = Class::of("A-Za-z0-9_.=+/:~%$|-");
/// The characters in the name of a variable, field, header or flag.
pub(crate) const NAME: Class = Class::of("A-Za-z0-9_.-");
