//! Takes typed fields out of a mapping and says what is wrong with the others.

use crate::report::Report;
use crate::source::Mark;
use crate::yaml::{Data, Entry, Node};

/// A text and where it stands.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Written {
    pub(crate) text: String,
    pub(crate) at: Mark,
}

/// A mapping that is being read.
pub(crate) struct Fields<'n> {
    /// Where it stands in the file, in the words of the file: `transitions.custom[0]`.
    path: String,
    at: Mark,
    entries: &'n [Entry],
}

impl<'n> Fields<'n> {
    /// Takes a value as a mapping; keys that are not in `known` get a warning.
    pub(crate) fn of(node: &'n Node, path: &str, known: &[&str], report: &mut Report<'_>) -> Option<Self> {
        let fields = Self::open(node, path, report)?;
        for entry in fields.entries {
            if !known.contains(&entry.key.as_str()) {
                let name = fields.name(&entry.key);
                let problem = report.warning(entry.at, format!("unknown key `{name}`"));
                problem.expected = Some(format!("one of {}", listed(known)));
                problem.hint = store::nearest(&entry.key, known.iter().copied())
                    .map(|it| format!("did you mean `{it}`?"));
            }
        }
        Some(fields)
    }

    /// Takes a value as a mapping in which any key may stand.
    pub(crate) fn open(node: &'n Node, path: &str, report: &mut Report<'_>) -> Option<Self> {
        if let Data::Map(entries) = &node.data {
            return Some(Self { path: path.to_owned(), at: node.at, entries });
        }
        let what = if path.is_empty() { "the file".to_owned() } else { format!("`{path}`") };
        let problem = report.error(node.at, format!("{what} is {}", node.kind()));
        problem.expected = Some("a mapping: `key: value`".to_owned());
        None
    }

    /// Returns where the mapping begins.
    pub(crate) fn at(&self) -> Mark {
        self.at
    }

    /// Returns the full name of a key.
    pub(crate) fn name(&self, key: &str) -> String {
        if self.path.is_empty() { key.to_owned() } else { format!("{}.{key}", self.path) }
    }

    /// Returns what stands under a key; an empty value is as good as none.
    pub(crate) fn get(&self, key: &str) -> Option<&'n Node> {
        self.entries.iter().find(|it| it.key == key).map(|it| &it.value).filter(|it| !it.is_null())
    }

    /// Returns the keys with their values.
    pub(crate) fn entries(&self) -> &'n [Entry] {
        self.entries
    }

    /// Returns the text under a key.
    pub(crate) fn text(&self, key: &str, report: &mut Report<'_>) -> Option<Written> {
        text(self.get(key)?, &self.name(key), report)
    }

    /// Returns the text under a key that has to be there and say something.
    pub(crate) fn required_text(&self, key: &str, report: &mut Report<'_>) -> Option<Written> {
        let name = self.name(key);
        let Some(node) = self.get(key) else {
            let empty = self.entries.iter().find(|it| it.key == key);
            let problem = report.error(empty.map_or(self.at, |it| it.at), format!("`{name}` is missing"));
            problem.expected = Some(format!("`{key}: …`"));
            return None;
        };
        let written = text(node, &name, report)?;
        if written.text.trim().is_empty() {
            report.error(written.at, format!("`{name}` is empty")).expected = Some("a text".to_owned());
            return None;
        }
        Some(written)
    }

    /// Returns the texts of the list under a key.
    pub(crate) fn texts(&self, key: &str, report: &mut Report<'_>) -> Option<Vec<Written>> {
        let (node, name) = (self.get(key)?, self.name(key));
        let Data::List(items) = &node.data else {
            let problem = report.error(node.at, format!("`{name}` is {}", node.kind()));
            problem.expected = Some("a list of texts".to_owned());
            problem.hint = node.as_written().map(|it| format!("write `[{it}]`"));
            return None;
        };
        let read = |(index, item)| text(item, &format!("{name}[{index}]"), report);
        Some(items.iter().enumerate().filter_map(read).collect())
    }

    /// Returns the whole number above zero under a key.
    pub(crate) fn positive(&self, key: &str, report: &mut Report<'_>) -> Option<u64> {
        let (node, name) = (self.get(key)?, self.name(key));
        match node.as_integer().map(u64::try_from) {
            Some(Ok(number)) if number > 0 => return Some(number),
            Some(_) => report.error(node.at, format!("`{name}` is not above zero")),
            None => report.error(node.at, format!("`{name}` is {}", not_whole(node))),
        }
        .expected = Some("a whole number above zero".to_owned());
        None
    }

    /// Returns the text under a key, which has to be one of `words`.
    pub(crate) fn word(&self, key: &str, words: &[&str], report: &mut Report<'_>) -> Option<Written> {
        let written = self.text(key, report)?;
        if words.contains(&written.text.as_str()) {
            return Some(written);
        }
        let problem = report.error(written.at, format!("`{}` is `{}`", self.name(key), written.text));
        problem.expected = Some(format!("one of {}", listed(words)));
        problem.hint =
            store::nearest(&written.text, words.iter().copied()).map(|it| format!("did you mean `{it}`?"));
        None
    }
}

/// Returns a value as text, or says what it is instead.
pub(crate) fn text(node: &Node, name: &str, report: &mut Report<'_>) -> Option<Written> {
    if let Some(text) = node.as_text() {
        return Some(Written { text: text.to_owned(), at: node.at });
    }
    let problem = report.error(node.at, format!("`{name}` is {}", node.kind()));
    problem.expected = Some("a text".to_owned());
    problem.hint = node.as_written().map(|it| format!("put it in quotes: `\"{it}\"`"));
    None
}

fn not_whole(node: &Node) -> &'static str {
    match node.kind() {
        "a number" => "not a whole number",
        other => other,
    }
}

/// Returns words as a list for a message.
pub(crate) fn listed(words: &[&str]) -> String {
    words.iter().map(|it| format!("`{it}`")).collect::<Vec<_>>().join(", ")
}
