//! Ids derived from names: lower-case letters, digits and hyphens.

use crate::limits::MAX_AGENT_ID_LENGTH;

/// The number of hex digits that make a truncated id unique.
const N_DIGITS: usize = 6;

/// Derives an id from any string. Truncates a long one and appends a hash of the whole.
pub fn slug(text: &str) -> String {
    let mut slug = String::with_capacity(text.len());
    for it in text.chars() {
        if it.is_ascii_alphanumeric() {
            slug.push(it.to_ascii_lowercase());
        } else if !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
    }
    let slug = slug.trim_end_matches('-');
    // A name in another script leaves no characters.
    if slug.is_empty() {
        return format!("agent-{}", digits(text));
    }
    if slug.len() <= MAX_AGENT_ID_LENGTH {
        return slug.to_owned();
    }
    let kept = slug[..MAX_AGENT_ID_LENGTH - N_DIGITS - 1].trim_end_matches('-');
    format!("{kept}-{}", digits(text))
}

/// Returns whether a string is a valid id.
pub fn is_slug(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|it| it.is_ascii_lowercase() || it.is_ascii_digit() || it == b'-')
}

/// Returns a file's name without folders and extensions.
pub(crate) fn stem(path: &str) -> &str {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    let lower = name.to_ascii_lowercase();
    let ending = [".agent.md", ".md", ".yaml", ".yml"].into_iter().find(|it| lower.ends_with(it));
    ending.map_or(name, |it| &name[..name.len() - it.len()])
}

/// Returns a stem as a title: `Code Reviewer` for `code-reviewer`.
pub(crate) fn title(stem: &str) -> String {
    let words = stem.split(['-', '_', '.', ' ']).filter(|it| !it.is_empty()).map(|word| {
        let mut chars = word.chars();
        let first = chars.next().map(|it| it.to_uppercase().collect::<String>()).unwrap_or_default();
        format!("{first}{}", chars.as_str())
    });
    words.collect::<Vec<_>>().join(" ")
}

fn digits(text: &str) -> String {
    store::fingerprint([text.as_bytes()]).short()[..N_DIGITS].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_text_becomes_an_id_of_the_documents_pattern() {
        for (text, id) in [
            ("code-reviewer", "code-reviewer"),
            ("Code Reviewer", "code-reviewer"),
            ("github.copilot workspace", "github-copilot-workspace"),
            ("  __x__  ", "x"),
            ("C++ & Rust!", "c-rust"),
            (
                "a name that goes on for much longer than fifty characters ever allow",
                "a-name-that-goes-on-for-much-longer-than-fi-f9a8e4",
            ),
        ] {
            assert_eq!(slug(text).len() <= 50, is_slug(&slug(text)), "{text}");
            if text.len() < 50 {
                assert_eq!(slug(text), id);
            } else {
                assert_eq!(slug(text)[..44], id[..44]);
            }
        }
        assert!(is_slug(&slug("審査員")));
        assert_ne!(slug("審査員"), slug("計画者"));
    }

    #[test]
    fn a_stem_becomes_a_title() {
        assert_eq!(title(stem(".github/agents/code-reviewer.agent.md")), "Code Reviewer");
        assert_eq!(title(stem("x/éclair_maker.md")), "Éclair Maker");
    }
}
