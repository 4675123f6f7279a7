//! Parses front matter that is almost YAML, as the programs it was written for do.
//!
//! WHY: many shared agents have `description: Use this when: …` on one line, which no YAML parser
//! accepts. Each line that begins with a word and a colon is a field; the indented lines below belong
//! to it.
//!
//! A name, a list of tools or a model that cannot be parsed must not become another one: such a file is invalid. A bare
//! `*` for all tools is the one exception, because every program that reads these files takes it.

use config_file::{Entry, Kind, Node, Span, parse_yaml_part};

use super::YAML_LIMITS;

/// The fields for an agent's permissions and its program: they must be YAML.
const STRICT: [&str; 9] = [
    "name",
    "tools",
    "disallowedTools",
    "model",
    "permissionMode",
    "hooks",
    "mcp-servers",
    "mcpServers",
    "target",
];

/// Parses the fields, which begin at byte `start` of the file. Returns `None` if there are no fields, or if one of
/// [`STRICT`] is not YAML.
pub(super) fn read(fields: &str, start: usize) -> Option<Node<'_>> {
    let mut entries: Vec<Entry<'_>> = Vec::new();
    let mut at = start;
    // The key of the current field, and the byte at which its line begins.
    let mut open: Option<(&str, usize)> = None;
    let is_readable = |open: Option<(&str, usize)>, end: usize| {
        open.is_none_or(|(key, from)| {
            let whole = &fields[from - start..end - start];
            let is_star = || key_and_value(whole.trim_end()).is_some_and(|(_, value)| value.trim() == "*");
            !STRICT.contains(&key) || is_star() || parse_yaml_part(whole, from, YAML_LIMITS).is_ok()
        })
    };
    for whole in fields.split_inclusive('\n') {
        let line = whole.trim_end_matches(['\n', '\r']);
        if let Some((key, value)) = key_and_value(line) {
            if !is_readable(open.replace((key, at)), at) {
                return None;
            }
            let blanks = line[key.len() + 1..].len() - line[key.len() + 1..].trim_start().len();
            let from = at + key.len() + 1 + blanks;
            let node = Node {
                span: Span::new(from, from + value.len()),
                kind: Kind::Scalar { text: unquoted(value).into(), plain: value.is_empty() },
            };
            if entries.iter().all(|it| it.key != key) {
                entries.push(Entry { key: key.into(), at: Span::new(at, at + key.len()), value: node });
            }
        } else if let Some(last) = entries.last_mut() {
            go_on(&mut last.value, line, at);
        }
        let is_stray = entries.is_empty() && !line.trim().is_empty() && !line.trim_start().starts_with('#');
        if is_stray {
            return None;
        }
        at += whole.len();
    }
    if !is_readable(open, at) {
        return None;
    }
    (!entries.is_empty()).then_some(Node { span: Span::new(start, at), kind: Kind::Map(entries) })
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
fn go_on<'t>(node: &mut Node<'t>, line: &'t str, at: usize) {
    let text = line.trim();
    let item = text.strip_prefix("- ");
    match (&mut node.kind, item) {
        (Kind::Scalar { text: before, .. }, Some(item)) if before.is_empty() => {
            node.kind = Kind::Array { items: vec![item_node(item, at)], block: true };
        }
        (Kind::Array { items, .. }, Some(item)) => items.push(item_node(item, at)),
        (Kind::Scalar { text: before, plain }, _) if !text.is_empty() => {
            let before = before.to_mut();
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

fn item_node(item: &str, at: usize) -> Node<'_> {
    Node { span: Span::new(at, at + 1), kind: Kind::Scalar { text: unquoted(item).into(), plain: false } }
}

fn unquoted(text: &str) -> &str {
    let text = text.trim();
    let inside = |quote: char| text.strip_prefix(quote).and_then(|it| it.strip_suffix(quote));
    inside('"').or_else(|| inside('\'')).unwrap_or(text)
}
