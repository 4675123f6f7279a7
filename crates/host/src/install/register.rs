//! Adds our entries to a settings file.

use config_file::jsonc::on_one_line;
use serde_json::{Map, Value, json};

use super::document::{Document, last, split_mark};
use super::edit_error::EditError;
use super::hook_plan::{HookPlan, HookRow};
use super::hooks_toml;
use super::insert::{Item, Level, append};
use super::layout::Layout;
use super::own_entry::OwnEntry;
use super::pin_json::with_pin;
use super::program::Program;
use super::server::Form;

/// Our spelling of the `version` that we add to a file without one: the usual number in an unusual
/// spelling, so that [`super::unregister`] recognises it.
pub(super) const OUR_VERSION: &str = "1.0";

/// Returns the settings file with all entries of the plan.
///
/// `existing` is the current text, `None` if the file does not exist. Idempotent. Existing entries of
/// ours keep their position and all values that a user changed; only the command line is updated.
/// Removes our entries that are not in the plan.
pub fn register(plan: &HookPlan, existing: Option<&str>, program: &Program) -> Result<String, EditError> {
    if plan.form == Form::Toml {
        return hooks_toml::register(plan, existing, program);
    }
    let (mark, body) = split_mark(existing.unwrap_or_default());
    if body.trim().is_empty() {
        return Ok(format!("{mark}{}\n", Layout::default().block(&whole_file(plan, program), "")));
    }
    check_shapes(plan, &Document::parse(body)?)?;
    let mut text = without_stale_entries(plan, body)?;
    for row in plan.rows {
        text = with_row(plan, row, program, &text)?;
    }
    for pin in plan.pins {
        text = with_pin(&text, pin)?;
    }
    Ok(format!("{mark}{}", with_version(plan, text)?))
}

fn whole_file(plan: &HookPlan, program: &Program) -> Value {
    let mut file = Map::new();
    if plan.versioned {
        file.insert("version".into(), json!(1));
    }
    file.insert("hooks".into(), all_rows(plan, program));
    for pin in plan.pins {
        match pin.section {
            Some(section) => file.insert(section.into(), json!({pin.key: pin.value})),
            None => file.insert(pin.key.into(), json!(pin.value)),
        };
    }
    Value::Object(file)
}

fn all_rows(plan: &HookPlan, program: &Program) -> Value {
    let list = |row: &HookRow| (row.key.to_owned(), json!([plan.element(row, program)]));
    Value::Object(plan.rows.iter().map(list).collect())
}

/// Fails before the first edit if a later one would fail.
fn check_shapes(plan: &HookPlan, document: &Document<'_>) -> Result<(), EditError> {
    let Some(hooks) = document.hooks()? else { return Ok(()) };
    for row in plan.rows {
        document.list(hooks, row.key)?;
    }
    Ok(())
}

/// Removes entries under events that are not in the plan, and all but the first under those that are.
fn without_stale_entries(plan: &HookPlan, text: &str) -> Result<String, EditError> {
    let mut text = text.to_owned();
    loop {
        let document = Document::parse(&text)?;
        let all = OwnEntry::all(&document);
        let is_stale = |index: &usize| {
            let key = &all[*index].key;
            plan.rows.iter().all(|row| row.key != key)
                || all[..*index].iter().any(|earlier| earlier.key == *key)
        };
        let Some(stale) = (0..all.len()).rev().find(is_stale) else { return Ok(text) };
        text = all[stale].removed_from(&document);
    }
}

/// Makes one edit, after which the text is parsed again: so no edit must adjust positions that an
/// earlier one moved.
fn with_row(plan: &HookPlan, row: &HookRow, program: &Program, text: &str) -> Result<String, EditError> {
    let document = Document::parse(text)?;
    let layout = Layout::of(&document);
    if let Some(found) = OwnEntry::all(&document).into_iter().find(|found| found.key == row.key) {
        let text = with_command(plan, row, program, &found, text);
        let waits = row.waits() || found.parsed.timeout.is_some();
        return if waits { with_timeout(plan, row, &text) } else { Ok(text) };
    }
    let Some(hooks) = document.hooks()? else {
        let all = all_rows(plan, program);
        return Ok(append(
            text,
            &(&document.root).into(),
            Item::Property("hooks", &all),
            &layout,
            Level::File,
        ));
    };
    let element = plan.element(row, program);
    if let Some(list) = document.list(hooks, row.key)? {
        return Ok(append(text, &list.into(), Item::Element(&element), &layout, Level::Inner));
    }
    let list = json!([element]);
    Ok(append(text, &hooks.into(), Item::Property(row.key, &list), &layout, Level::Inner))
}

/// Updates the command line of an entry, and nothing else in it.
fn with_command(plan: &HookPlan, row: &HookRow, program: &Program, found: &OwnEntry, text: &str) -> String {
    let command = plan.command(row, program);
    let (place, new) = match found.literal.filter(|_| found.command_key == plan.command_key) {
        Some(_) if found.command == command => return text.to_owned(),
        Some(literal) => (literal, Value::String(command).to_string()),
        None => (found.entry, on_one_line(&plan.entry(row, program), &text[found.entry.start..])),
    };
    format!("{}{new}{}", &text[..place.start], &text[place.end..])
}

/// Sets the timeout of an entry that names it in its command too: the two must agree, or the host lets a call pass for
/// which the hook still waits.
fn with_timeout(plan: &HookPlan, row: &HookRow, text: &str) -> Result<String, EditError> {
    let document = Document::parse(text)?;
    let found = OwnEntry::all(&document).into_iter().find(|found| found.key == row.key);
    let Some(place) = found.and_then(|found| found.timeout) else { return Ok(text.to_owned()) };
    Ok(format!("{}{}{}", &text[..place.start], plan.timeout(row), &text[place.end..]))
}

fn with_version(plan: &HookPlan, text: String) -> Result<String, EditError> {
    let document = Document::parse(&text)?;
    if !plan.versioned || last(&document.root, "version").is_some() {
        return Ok(text);
    }
    let version = json!(1.0);
    let item = Item::Property("version", &version);
    Ok(append(&text, &(&document.root).into(), item, &Layout::of(&document), Level::File))
}
