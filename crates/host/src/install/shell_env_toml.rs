//! A variable that Codex sets for commands: `[shell_environment_policy.set]`.
//!
//! As elsewhere an edit is a splice: a new table goes to the end of the file. Only into a table that exists already
//! `toml_edit` inserts the line, which keeps everything but the kind of line ends.

use toml_edit::{DocumentMut, Item};

use super::edit_error::EditError;
use super::server_toml::syntax;

const SECTION: &str = "shell_environment_policy";
const SET: &str = "set";

/// Returns the value of the variable.
pub(super) fn value(body: &str, name: &str) -> Result<Option<String>, EditError> {
    let document = parse(body)?;
    let set = document.get(SECTION).and_then(Item::as_table_like).and_then(|section| section.get(SET));
    let value = set.and_then(Item::as_table_like).and_then(|set| set.get(name));
    Ok(value.map(|value| value.as_str().unwrap_or_default().to_owned()))
}

/// Returns the text with the variable.
pub(super) fn with(body: &str, name: &str, path: &str) -> Result<String, EditError> {
    let mut document = parse(body)?;
    let set =
        document.get_mut(SECTION).and_then(Item::as_table_like_mut).and_then(|section| section.get_mut(SET));
    if let Some(set) = set.and_then(Item::as_table_like_mut) {
        set.insert(name, toml_edit::value(path));
        return Ok(document.to_string());
    }
    let table = table(name, path);
    let text = if body.is_empty() {
        format!("{table}\n")
    } else if body.ends_with('\n') {
        format!("{body}\n{table}\n")
    } else {
        format!("{body}\n\n{table}")
    };
    // Fails for a form of tables that cannot be continued; the user must edit it.
    parse(&text)?;
    Ok(text)
}

/// Returns the text without the variable.
pub(super) fn without(body: &str, name: &str, path: &str) -> Result<String, EditError> {
    let table = table(name, path);
    if let Some(at) = body.rfind(&table) {
        let (before, after) = (&body[..at], &body[at + table.len()..]);
        let cut = match (before.strip_suffix('\n'), after.strip_prefix('\n')) {
            (_, None) if after.is_empty() => before.strip_suffix("\n\n").map(str::to_owned),
            (before_line, Some(after)) => Some(format!("{}{after}", before_line.unwrap_or(before))),
            _ => None,
        };
        if let Some(text) = cut.filter(|text| value(text, name).is_ok_and(|value| value.is_none())) {
            return Ok(text);
        }
    }
    let mut document = parse(body)?;
    let set =
        document.get_mut(SECTION).and_then(Item::as_table_like_mut).and_then(|section| section.get_mut(SET));
    if let Some(set) = set.and_then(Item::as_table_like_mut) {
        set.remove(name);
    }
    Ok(document.to_string())
}

fn table(name: &str, path: &str) -> String {
    format!("[{SECTION}.{SET}]\n{name} = {}", toml_edit::Value::from(path))
}

fn parse(body: &str) -> Result<DocumentMut, EditError> {
    body.parse::<DocumentMut>().map_err(|error| syntax(body, &error))
}
