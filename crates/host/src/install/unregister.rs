//! Removes our entries from a settings file.

use config_file::jsonc::Value;

use super::document::{Document, split_mark};
use super::edit_error::EditError;
use super::gap::Gap;
use super::hook_plan::HookPlan;
use super::hooks_toml;
use super::own_entry::OwnEntry;
use super::pin_json::without_pin;
use super::register::OUR_VERSION;
use super::remove::remove;
use super::server::Form;

/// A settings file without our entries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Removed {
    /// It contained none of our entries.
    Nothing,
    /// The text without our entries.
    Text(String),
    /// The file is empty now. Delete it if we created it; if it existed before us (there is a
    /// backup), this was its text.
    OnlyOurs {
        /// An empty object.
        left: String,
    },
}

/// Returns the settings file without our entries: the file as it was before [`super::register`], byte
/// for byte, if it has not changed since.
pub fn unregister(plan: &HookPlan, existing: &str) -> Result<Removed, EditError> {
    if plan.form == Form::Toml {
        return hooks_toml::unregister(plan, existing);
    }
    let (mark, body) = split_mark(existing);
    if body.trim().is_empty() || (!plan.pins.is_empty() && OwnEntry::all(&Document::parse(body)?).is_empty())
    {
        return Ok(Removed::Nothing);
    }
    let mut text = without_our_version(plan, body)?;
    for pin in plan.pins.iter().rev() {
        text = without_pin(&text, pin)?;
    }
    loop {
        let document = Document::parse(&text)?;
        // From the end, the reverse of the order of insertion.
        let Some(found) = OwnEntry::all(&document).pop() else { break };
        text = found.removed_from(&document);
    }
    if text == body {
        return Ok(Removed::Nothing);
    }
    let unsaid: &[&str] = if plan.versioned { &["version"] } else { &[] };
    let nothing_left = says_nothing(&Document::parse(&text)?, unsaid);
    let text = format!("{mark}{text}");
    Ok(if nothing_left { Removed::OnlyOurs { left: text } } else { Removed::Text(text) })
}

fn without_our_version(plan: &HookPlan, text: &str) -> Result<String, EditError> {
    let document = Document::parse(text)?;
    let ours = document.root.properties.iter().position(|property| {
        property.name.as_str() == "version"
            && matches!(&property.value, Value::NumberLit(number) if number.value == OUR_VERSION)
    });
    Ok(match ours {
        Some(index) if plan.versioned => remove(text, &(&document.root).into(), index),
        _ => text.to_owned(),
    })
}

/// Returns whether the file contains nothing but these keys, not even a comment.
pub(super) fn says_nothing(document: &Document<'_>, unsaid: &[&str]) -> bool {
    let Document { text, root } = document;
    let says_something = |name: &str| !unsaid.contains(&name);
    let mut start = 0;
    let mut gaps = Vec::new();
    for property in &root.properties {
        gaps.push(start..property.range.start);
        start = property.range.end;
    }
    gaps.push(start..text.len());
    root.properties.iter().all(|property| !says_something(property.name.as_str()))
        && gaps.into_iter().all(|gap| !Gap::new(text, gap).has_comment())
}
