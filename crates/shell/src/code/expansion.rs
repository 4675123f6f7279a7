//! Names in a string that stand for their values: `f"{x}"`, `${x}`, `#{x}`, `$x`.

use super::Language;

/// A piece of such a string.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Piece<'t> {
    Plain(&'t str),
    /// The value of a name.
    Name(&'t str),
    /// The value of anything else.
    Other,
}

/// Cuts a string where values are put in.
pub(super) fn pieces(language: Language, text: &str) -> Vec<Piece<'_>> {
    let mut out = Vec::new();
    let mut rest = text;
    while let Some((at, inner, end)) = next(language, rest) {
        if at > 0 {
            out.push(Piece::Plain(&rest[..at]));
        }
        out.push(match inner.trim().trim_start_matches('$') {
            name if is_name(name) => Piece::Name(name),
            _ => Piece::Other,
        });
        rest = &rest[end..];
    }
    if !rest.is_empty() {
        out.push(Piece::Plain(rest));
    }
    out
}

/// Returns the place of the next value, its text, and where the constant text resumes.
fn next(language: Language, text: &str) -> Option<(usize, &str, usize)> {
    let (marks, bare) = match language {
        Language::Python => (&["{"][..], false),
        Language::Node => (&["${"][..], false),
        Language::Ruby | Language::Elixir => (&["#{"][..], false),
        Language::Php => (&["{$", "${"][..], true),
        Language::Perl => (&["${", "@{"][..], true),
        Language::Julia => (&["$("][..], true),
        Language::Groovy => (&["${"][..], true),
        _ => return None,
    };
    let framed = marks.iter().filter_map(|mark| text.find(mark).map(|at| (at, at + mark.len()))).min();
    let bare = if bare { text.find('$') } else { None };
    if let Some((at, begin)) = framed.filter(|(at, _)| bare.is_none_or(|bare| *at <= bare)) {
        let close = if language == Language::Julia { ')' } else { '}' };
        let end = text[begin..].find(close).map_or(text.len(), |length| begin + length);
        return Some((at, &text[begin..end], (end + 1).min(text.len())));
    }
    let at = bare?;
    let name = text[at + 1..].find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    let end = name.map_or(text.len(), |length| at + 1 + length);
    // `$x->{y}` and `$x[0]` are other values.
    let is_part = text[end..].starts_with("->") || text[end..].starts_with('[');
    Some((at, if is_part { "" } else { &text[at + 1..end] }, end))
}

fn is_name(text: &str) -> bool {
    !text.is_empty()
        && !text.starts_with(|c: char| c.is_ascii_digit())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

#[cfg(test)]
mod tests {
    use super::Piece::{Name, Other, Plain};
    use super::*;

    #[test]
    fn a_text_is_cut_where_values_are_put_in() {
        for (language, text, expected) in [
            (Language::Python, "{a}/x", vec![Name("a"), Plain("/x")]),
            (Language::Python, "a/{b.c}", vec![Plain("a/"), Other]),
            (Language::Python, "a", vec![Plain("a")]),
            (Language::Node, "{a}/${b}", vec![Plain("{a}/"), Name("b")]),
            (Language::Ruby, "#{a}${b}", vec![Name("a"), Plain("${b}")]),
            (Language::Perl, "> $a/x", vec![Plain("> "), Name("a"), Plain("/x")]),
            (Language::Perl, "${a}b", vec![Name("a"), Plain("b")]),
            (Language::Perl, "$a->{b}", vec![Other, Plain("->{b}")]),
            (Language::Php, "a{$b}c", vec![Plain("a"), Name("b"), Plain("c")]),
            (Language::Julia, "$(f(1))x", vec![Other, Plain(")x")]),
            (Language::Perl, "a$", vec![Plain("a"), Other]),
        ] {
            assert_eq!(pieces(language, text), expected, "{text}");
        }
    }
}
