//! Narrows a search to a part of the workspace, in the host's own field names.

use event::ToolCall;
use serde_json::{Map, Value};

use super::input_facts::texts;
use super::tool::{InputField, Tool};
use crate::Host;

/// The part of the workspace for a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchBounds {
    /// The common folder, relative to the workspace; empty for the workspace itself.
    pub folder: String,
    /// The common folder, absolute.
    pub absolute: String,
    /// The files, as a pattern relative to the folder.
    pub below: String,
    /// The files, as a pattern relative to the workspace.
    pub glob: String,
}

/// Returns the changed fields of the input that narrow a search. Returns `None` if the tool has no
/// field for it.
pub fn narrow(host: Host, call: &ToolCall, to: &SearchBounds) -> Option<Map<String, Value>> {
    let tool = super::find(host, &call.name)?;
    let mut changed = Map::new();
    let mut set = |field: &str, value: String| {
        changed.insert(field.to_owned(), Value::from(value));
    };
    let folder = field(tool, |fields| matches!(fields, InputField::Reads(_)));
    let include = field(tool, |fields| matches!(fields, InputField::Includes(_)));
    let listed = field(tool, |fields| matches!(fields, InputField::Lists(_) | InputField::ListsAnywhere(_)));
    let given = |place: &str| texts(&call.input, place).first().map(|text| (*text).to_owned());
    match (folder, include, listed) {
        (Some(folder), include, _) => {
            if !to.folder.is_empty() {
                set(folder, to.absolute.clone());
            }
            if let Some(include) = include.filter(|include| given(include).is_none()) {
                let pattern = if to.folder.is_empty() { &to.glob } else { &to.below };
                if pattern != "**" {
                    set(include, pattern.clone());
                }
            }
        }
        (None, Some(field), _) | (None, None, Some(field)) => {
            set(field, within(given(field).as_deref(), to, include.is_some()));
        }
        (None, None, None) => {}
    }
    (!changed.is_empty()).then_some(changed)
}

/// Joins a pattern for any folder with the folder of the search.
fn within(given: Option<&str>, to: &SearchBounds, is_include: bool) -> String {
    match given {
        Some(pattern) if !to.folder.is_empty() && (pattern.starts_with("**/") || !pattern.contains('/')) => {
            format!("{}/**/{}", to.folder, pattern.trim_start_matches("**/"))
        }
        Some(pattern) if !is_include && to.folder.is_empty() => pattern.to_owned(),
        _ => to.glob.clone(),
    }
}

/// Returns the first field with a given role.
fn field(tool: &Tool, is: impl Fn(&InputField) -> bool) -> Option<&'static str> {
    tool.fields.iter().find(|fields| is(fields)).and_then(|fields| match fields {
        InputField::Reads(place)
        | InputField::Includes(place)
        | InputField::Lists(place)
        | InputField::ListsAnywhere(place) => Some(*place),
        _ => None,
    })
}
