//! Validates the id of a node.

/// The longest id, in characters.
const LONGEST: usize = 64;

/// Returns the problem of an invalid id; `None` for a valid one. Ids appear on command lines, in sentences and in
/// journals, so characters with a meaning there are invalid.
pub(super) fn bad_id(text: &str) -> Option<&'static str> {
    if text.chars().count() > LONGEST {
        return Some("has more than 64 characters");
    }
    if text.starts_with('-') {
        return Some("starts with `-` and would be parsed as an option");
    }
    let is_plain = |it: char| it.is_alphanumeric() || "._-:/#@+".contains(it);
    (!text.chars().all(is_plain)).then_some("must consist of letters, digits and `. _ - : / # @ +`")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_words_of_any_language_and_nothing_that_hides() {
        for id in ["api", "1", "step-1", "a.b_c", "feature/login", "#12", "größe", "検索", "w001:ui"] {
            assert_eq!(bad_id(id), None, "{id}");
        }
        let long = "x".repeat(65);
        for id in ["a b", "-rf", "a\u{202e}b", "a\u{200b}", "a`b`", "$(x)", "a\n", "a\"", long.as_str()] {
            assert!(bad_id(id).is_some(), "{id:?}");
        }
    }
}
