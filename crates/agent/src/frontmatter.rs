//! Splits a Markdown file into its front matter, the YAML between `---` lines, and the text below.

/// The parts of a Markdown file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Split<'t> {
    /// Front matter, the byte at which it begins, and text.
    Both { start: usize, fields: &'t str, body: &'t str },
    /// Only text, without front matter.
    BodyOnly(&'t str),
    /// The front matter has no end.
    Unclosed,
}

/// Splits a file.
pub(crate) fn split(text: &str) -> Split<'_> {
    let Some(rest) = after_fence(text) else { return Split::BodyOnly(text) };
    let mut at = 0;
    for line in rest.split_inclusive('\n') {
        if matches!(line.trim_end(), "---" | "...") {
            let start = text.len() - rest.len();
            return Split::Both { start, fields: &rest[..at], body: &rest[at + line.len()..] };
        }
        at += line.len();
    }
    Split::Unclosed
}

/// Returns the text after a first line of `---`.
fn after_fence(text: &str) -> Option<&str> {
    let rest = text.strip_prefix("---")?;
    let (line, rest) = rest.split_once('\n').unwrap_or((rest, ""));
    line.trim().is_empty().then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_what_stands_between_two_fences_at_the_very_top() {
        assert_eq!(
            split("---\na: 1\n---\nbody\n"),
            Split::Both { start: 4, fields: "a: 1\n", body: "body\n" }
        );
        assert_eq!(
            split("---\r\na: 1\r\n---\r\nbody"),
            Split::Both { start: 5, fields: "a: 1\r\n", body: "body" }
        );
        assert_eq!(split("---\n---"), Split::Both { start: 4, fields: "", body: "" });
        assert_eq!(split("body\n---\na: 1\n---\n"), Split::BodyOnly("body\n---\na: 1\n---\n"));
        assert_eq!(split("--- a\n---\n"), Split::BodyOnly("--- a\n---\n"));
        assert_eq!(split("---\na: 1\n"), Split::Unclosed);
        assert_eq!(split(""), Split::BodyOnly(""));
    }
}
