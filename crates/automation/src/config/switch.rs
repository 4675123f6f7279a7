//! Turns an automation on or off in its file and keeps comments, order and layout.

use config_file::jsonc::{self, CstInputValue, CstNode, CstObject, CstObjectProp, ParseError};

use crate::AutomationId;

/// Why an automation cannot be switched.
#[derive(Debug, thiserror::Error)]
pub enum SwitchError {
    /// The file is not JSON.
    #[error("the file is not JSON")]
    Syntax(#[source] ParseError),
    /// The file does not declare it.
    #[error("the file does not declare the automation `{0}`")]
    Absent(AutomationId),
}

/// Returns the text of the file with the automation enabled or disabled. Returns `None` if it already is.
pub fn switch(text: &str, id: &AutomationId, enabled: bool) -> Result<Option<String>, SwitchError> {
    let root = jsonc::parse_editable(text).map_err(SwitchError::Syntax)?;
    let list = root.array_value().or_else(|| root.object_value()?.array_value("hooks"));
    let hooks = list.map(|list| list.elements()).unwrap_or_default();
    let hook =
        hooks.iter().filter_map(CstNode::as_object).find(|hook| id_of(hook).as_deref() == Some(id.as_str()));
    let Some(hook) = hook else { return Err(SwitchError::Absent(id.clone())) };
    let Some(property) = hook.get("enabled") else {
        if enabled {
            return Ok(None);
        }
        // Directly after the id, where readers expect it.
        let index = hook.properties().iter().position(|it| name_of(it).as_deref() == Some("id"));
        hook.insert(index.map_or(0, |index| index + 1), "enabled", CstInputValue::Bool(false));
        return Ok(Some(root.to_string()));
    };
    let is_now = property.value().and_then(|value| value.as_boolean_lit()).map(|it| it.value());
    if is_now == Some(enabled) {
        return Ok(None);
    }
    property.set_value(CstInputValue::Bool(enabled));
    Ok(Some(root.to_string()))
}

fn id_of(hook: &CstObject) -> Option<String> {
    hook.get("id")?.value()?.as_string_lit()?.decoded_value().ok()
}

fn name_of(property: &CstObjectProp) -> Option<String> {
    property.name()?.decoded_value().ok()
}
