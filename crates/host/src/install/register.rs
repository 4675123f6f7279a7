//! Writes our entries into a settings file.

use serde_json::{Map, Value, json};

use super::document::{Document, last, split_mark};
use super::edit_error::EditError;
use super::found::Found;
use super::insert::{Item, Level, append};
use super::layout::{Layout, on_one_line};
use super::plan::{HookRow, Plan};
use super::program::Program;

/// How we spell the `version` that we add to a file without one. The number is the
/// same and the spelling is nobody else's, so that [`super::unregister`] knows it.
pub(super) const OUR_VERSION: &str = "1.0";

/// Returns the settings file with everything in it that the plan registers.
///
/// `existing` is the file as it is, `None` when there is none. Done twice, it
/// changes nothing the second time. Entries of ours that are there already keep
/// their place and whatever a person tuned in them; only the command line is
/// brought up to date. Entries of ours that the plan does not have go.
pub fn register(plan: &Plan, existing: Option<&str>, program: &Program) -> Result<String, EditError> {
    let (mark, body) = split_mark(existing.unwrap_or_default());
    if body.trim().is_empty() {
        return Ok(format!("{mark}{}\n", Layout::default().block(&whole_file(plan, program), "")));
    }
    check_shapes(plan, &Document::parse(body)?)?;
    let mut text = without_stale_entries(plan, body)?;
    for row in plan.rows {
        text = with_row(plan, row, program, &text)?;
    }
    Ok(format!("{mark}{}", with_version(plan, text)?))
}

fn whole_file(plan: &Plan, program: &Program) -> Value {
    let mut file = Map::new();
    if plan.versioned {
        file.insert("version".into(), json!(1));
    }
    file.insert("hooks".into(), all_rows(plan, program));
    Value::Object(file)
}

fn all_rows(plan: &Plan, program: &Program) -> Value {
    let list = |row: &HookRow| (row.key.to_owned(), json!([plan.element(row, program)]));
    Value::Object(plan.rows.iter().map(list).collect())
}

/// Refuses before the first edit if a later one would find no room.
fn check_shapes(plan: &Plan, document: &Document<'_>) -> Result<(), EditError> {
    let Some(hooks) = document.hooks()? else { return Ok(()) };
    for row in plan.rows {
        document.list(hooks, row.key)?;
    }
    Ok(())
}

/// Removes entries under events that the plan does not have, and all but the first
/// under those that it has.
fn without_stale_entries(plan: &Plan, text: &str) -> Result<String, EditError> {
    let mut text = text.to_owned();
    loop {
        let document = Document::parse(&text)?;
        let all = Found::all(&document);
        let is_stale = |index: &usize| {
            let key = &all[*index].key;
            plan.rows.iter().all(|row| row.key != key)
                || all[..*index].iter().any(|earlier| earlier.key == *key)
        };
        let Some(stale) = (0..all.len()).rev().find(is_stale) else { return Ok(text) };
        text = all[stale].removed_from(&document);
    }
}

/// One edit, then the text is read again: nothing here has to reckon with places
/// that an earlier edit moved.
fn with_row(plan: &Plan, row: &HookRow, program: &Program, text: &str) -> Result<String, EditError> {
    let document = Document::parse(text)?;
    let layout = Layout::of(&document);
    if let Some(found) = Found::all(&document).into_iter().find(|found| found.key == row.key) {
        return Ok(with_command(plan, row, program, &found, text));
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

/// Brings the command line of an entry up to date, and nothing else in it.
fn with_command(plan: &Plan, row: &HookRow, program: &Program, found: &Found, text: &str) -> String {
    let command = plan.command(row, program);
    let (place, new) = match found.literal {
        Some(_) if found.command == command => return text.to_owned(),
        Some(literal) => (literal, Value::String(command).to_string()),
        None => (found.entry, on_one_line(&plan.entry(row, program), &text[found.entry.start..])),
    };
    format!("{}{new}{}", &text[..place.start], &text[place.end..])
}

fn with_version(plan: &Plan, text: String) -> Result<String, EditError> {
    let document = Document::parse(&text)?;
    if !plan.versioned || last(&document.root, "version").is_some() {
        return Ok(text);
    }
    let version = json!(1.0);
    let item = Item::Property("version", &version);
    Ok(append(&text, &(&document.root).into(), item, &Layout::of(&document), Level::File))
}
