//! Where an intent is in the intents file, to check a cached intent without parsing the file.
//!
//! WHY: parsing a file of two hundred intents takes longer than the rest of a hook event, and a cached intent can be
//! written by any program of the user. Reading the few lines of one intent is cheap. Only a plain layout is understood;
//! otherwise the whole file is parsed.

use std::fs;
use std::io::{Read, Seek, SeekFrom};

use event::AbsPath;
use serde::{Deserialize, Serialize};

use crate::{Intent, IntentId};

/// The bytes of one item of the list of intents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct SourcePlace {
    start: u64,
    length: u64,
}

/// A larger item is parsed with the whole file.
const MAX_BYTES: u64 = 64 * 1024;

impl SourcePlace {
    /// Finds an intent in the file. Returns `None` if the layout is not plain.
    pub(crate) fn find(file: &AbsPath, id: &IntentId) -> Option<Self> {
        let text = fs::read_to_string(file.as_path()).ok()?;
        let mut items: Vec<(usize, usize)> = Vec::new();
        let mut at = 0;
        let mut indent = None;
        for line in text.split_inclusive('\n') {
            let own = line.len() - line.trim_start_matches(' ').len();
            if line.trim_start().starts_with("- ") && indent.is_none_or(|indent| indent == own) {
                indent = Some(own);
                items.extend([(at, at)]);
            }
            at += line.len();
            if let Some(last) = items.last_mut() {
                last.1 = at;
            }
        }
        let found = items.iter().find(|(start, end)| has_id(&text[*start..*end], id))?;
        let number = |at: usize| u64::try_from(at).unwrap_or(u64::MAX);
        Some(Self { start: number(found.0), length: number(found.1 - found.0) })
    }

    /// Returns whether the file says this about the intent there. `false` also if the layout is not plain.
    pub(crate) fn says(&self, file: &AbsPath, intent: &Intent) -> bool {
        let read = || -> Option<String> {
            if self.length > MAX_BYTES {
                return None;
            }
            let mut source = fs::File::open(file.as_path()).ok()?;
            // The byte before must end a line: else the place could begin in a comment.
            let before = self.start.saturating_sub(1);
            source.seek(SeekFrom::Start(before)).ok()?;
            let mut bytes = vec![0; usize::try_from(self.length + (self.start - before)).ok()?];
            source.read_exact(&mut bytes).ok()?;
            let text = String::from_utf8(bytes).ok()?;
            if self.start == 0 { Some(text) } else { text.strip_prefix('\n').map(str::to_owned) }
        };
        read().is_some_and(|text| is_item_of(&text, intent))
    }
}

/// Returns whether a plain item has the id, the status and exactly the patterns of an intent.
fn is_item_of(text: &str, intent: &Intent) -> bool {
    if !text.trim_start().starts_with("- ") || text.contains(['&', '*']) && has_anchor(text) {
        return false;
    }
    let n_ids = text.lines().filter(|line| value_of(line, &["id"]).is_some()).count();
    let status = text.lines().find_map(|line| value_of(line, &["status"]));
    if n_ids != 1 || !has_id(text, &intent.id) || status != Some(intent.status.as_str()) {
        return false;
    }
    let patterns = patterns_in(text);
    patterns.len() == intent.owned_scope.len()
        && patterns.iter().zip(&intent.owned_scope).all(|(listed, own)| *listed == own.as_str())
}

fn has_id(text: &str, id: &IntentId) -> bool {
    text.lines().any(|line| value_of(line, &["id"]) == Some(id.as_str()))
}

/// Returns whether a value of the item is an anchor or an alias, which stands for text elsewhere.
fn has_anchor(text: &str) -> bool {
    text.lines().any(|line| {
        let value =
            line.split_once(": ").map_or_else(|| line.trim_start().trim_start_matches("- "), |it| it.1);
        value.trim_start().starts_with(['&', '*'])
    })
}

/// Returns the plain value of one of these keys in a line.
fn value_of<'a>(line: &'a str, keys: &[&str]) -> Option<&'a str> {
    let line = line.trim_start();
    let (key, value) = line.strip_prefix("- ").unwrap_or(line).split_once(':')?;
    keys.contains(&key.trim()).then(|| unquoted(value.trim()))
}

/// Returns the patterns of the scope, of a list in brackets or one per line.
fn patterns_in(text: &str) -> Vec<&str> {
    let mut lines = text.lines();
    let Some(first) = lines.by_ref().find_map(|line| value_of_scope(line)) else { return Vec::new() };
    if let Some(inner) = first.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        return inner.split(',').map(|item| unquoted(item.trim())).filter(|item| !item.is_empty()).collect();
    }
    if !first.is_empty() {
        return Vec::new();
    }
    let items = lines.map(str::trim).take_while(|line| line.starts_with("- "));
    items.map(|line| unquoted(line.trim_start_matches("- ").trim())).collect()
}

fn value_of_scope(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let (key, value) = line.strip_prefix("- ").unwrap_or(line).split_once(':')?;
    matches!(key.trim(), "owned_scope" | "ownedScope").then(|| value.trim())
}

fn unquoted(value: &str) -> &str {
    let inner = |quote: char| value.strip_prefix(quote)?.strip_suffix(quote);
    inner('"').or_else(|| inner('\'')).unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::IntentsFile;

    const FILE: &str = "\
# - id: INT-001
intents:
    - id: INT-001
      name: One
      status: PENDING
      owned_scope:
        - \"src/**\"
        - docs/*.md
      constraints:
        - \"**\"
    - name: Two
      status: BLOCKED
      owned_scope: [\"lib/**\", 'b/*']
      id: INT-002
";

    #[test]
    fn an_intent_is_compared_with_its_lines_in_the_file() {
        let dir = tempfile::tempdir().unwrap();
        let file = AbsPath::new(dir.path().join("f")).unwrap();
        fs::write(file.as_path(), FILE).unwrap();
        for intent in IntentsFile::parse(FILE.as_bytes()).unwrap().intents {
            let place = SourcePlace::find(&file, &intent.id).unwrap();
            assert!(place.says(&file, &intent), "{}", intent.id);
            let mut wider = intent.clone();
            wider.owned_scope.push(crate::Pattern::parse("**").unwrap());
            assert!(!place.says(&file, &wider));
            let other = SourcePlace { start: place.start + 2, ..place };
            assert!(!other.says(&file, &intent), "another place");
            let longer = SourcePlace { start: 0, length: FILE.len() as u64 };
            assert!(!longer.says(&file, &intent), "two items");
        }
    }
}
