//! Normalizes the spelling of names.

use std::borrow::Cow;

use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

/// Returns the string in composed form (NFC).
pub(crate) fn composed(text: &str) -> Cow<'_, str> {
    // WHY first: nearly every path is ASCII, which is already composed.
    if text.is_ascii() || is_nfc_quick(text.chars()) == IsNormalized::Yes {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.nfc().collect())
}

/// Returns a name as the most lenient file system compares it: without case, without characters that
/// some ignore, without the dots and spaces that others drop from the end.
///
/// Only for lists of forbidden names: it equates more names than file systems do.
pub(crate) fn forgiving(segment: &str) -> String {
    // WHY first: nearly every name is ASCII, and the tables for all others are large.
    let folded: String = if segment.is_ascii() {
        segment.to_ascii_lowercase()
    } else {
        segment.nfkc().flat_map(char::to_lowercase).filter(|c| !is_ignorable(*c)).collect()
    };
    // `name::$DATA` is the file `name` on NTFS.
    let stem = folded.split(':').next().unwrap_or("");
    stem.trim_end_matches(['.', ' ']).to_owned()
}

fn is_ignorable(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_one_name_become_one() {
        assert_eq!(composed("e\u{301}"), "\u{e9}");
        for name in [".ai", ".AI", ".a\u{200c}i", ".ai.", ".ai ", ".ai::$DATA", ".ａｉ"] {
            assert_eq!(forgiving(name), ".ai", "{name:?}");
        }
        assert_ne!(forgiving("ai"), ".ai");
    }
}
