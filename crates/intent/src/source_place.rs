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
///
/// WHY one pass over bytes: every call of a governed session makes this comparison, and several passes with the functions of
/// strings took an eighth of the whole event.
fn is_item_of(text: &str, intent: &Intent) -> bool {
    let mut own = intent.owned_scope.iter();
    let mut is_next =
        |listed: &[u8]| own.next().is_some_and(|pattern| pattern.as_str().as_bytes() == unquoted(listed));
    let (mut n_ids, mut has_id, mut status, mut has_scope) = (0, false, None, false);
    let mut in_list = false;
    if !text.trim_start().starts_with("- ") {
        return false;
    }
    for line in lines(text) {
        let listed = line.strip_prefix(b"- ").map(<[u8]>::trim_ascii_start);
        if let (true, Some(listed)) = (in_list, listed) {
            if is_alias(listed) || !is_next(listed) {
                return false;
            }
            continue;
        }
        in_list = false;
        let Some((key, value)) = keyed(line) else {
            if is_alias(listed.unwrap_or(line)) {
                return false;
            }
            continue;
        };
        if is_alias(value) {
            return false;
        }
        match key {
            b"id" => {
                n_ids += 1;
                has_id = unquoted(value) == intent.id.as_str().as_bytes();
            }
            b"status" if status.is_none() => status = Some(unquoted(value)),
            b"owned_scope" | b"ownedScope" if !has_scope => {
                has_scope = true;
                in_list = value.is_empty();
                if let Some(inner) = value.strip_prefix(b"[").and_then(|rest| rest.strip_suffix(b"]")) {
                    let mut items = inner.split(|byte| *byte == b',').map(<[u8]>::trim_ascii);
                    if !items.all(|item| item.is_empty() || is_next(item)) {
                        return false;
                    }
                }
            }
            _ => {}
        }
    }
    n_ids == 1 && has_id && status == Some(intent.status.as_str().as_bytes()) && own.next().is_none()
}

fn has_id(text: &str, id: &IntentId) -> bool {
    lines(text)
        .any(|line| keyed(line).is_some_and(|it| it.0 == b"id" && unquoted(it.1) == id.as_str().as_bytes()))
}

/// Returns the lines without the spaces around them.
fn lines(text: &str) -> impl Iterator<Item = &[u8]> {
    text.as_bytes().split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii)
}

/// Returns the key and the value of a line, which may begin an item. Returns `None` for a line without a key.
fn keyed(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let line = line.strip_prefix(b"- ").unwrap_or(line);
    let colon = line.iter().position(|byte| *byte == b':')?;
    Some((line[..colon].trim_ascii(), line[colon + 1..].trim_ascii()))
}

/// Returns whether a value is an anchor or an alias, which stands for text elsewhere.
fn is_alias(value: &[u8]) -> bool {
    matches!(value.first(), Some(b'&' | b'*'))
}

fn unquoted(value: &[u8]) -> &[u8] {
    match value {
        [b'"', inner @ .., b'"'] | [b'\'', inner @ .., b'\''] => inner,
        _ => value,
    }
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

    #[test]
    fn only_the_lines_of_exactly_this_intent_fit() {
        let intent = &IntentsFile::parse(FILE.as_bytes()).unwrap().intents[0];
        let item = "- id: INT-001\n  name: One\n  status: PENDING\n  owned_scope:\n    - \"src/**\"\n    - docs/*.md\n  constraints:\n    - \"**\"\n";
        assert!(is_item_of(item, intent));
        for (from, to) in [
            ("INT-001", "INT-002"),
            ("PENDING", "COMPLETED"),
            ("    - docs/*.md\n", ""),
            ("docs/*.md", "docs/*.md\n    - lib/**"),
            ("docs/*.md", "*all"),
            ("\"src/**\"", "&all src/**"),
            ("name: One", "name: *one"),
            ("name: One", "id: INT-001"),
            ("owned_scope:", "owned_scope: \"**\""),
            ("owned_scope:", "other:"),
        ] {
            assert!(!is_item_of(&item.replacen(from, to, 1), intent), "{from} -> {to}");
        }
    }
}
