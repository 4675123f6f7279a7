//! Changes single values of an intents file.
//!
//! INVARIANT: an edit replaces or adds bytes at one position and leaves every other byte, so
//! comments, order and layout stay. The result is parsed again and must contain exactly the requested
//! change; an edit of an unsupported layout fails and changes nothing.

use config_file::{Node, SyntaxError, parse_yaml_part};

use super::intents_file::LIMITS;
use super::table::{ID, LIST, STATUS};
use super::{IntentsFile, Invalid};
use crate::status::InvalidTransition;
use crate::{BadPattern, IntentId, Status};

/// Why an intents file cannot be changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EditError {
    /// It is already invalid.
    #[error(transparent)]
    Invalid(#[from] Invalid),
    /// The intent does not exist.
    #[error("unknown intent `{0}` in {file}", file = IntentsFile::PATH)]
    Unknown(IntentId),
    /// The intent already exists.
    #[error("duplicate intent `{0}` in {file}", file = IntentsFile::PATH)]
    Taken(IntentId),
    /// The status cannot change that way.
    #[error(transparent)]
    Step(#[from] InvalidTransition),
    /// The pattern is invalid.
    #[error(transparent)]
    Pattern(#[from] BadPattern),
    /// The edit does not support the file's layout.
    #[error("cannot edit {file}: unsupported layout; hint: change it by hand", file = IntentsFile::PATH)]
    Layout,
}

impl IntentsFile {
    /// Returns the text with another status of an intent, if the transition is allowed.
    pub fn set_status(text: &str, id: &IntentId, to: Status) -> Result<String, EditError> {
        let mut wanted = Self::parse(text.as_bytes())?;
        let intent = wanted.intents.iter_mut().find(|intent| intent.id == *id);
        let intent = intent.ok_or_else(|| EditError::Unknown(id.clone()))?;
        intent.status.step(to)?;
        if intent.status == to {
            return Ok(text.to_owned());
        }
        intent.status = to;
        let root = parse(text).ok().flatten().ok_or(EditError::Layout)?;
        let status = intent_node(&root, id).and_then(|node| node.entry(&STATUS)).ok_or(EditError::Layout)?;
        let span = status.value.span;
        let mut edited = text.to_owned();
        edited.replace_range(span.start..span.end, to.as_str());
        verified(edited, &wanted)
    }
}

/// Parses a string; spans include its byte-order mark.
pub(super) fn parse(text: &str) -> Result<Option<Node<'_>>, SyntaxError> {
    let body = text.trim_start_matches('\u{feff}');
    parse_yaml_part(body, text.len() - body.len(), LIMITS)
}

/// Returns the node of an intent.
pub(super) fn intent_node<'n, 't>(root: &'n Node<'t>, id: &IntentId) -> Option<&'n Node<'t>> {
    let items = root.entry(&LIST)?.value.items()?;
    let id_of = |item: &'n Node<'t>| item.entry(&ID)?.value.as_written();
    items.iter().find(|item| id_of(item) == Some(id.as_str()))
}

/// Returns the edited text if it parses to the requested content.
pub(super) fn verified(edited: String, wanted: &IntentsFile) -> Result<String, EditError> {
    match IntentsFile::parse(edited.as_bytes()) {
        Ok(found) if found.intents == wanted.intents => Ok(edited),
        _ => Err(EditError::Layout),
    }
}

/// Returns the byte after the line break of a byte's line. A block scalar ends with its line.
pub(super) fn after_line(text: &str, byte: usize) -> usize {
    if byte > 0 && text.as_bytes().get(byte - 1) == Some(&b'\n') {
        return byte;
    }
    text.get(byte..).and_then(|rest| rest.find('\n')).map_or(text.len(), |at| byte + at + 1)
}

/// Returns the number of spaces before the `-` of a block list's entry that begins at a byte.
pub(super) fn blanks_before_dash(text: &str, entry: usize) -> Option<usize> {
    let dash = text.get(..entry)?.rfind('-')?;
    let line = text[..dash].rfind('\n').map_or(0, |at| at + 1);
    Some(text[line..dash].trim_start_matches('\u{feff}').len())
}

/// Inserts a whole line at the start of a line, with the line breaks of the text.
pub(super) fn insert_lines(text: &str, at: usize, lines: &str) -> String {
    let crlf = text.contains("\r\n");
    let lines = if crlf { lines.replace('\n', "\r\n") } else { lines.to_owned() };
    let end = if crlf { "\r\n" } else { "\n" };
    let mut edited = text.to_owned();
    if at == text.len() && !text.is_empty() && !text.ends_with('\n') {
        edited.push_str(end);
        edited.push_str(&lines);
    } else {
        edited.insert_str(at, &lines);
    }
    edited
}

/// Formats a string as a YAML scalar: plain if it is unambiguous, else quoted.
pub(super) fn scalar(text: &str) -> String {
    let word =
        |c: char| c.is_ascii_alphanumeric() || matches!(c, ' ' | '_' | '-' | '/' | '.' | '(' | ')' | ',');
    let keyword = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"];
    let plain = text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.chars().all(word)
        && !text.ends_with(' ')
        && !keyword.contains(&text.to_lowercase().as_str());
    // WHY JSON: every JSON string is a double-quoted YAML string.
    if plain { text.to_owned() } else { serde_json::Value::from(text).to_string() }
}
