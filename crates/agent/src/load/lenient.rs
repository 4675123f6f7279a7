//! Reads fields that are almost YAML, as the programs they were written for do.
//!
//! WHY: a large part of the agents people share say `description: Use this when: …` on one
//! line, which no YAML reader takes. Each line that begins with a word and a colon is a
//! field; what is indented below it goes on with it.

use crate::source::Mark;
use crate::yaml::{Data, Entry, Node};

/// Reads the fields; `None` when there is none. `lines_before` is how many lines of the file come before.
pub(super) fn read(fields: &str, lines_before: usize) -> Option<Node> {
    let mut entries: Vec<Entry> = Vec::new();
    for (index, line) in fields.lines().enumerate() {
        let line_number = index + 1 + lines_before;
        if let Some((key, value)) = key_and_value(line) {
            let column = line.chars().count() - line[key.len() + 1..].trim_start().chars().count() + 1;
            let at = Mark { line: line_number, column: 1, width: key.chars().count() };
            let node = Node {
                at: Mark { line: line_number, column, width: value.chars().count().max(1) },
                data: Data::Scalar { text: unquoted(value).to_owned(), plain: value.is_empty() },
            };
            if entries.iter().all(|it| it.key != key) {
                entries.push(Entry { key: key.to_owned(), at, value: node });
            }
        } else if let Some(last) = entries.last_mut() {
            go_on(&mut last.value, line, line_number);
        }
    }
    let at = Mark { line: lines_before + 1, column: 1, width: 1 };
    (!entries.is_empty()).then_some(Node { at, data: Data::Map(entries) })
}

fn key_and_value(line: &str) -> Option<(&str, &str)> {
    let (key, value) = line.split_once(':')?;
    let is_key = !key.is_empty()
        && key.len() <= 40
        && key.bytes().all(|it| it.is_ascii_alphanumeric() || matches!(it, b'-' | b'_'));
    let apart = value.is_empty() || value.starts_with([' ', '\t', '\r']);
    (is_key && apart).then(|| (key, value.trim()))
}

/// Adds a line to the field above it: an item of a list, or more text.
fn go_on(node: &mut Node, line: &str, line_number: usize) {
    let text = line.trim();
    let item = text.strip_prefix("- ");
    match (&mut node.data, item) {
        (Data::Scalar { text: before, .. }, Some(item)) if before.is_empty() => {
            node.data = Data::List(vec![item_node(item, line_number)]);
        }
        (Data::List(items), Some(item)) => items.push(item_node(item, line_number)),
        (Data::Scalar { text: before, plain }, _) if !text.is_empty() => {
            if matches!(before.as_str(), "|" | ">" | "|-" | ">-") {
                before.clear();
            }
            if !before.is_empty() {
                before.push('\n');
            }
            before.push_str(text);
            *plain = false;
        }
        _ => {}
    }
}

fn item_node(item: &str, line: usize) -> Node {
    let at = Mark { line, column: 1, width: 1 };
    Node { at, data: Data::Scalar { text: unquoted(item).to_owned(), plain: false } }
}

fn unquoted(text: &str) -> &str {
    let text = text.trim();
    let inside = |quote: char| text.strip_prefix(quote).and_then(|it| it.strip_suffix(quote));
    inside('"').or_else(|| inside('\'')).unwrap_or(text)
}
