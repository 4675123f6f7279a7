//! Makes intents of nodes, and says everything that is wrong with them.

use std::collections::BTreeMap;

use super::node::{At, Kind, Node};
use super::problem::Problem;
use crate::{Intent, IntentId, Pattern, Status};

/// The keys that list the intents.
pub(super) const ROOT: &[&str] = &["intents", "active_intents"];
/// The keys of an intent, each with its other spelling.
pub(super) const ID: &[&str] = &["id"];
pub(super) const STATUS: &[&str] = &["status"];
pub(super) const SCOPE: &[&str] = &["owned_scope", "ownedScope"];
const NAME: &[&str] = &["name"];
const DESCRIPTION: &[&str] = &["description"];
const CONSTRAINTS: &[&str] = &["constraints"];
const CRITERIA: &[&str] = &["acceptance_criteria", "acceptanceCriteria"];
const METADATA: &[&str] = &["metadata"];
const KEYS: &[&[&str]] = &[ID, NAME, DESCRIPTION, STATUS, SCOPE, CONSTRAINTS, CRITERIA, METADATA];

/// Returns every key of an intent, in every spelling.
#[cfg(all(test, feature = "schema"))]
pub(crate) fn keys() -> Vec<&'static str> {
    KEYS.concat()
}

/// The newest format of the file this build knows.
const FORMAT: i64 = 1;

/// Returns the intents of a file and what is wrong with it.
pub(super) fn intents(root: Option<&Node>) -> (Vec<Intent>, Vec<Problem>) {
    let mut reading = Reading { problems: Vec::new(), intent: None };
    let start = At { line: 1, column: 1 };
    let Some(root) = root.filter(|root| !root.is_null()) else {
        reading.error(start, "the file is empty", "begin with `intents:` and a list of intents");
        return (Vec::new(), reading.problems);
    };
    let Kind::Map { .. } = &root.kind else {
        let what = format!("the file is {} where a mapping with `intents:` is needed", root.what());
        reading.error(root.at, &what, "begin with `intents:` and a list of intents");
        return (Vec::new(), reading.problems);
    };
    reading.keys(root, &[ROOT, &["version"]]);
    reading.version(root);
    let Some((key, list)) = root.entry(ROOT) else {
        reading.error(root.at, "the key `intents` is missing", "begin with `intents:` and a list of intents");
        return (Vec::new(), reading.problems);
    };
    let items: &[Node] = match &list.kind {
        Kind::List { items, .. } => items,
        _ if list.is_null() => &[],
        _ => {
            let what = format!("`{}` is {} where a list is needed", key.text().unwrap_or(""), list.what());
            reading.error(list.at, &what, "write each intent as `- id: INT-001` below it");
            &[]
        }
    };
    let intents = items.iter().filter_map(|item| reading.one(item)).collect();
    reading.duplicates(items);
    (intents, reading.problems)
}

struct Reading {
    problems: Vec<Problem>,
    /// The intent that is being read.
    intent: Option<String>,
}

impl Reading {
    fn error(&mut self, at: At, what: &str, hint: &str) {
        self.problems.push(Problem::error(at, what).hint(hint).of(self.intent.as_deref()));
    }

    fn one(&mut self, node: &Node) -> Option<Intent> {
        self.intent = None;
        let Kind::Map { .. } = &node.kind else {
            let what = format!("an intent is {} where a mapping is needed", node.what());
            self.error(node.at, &what, "write each intent as `- id: INT-001` with its keys below");
            return None;
        };
        self.intent = node.entry(ID).and_then(|(_, id)| id.text()).map(str::to_owned);
        self.keys(node, KEYS);
        let id = self.needed(node, ID, "give it an id such as INT-001").and_then(|(at, text)| {
            IntentId::parse(&text)
                .map_err(|error| self.error(at, &error.to_string(), "use `INT-` and digits"))
                .ok()
        });
        let name = self.needed(node, NAME, "give it a short name for people").map(|(_, name)| name);
        let status = self.status(node);
        let description = self.text(node, DESCRIPTION).map(|(_, text)| text).unwrap_or_default();
        let owned_scope = self.scope(node);
        let constraints = self.texts(node, CONSTRAINTS);
        let acceptance_criteria = self.texts(node, CRITERIA);
        let metadata = node.entry(METADATA).map(|(_, value)| value.to_json()).unwrap_or_default();
        if let Some((_, value)) = node.entry(METADATA)
            && !matches!(value.kind, Kind::Map { .. })
            && !value.is_null()
        {
            let what = format!("`metadata` is {} where a mapping is needed", value.what());
            self.error(value.at, &what, "write `key: value` lines below it");
        }
        self.intent = None;
        Some(Intent {
            id: id?,
            name: name?,
            description,
            status: status?,
            owned_scope: owned_scope?,
            constraints,
            acceptance_criteria,
            metadata,
        })
    }

    fn status(&mut self, node: &Node) -> Option<Status> {
        let hint = "one of PENDING, IN_PROGRESS, COMPLETED, BLOCKED";
        let (at, word) = self.needed(node, STATUS, hint)?;
        let status = Status::parse(&word);
        if status.is_none() {
            let squeezed = word.to_uppercase().replace([' ', '-'], "_");
            let meant =
                Status::parse(&squeezed).map_or(hint.to_owned(), |status| format!("did you mean {status}?"));
            self.error(at, &format!("`{word}` is not a status"), &meant);
        }
        status
    }

    fn scope(&mut self, node: &Node) -> Option<Vec<Pattern>> {
        const HINT: &str = "list the files it may write, such as `- src/**`";
        let Some((key, value)) = node.entry(SCOPE) else {
            self.error(node.at, "`owned_scope` is missing", HINT);
            return None;
        };
        let Kind::List { items, .. } = &value.kind else {
            let what = format!(
                "`{}` is {} where a list of patterns is needed",
                key.text().unwrap_or(""),
                value.what()
            );
            self.error(value.at, &what, HINT);
            return None;
        };
        if items.is_empty() {
            self.error(value.at, "`owned_scope` has no pattern", HINT);
            return None;
        }
        let patterns: Vec<_> = items.iter().map(|item| self.pattern(item)).collect();
        patterns.into_iter().collect()
    }

    /// Reads a pattern: a text, or a mapping with `pattern` and perhaps `description`.
    fn pattern(&mut self, node: &Node) -> Option<Pattern> {
        let node = match &node.kind {
            Kind::Map { .. } => {
                self.keys(node, &[&["pattern"], &["description"]]);
                let Some((_, value)) = node.entry(&["pattern"]) else {
                    self.error(node.at, "`pattern` is missing", "write `pattern: src/**`");
                    return None;
                };
                value
            }
            _ => node,
        };
        let Some(text) = node.text() else {
            let what = format!("a pattern is {} where a text is needed", node.what());
            self.error(node.at, &what, "quote a pattern that begins with `*`, such as `\"**/*.rs\"`");
            return None;
        };
        Pattern::parse(text).map_err(|bad| self.error(node.at, &bad.what, &bad.hint)).ok()
    }

    fn needed(&mut self, node: &Node, keys: &[&str], hint: &str) -> Option<(At, String)> {
        if node.entry(keys).is_none() {
            self.error(node.at, &format!("`{}` is missing", keys[0]), hint);
            return None;
        }
        let found = self.text(node, keys)?;
        if found.1.trim().is_empty() {
            self.error(found.0, &format!("`{}` is empty", keys[0]), hint);
            return None;
        }
        Some(found)
    }

    fn text(&mut self, node: &Node, keys: &[&str]) -> Option<(At, String)> {
        let (key, value) = node.entry(keys)?;
        if value.is_null() {
            return Some((value.at, String::new()));
        }
        let text = value.text().map(|text| (value.at, text.to_owned()));
        if text.is_none() {
            let what = format!("`{}` is {} where a text is needed", key.text().unwrap_or(""), value.what());
            self.error(value.at, &what, "quote it if it has `:`, `#`, `[` or `{` in it");
        }
        text
    }

    fn texts(&mut self, node: &Node, keys: &[&str]) -> Vec<String> {
        let Some((key, value)) = node.entry(keys) else { return Vec::new() };
        let name = key.text().unwrap_or("");
        let Kind::List { items, .. } = &value.kind else {
            if !value.is_null() {
                let what = format!("`{name}` is {} where a list of texts is needed", value.what());
                self.error(value.at, &what, "write each on a line of its own, after `- `");
            }
            return Vec::new();
        };
        let mut texts = Vec::with_capacity(items.len());
        for item in items {
            if let Some(text) = item.text() {
                texts.push(text.to_owned());
            } else {
                let what = format!("an entry of `{name}` is {} where a text is needed", item.what());
                self.error(item.at, &what, "quote it if it has `:`, `#`, `[` or `{` in it");
            }
        }
        texts
    }

    fn version(&mut self, root: &Node) {
        let Some((_, value)) = root.entry(&["version"]) else { return };
        match value.to_json().as_i64() {
            Some(found) if found <= FORMAT => {}
            Some(found) => {
                let what = format!("format {found} is newer than the {FORMAT} this build knows");
                self.error(value.at, &what, "update steersman");
            }
            None => self.error(value.at, "`version` has to be a whole number", "write `version: 1`"),
        }
    }

    /// Finds keys that stand twice, in whatever spelling, and keys nobody knows.
    fn keys(&mut self, node: &Node, known: &[&[&str]]) {
        let Kind::Map { entries } = &node.kind else { return };
        let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
        for (key, _) in entries {
            let Some(text) = key.text() else {
                let what = format!("a key is {} where a text is needed", key.what());
                self.error(key.at, &what, "");
                continue;
            };
            let Some(one) = known.iter().find(|spellings| spellings.contains(&text)).map(|it| it[0]) else {
                let spellings = known.iter().flat_map(|it| it.iter().copied());
                let hint = config_file::nearest(text, spellings)
                    .map(|near| format!("did you mean `{near}`?"))
                    .unwrap_or_default();
                let problem = Problem::warning(key.at, format!("the key `{text}` is not known")).hint(hint);
                self.problems.push(problem.of(self.intent.as_deref()));
                continue;
            };
            if let Some(line) = seen.insert(one, key.at.line) {
                let what = format!("the key `{text}` stands here again, after line {line}");
                self.error(key.at, &what, "keep one of them");
            }
        }
    }

    fn duplicates(&mut self, items: &[Node]) {
        let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
        for id in items.iter().filter_map(|item| item.entry(ID)).map(|(_, id)| id) {
            let Some(text) = id.text() else { continue };
            if let Some(line) = seen.insert(text, id.at.line) {
                self.intent = Some(text.to_owned());
                let what = format!("the id `{text}` is taken already, by line {line}");
                self.error(id.at, &what, "give each intent an id of its own");
            }
        }
        self.intent = None;
    }
}
