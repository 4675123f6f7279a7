//! Adds a pattern to the scope of an intent.

use config_file::Kind;

use super::edit::{after_line, blanks_before_dash, insert_lines, intent_node, parse, scalar, verified};
use super::table::SCOPE;
use super::{EditError, IntentsFile};
use crate::{IntentId, Pattern};

impl IntentsFile {
    /// Returns the text with another pattern in an intent's scope; unchanged if the pattern is
    /// already there.
    pub fn expand(text: &str, id: &IntentId, pattern: &str) -> Result<String, EditError> {
        let pattern = Pattern::parse(pattern)?;
        let mut wanted = Self::parse(text.as_bytes())?;
        let intent = wanted.intents.iter_mut().find(|intent| intent.id == *id);
        let intent = intent.ok_or_else(|| EditError::Unknown(id.clone()))?;
        if intent.owned_scope.contains(&pattern) {
            return Ok(text.to_owned());
        }
        let entry = scalar(pattern.as_str());
        let quoted = serde_json::Value::from(pattern.as_str());
        intent.owned_scope.push(pattern);
        let root = parse(text).ok().flatten().ok_or(EditError::Layout)?;
        let scope = intent_node(&root, id).and_then(|node| node.entry(&SCOPE)).ok_or(EditError::Layout)?;
        let Kind::Array { items, block } = &scope.value.kind else { return Err(EditError::Layout) };
        let end = items.last().ok_or(EditError::Layout)?.span.end;
        let edited = if *block {
            let first = items.first().map(|item| item.span.start);
            let blanks = first.and_then(|first| blanks_before_dash(text, first)).ok_or(EditError::Layout)?;
            let line = format!("{}- {entry}\n", " ".repeat(blanks));
            insert_lines(text, after_line(text, end), &line)
        } else {
            let mut edited = text.to_owned();
            edited.insert_str(end, &format!(", {quoted}"));
            edited
        };
        verified(edited, &wanted)
    }
}
