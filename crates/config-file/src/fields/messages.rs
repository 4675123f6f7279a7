//! The messages about fields: one sentence for each mistake, in every file.

use crate::located_string::LocatedString;
use crate::nearest::nearest;
use crate::node::{Kind, Node, Span, Syntax};
use crate::report::Report;
use crate::table::{Shape, Text};

/// The longest value that a hint repeats.
const MOST_REPEATED: usize = 60;

/// Reports a value of the wrong type.
pub(super) fn wrong_type(
    node: &Node<'_>,
    name: &str,
    wanted: &str,
    hint: Option<&str>,
    report: &mut Report<'_>,
) {
    let whose = if name.is_empty() { "the file".to_owned() } else { format!("`{name}`") };
    let found = node.what(report.syntax());
    report.error(node.at(), format!("{whose} must be {wanted}, not {found}")).hint = hint.map(str::to_owned);
}

/// Reports a value that is out of bounds or of the wrong type.
pub(super) fn wrong_value(
    node: &Node<'_>,
    name: &str,
    wanted: &str,
    hint: Option<&str>,
    report: &mut Report<'_>,
) {
    match node.as_written().filter(|_| node.as_number().is_some()) {
        Some(number) => {
            let message = format!("`{name}` must be {wanted}, not {number}");
            report.error(node.at(), message).hint = hint.map(str::to_owned);
        }
        None => wrong_type(node, name, wanted, hint, report),
    }
}

/// Returns a value as a string within its limits, or reports why it cannot. Computes the name only
/// for a report: a long array rarely needs it.
pub(super) fn text(
    node: &Node<'_>,
    name: impl FnOnce() -> String,
    limits: Text,
    hint: Option<&str>,
    report: &mut Report<'_>,
) -> Option<LocatedString> {
    let text = if limits.any_scalar { node.as_written() } else { node.as_string() };
    let Some(text) = text else {
        not_a_string(node, &name(), hint, report);
        return None;
    };
    if let Some((most, limit)) = limits.most {
        let length = text.chars().count();
        if length > most {
            let message = format!("`{}` must have at most {most} characters ({limit}), not {length}", name());
            report.error(node.span, message).hint = Some("shorten it".to_owned());
            return None;
        }
    }
    Some(LocatedString { text: text.to_owned(), at: node.span })
}

/// Reports a value that is not a string.
fn not_a_string(node: &Node<'_>, name: &str, hint: Option<&str>, report: &mut Report<'_>) {
    let quoted = node.as_written().filter(|it| it.len() <= MOST_REPEATED);
    let quoted = quoted.map(|it| format!("put it in quotes: `\"{it}\"`"));
    let hint = quoted.or_else(|| hint.map(str::to_owned));
    wrong_type(node, name, "a string", hint.as_deref(), report);
}

/// Reports a value that is not an array.
pub(super) fn not_an_array(
    node: &Node<'_>,
    name: &str,
    wanted: &str,
    hint: Option<&str>,
    report: &mut Report<'_>,
) {
    let written = report.source().written(node.span);
    let short = matches!(node.kind, Kind::Scalar { .. }) && written.len() <= MOST_REPEATED;
    let listed = (short && !written.is_empty()).then(|| format!("write `[{written}]`"));
    let hint = hint.map(str::to_owned).or(listed);
    wrong_type(node, name, wanted, hint.as_deref(), report);
}

/// Reports a missing key.
pub(super) fn missing(key: &str, name: &str, at: Span, hint: Option<&str>, report: &mut Report<'_>) {
    let example = match report.syntax() {
        Syntax::Json => format!("add `\"{key}\": …`"),
        Syntax::Yaml => format!("add `{key}: …`"),
    };
    report.error(at, format!("missing key `{name}`")).hint = Some(hint.map_or(example, str::to_owned));
}

/// Reports a duplicate key.
pub(super) fn duplicate(name: &str, at: Span, first: Span, report: &mut Report<'_>) {
    let line = report.source().place(first.start).line;
    report.error(at, format!("duplicate key `{name}`, first in line {line}")).hint =
        Some("remove one of them".to_owned());
}

/// Reports duplicate keys in a value without declared keys.
pub(super) fn duplicates_within(node: &Node<'_>, name: &str, report: &mut Report<'_>) {
    let entries = node.entries().unwrap_or_default();
    for (index, entry) in entries.iter().enumerate() {
        if let Some(first) = entries[..index].iter().find(|it| it.key == entry.key) {
            duplicate(&format!("{name}.{}", entry.key), entry.at, first.at, report);
        }
        duplicates_within(&entry.value, &format!("{name}.{}", entry.key), report);
    }
    for (index, item) in node.items().unwrap_or_default().iter().enumerate() {
        duplicates_within(item, &format!("{name}[{index}]"), report);
    }
}

/// Reports an unknown key.
pub(super) fn unknown(key: &str, name: &str, at: Span, known: &[&str], report: &mut Report<'_>) {
    report.warning(at, format!("unknown key `{name}`")).hint =
        Some(match nearest(key, known.iter().copied()) {
            Some(meant) => format!("did you mean `{meant}`?"),
            None => format!("use {}", listed(known)),
        });
}

/// Joins words for a message.
pub(super) fn listed(words: &[&str]) -> String {
    let quoted: Vec<String> = words.iter().map(|it| format!("`{it}`")).collect();
    match quoted.as_slice() {
        [] => String::new(),
        [one] => one.clone(),
        [one, other] => format!("{one} or {other}"),
        _ => format!("one of {}", quoted.join(", ")),
    }
}

/// Names an array of this shape for a message.
pub(super) fn an_array(shape: &Shape, syntax: Syntax) -> &'static str {
    match (shape, syntax) {
        (Shape::Array { item: Shape::Text(_), .. }, _) => "an array of strings",
        (Shape::Array { item: Shape::Object(_), .. }, Syntax::Json) => "an array of objects",
        (Shape::Array { item: Shape::Object(_), .. }, Syntax::Yaml) => "an array of mappings",
        _ => "an array",
    }
}
