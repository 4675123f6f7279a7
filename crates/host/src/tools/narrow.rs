//! Narrowing a search to a part of the workspace, in the host's own field names.

use event::ToolCall;
use serde_json::{Map, Value};

use super::findings::texts;
use super::tool::{Says, Tool};
use crate::Host;

/// The part of the workspace a search shall stay in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Narrow {
    /// The folder everything lies in, relative to the workspace; empty is the workspace.
    pub folder: String,
    /// The same, absolute.
    pub absolute: String,
    /// The files, as a pattern relative to the folder.
    pub below: String,
    /// The files, as a pattern relative to the workspace.
    pub glob: String,
}

/// Returns the fields of the input to change, so that a search stays within; nothing if the
/// tool has no field for it.
pub fn narrow(host: Host, call: &ToolCall, to: &Narrow) -> Option<Map<String, Value>> {
    let tool = super::find(host, &call.name)?;
    let mut changed = Map::new();
    let mut set = |field: &str, value: String| {
        changed.insert(field.to_owned(), Value::from(value));
    };
    let folder = field(tool, |says| matches!(says, Says::Reads(_)));
    let include = field(tool, |says| matches!(says, Says::Includes(_)));
    let listed = field(tool, |says| matches!(says, Says::Lists(_) | Says::ListsAnywhere(_)));
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

/// Joins a pattern that fits in every folder to the folder it shall stay in.
fn within(given: Option<&str>, to: &Narrow, is_include: bool) -> String {
    match given {
        Some(pattern) if !to.folder.is_empty() && (pattern.starts_with("**/") || !pattern.contains('/')) => {
            format!("{}/**/{}", to.folder, pattern.trim_start_matches("**/"))
        }
        Some(pattern) if !is_include && to.folder.is_empty() => pattern.to_owned(),
        _ => to.glob.clone(),
    }
}

/// Returns the first field that stands for something.
fn field(tool: &Tool, is: impl Fn(&Says) -> bool) -> Option<&'static str> {
    tool.says.iter().find(|says| is(says)).and_then(|says| match says {
        Says::Reads(place) | Says::Includes(place) | Says::Lists(place) | Says::ListsAnywhere(place) => {
            Some(*place)
        }
        _ => None,
    })
}
