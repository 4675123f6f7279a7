//! Truncates a string to a host's limit, with an ellipsis.

use crate::protocol::Limit;

const MARK: char = '…';

/// Returns the string, truncated to the limit with an ellipsis as its last character.
pub(crate) fn cut(text: String, limit: Limit) -> String {
    let (room, size): (usize, fn(char) -> usize) = match limit {
        Limit::Unknown => return text,
        Limit::Utf16(units) => (units, char::len_utf16),
        Limit::Bytes(bytes) => (bytes, char::len_utf8),
    };
    // A string never has more UTF-16 units than bytes, so a short one need not be counted.
    if text.len() <= room || text.chars().map(size).sum::<usize>() <= room {
        return text;
    }
    let mut left = room.saturating_sub(size(MARK));
    let end = text
        .char_indices()
        .find(|(_, letter)| {
            let fits = size(*letter) <= left;
            left = left.saturating_sub(size(*letter));
            !fits
        })
        .map_or(text.len(), |(index, _)| index);
    let mut short = text;
    short.truncate(end);
    short.push(MARK);
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_ends_in_an_ellipsis_within_the_limit() {
        assert_eq!(cut("abcdef".into(), Limit::Utf16(6)), "abcdef");
        assert_eq!(cut("abcdefg".into(), Limit::Utf16(6)), "abcde…");
        assert_eq!(cut("äöüäöü".into(), Limit::Utf16(6)), "äöüäöü");
        assert_eq!(cut("äöüäöü".into(), Limit::Bytes(8)), "äö…");
        assert_eq!(cut("😀😀😀".into(), Limit::Utf16(4)), "😀…");
        assert_eq!(cut("abcdefg".into(), Limit::Unknown), "abcdefg");
    }
}
