//! Templates in a file: what is wrong with them, at their place in it.

use jsonc_parser::common::Range;

use super::fields::Written;
use super::report::Report;
use crate::template::available;
use crate::{Template, Trigger};

/// Takes a template, with warnings about its braces and about variables its trigger has not.
pub(super) fn template(written: Written, trigger: Option<&Trigger>, report: &mut Report<'_>) -> Template {
    let template = Template::new(written.text);
    let raw = report.written(written.at);
    let place = |at: usize, width: usize| Range {
        start: written.at.start + raw_offset(raw, at),
        end: written.at.start + raw_offset(raw, at + width),
    };
    for problem in template.problems() {
        let told = report.warning(place(problem.at, problem.width), problem.code.sentence());
        told.code = Some(problem.code.as_str());
    }
    if let Some(known) = trigger.and_then(available) {
        for name in template.variables() {
            if known.iter().any(|variable| variable.name == name) {
                continue;
            }
            let at = place(template.position(name).unwrap_or(0), name.len() + 2);
            let trigger = trigger.map(ToString::to_string).unwrap_or_default();
            let told = report.warning(
                at,
                format!("`{{{name}}}` has no value when `{trigger}` happens; nothing is inserted"),
            );
            told.code = Some("UNKNOWN_VARIABLE");
            let names = known.iter().map(|variable| variable.name);
            told.hint = Some(match config_file::nearest(name, names.clone()) {
                Some(meant) => format!("did you mean `{{{meant}}}`?"),
                None => format!("there are {}", names.collect::<Vec<_>>().join(", ")),
            });
        }
    }
    template
}

/// Returns how many bytes of a string literal, its opening quote included, stand before its
/// n-th character.
fn raw_offset(raw: &str, nth: usize) -> usize {
    let mut at = raw.len().min(1);
    for _ in 0..nth {
        let rest = &raw[at..];
        at += match rest.as_bytes() {
            [b'\\', b'u', ..] if is_surrogate_pair(rest) => 12,
            [b'\\', b'u', ..] => 6,
            [b'\\', ..] => 2,
            _ => rest.chars().next().map_or(0, char::len_utf8),
        };
        at = at.min(raw.len());
        while !raw.is_char_boundary(at) {
            at -= 1;
        }
    }
    at
}

fn is_surrogate_pair(rest: &str) -> bool {
    let high = rest.get(2..6).and_then(|it| u32::from_str_radix(it, 16).ok());
    high.is_some_and(|it| (0xd800..0xdc00).contains(&it)) && rest.get(6..8) == Some("\\u")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_character_is_found_in_its_literal_past_every_escape() {
        let raw = r#""a\n\u00e9é\ud83d\ude00x""#;
        for (nth, rest) in [(0, 'a'), (1, '\\'), (3, 'é'), (5, 'x'), (6, '"')] {
            assert_eq!(raw[raw_offset(raw, nth)..].chars().next(), Some(rest), "{nth}");
        }
        assert_eq!(raw_offset(raw, 99), raw.len());
    }
}
