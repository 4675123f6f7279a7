//! The settings that a managed JSON file fixes.

use config_file::jsonc::{Object, Ranged, Value};
use serde_json::json;

use super::document::{Document, last, misshapen};
use super::edit_error::EditError;
use super::hook_plan::Pin;
use super::insert::{Item, Level, append};
use super::layout::Layout;
use super::remove::{came_with_their_only_item, remove};

/// Returns the text with the pinned value; replaces another value.
pub(super) fn with_pin(text: &str, pin: &Pin) -> Result<String, EditError> {
    let document = Document::parse(text)?;
    let layout = Layout::of(&document);
    let value = json!(pin.value);
    let Some(section) = pin.section else {
        return Ok(with_value(text, &document.root, pin, &layout, Level::File));
    };
    if let Some(object) = section_of(&document, section)? {
        return Ok(with_value(text, object, pin, &layout, Level::Inner));
    }
    let all = json!({pin.key: value});
    Ok(append(text, &(&document.root).into(), Item::Property(section, &all), &layout, Level::File))
}

/// Returns the text without the pinned value. Another value is not ours and stays.
pub(super) fn without_pin(text: &str, pin: &Pin) -> Result<String, EditError> {
    let document = Document::parse(text)?;
    let Some(section) = pin.section else {
        let ours = position(&document.root, pin);
        return Ok(ours.map_or_else(|| text.to_owned(), |at| remove(text, &(&document.root).into(), at)));
    };
    let Ok(Some(object)) = section_of(&document, section) else { return Ok(text.to_owned()) };
    let Some(at) = position(object, pin) else { return Ok(text.to_owned()) };
    if came_with_their_only_item(text, &object.into()) {
        let whole = document.root.properties.iter().rposition(|property| property.name.as_str() == section);
        return Ok(whole.map_or_else(|| text.to_owned(), |at| remove(text, &(&document.root).into(), at)));
    }
    Ok(remove(text, &object.into(), at))
}

fn with_value(text: &str, object: &Object<'_>, pin: &Pin, layout: &Layout, level: Level) -> String {
    let value = json!(pin.value);
    match last(object, pin.key) {
        Some(Value::BooleanLit(found)) if found.value == pin.value => text.to_owned(),
        Some(found) => {
            let range = Ranged::range(found);
            format!("{}{value}{}", &text[..range.start], &text[range.end..])
        }
        None => append(text, &object.into(), Item::Property(pin.key, &value), layout, level),
    }
}

fn section_of<'o, 'a>(
    document: &'o Document<'a>,
    section: &str,
) -> Result<Option<&'o Object<'a>>, EditError> {
    match last(&document.root, section) {
        None => Ok(None),
        Some(Value::Object(object)) => Ok(Some(object)),
        Some(other) => Err(misshapen(document.text, &format!("`{section}`"), "an object", other)),
    }
}

fn position(object: &Object<'_>, pin: &Pin) -> Option<usize> {
    object.properties.iter().rposition(|property| {
        property.name.as_str() == pin.key
            && matches!(&property.value, Value::BooleanLit(found) if found.value == pin.value)
    })
}
