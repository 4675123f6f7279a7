//! Our hooks in Codex's `requirements.toml`, the only hook registration in TOML.
//!
//! `toml_edit` keeps comments and order of everything else. Codex takes managed hooks only from a file that names
//! their folder: the folder of the file itself, which only an administrator can write.

use config_file::Position;
use toml_edit::{ArrayOfTables, DocumentMut, Item, Table, TableLike, value};

use super::command_line::{DispatchCommand, words};
use super::document::split_mark;
use super::edit_error::EditError;
use super::hook_plan::{HookPlan, HookRow, Pin};
use super::program::Program;
use super::registration::Registration;
use super::unregister::Removed;

const HOOKS: &str = "hooks";
const FOLDER_KEY: &str = "managed_dir";
const FOLDER: &str = "/etc/codex";

/// Returns the file with all entries of the plan, and its pins. Idempotent.
pub(super) fn register(
    plan: &HookPlan,
    existing: Option<&str>,
    program: &Program,
) -> Result<String, EditError> {
    let (mark, body) = split_mark(existing.unwrap_or_default());
    let mut document = parse(body)?;
    let before = document.to_string();
    for pin in plan.pins {
        let table = match pin.section {
            Some(section) => table_at(&mut document, section, body)?,
            None => document.as_table_mut(),
        };
        if table.get(pin.key).and_then(Item::as_bool) != Some(pin.value) {
            table.insert(pin.key, value(pin.value));
        }
    }
    let hooks = table_at(&mut document, HOOKS, body)?;
    if !hooks.contains_key(FOLDER_KEY) {
        hooks.insert(FOLDER_KEY, value(FOLDER));
    }
    for row in plan.rows {
        let command = plan.command(row, program);
        let groups = hooks.entry(row.key).or_insert(Item::ArrayOfTables(ArrayOfTables::new()));
        let Some(groups) = groups.as_array_of_tables_mut() else {
            return Err(misshapen(body, &format!("{HOOKS}.{}", row.key), "an array of tables"));
        };
        if !update(groups, &command) {
            groups.push(group(plan, row, &command));
        }
    }
    Ok(with_line_ends(mark, body, &before, &document))
}

/// Returns the file without our entries and without the pins that have our value.
pub(super) fn unregister(plan: &HookPlan, existing: &str) -> Result<Removed, EditError> {
    let (mark, body) = split_mark(existing);
    let mut document = parse(body)?;
    if entries(&document).is_empty() {
        return Ok(Removed::Nothing);
    }
    let before = document.to_string();
    if let Some(hooks) = document.get_mut(HOOKS).and_then(Item::as_table_mut) {
        for (_, groups) in hooks.iter_mut() {
            if let Some(groups) = groups.as_array_of_tables_mut() {
                groups.retain(|group| own_commands(group).next().is_none());
            }
        }
        let empty: Vec<String> = hooks
            .iter()
            .filter(|(_, item)| item.as_array_of_tables().is_some_and(ArrayOfTables::is_empty))
            .map(|(key, _)| key.to_owned())
            .collect();
        for key in empty {
            hooks.remove(&key);
        }
        if hooks.len() == 1 && hooks.get(FOLDER_KEY).and_then(Item::as_str) == Some(FOLDER) {
            hooks.remove(FOLDER_KEY);
        }
    }
    for pin in plan.pins {
        remove_pin(&mut document, pin);
    }
    remove_if_empty(&mut document, HOOKS);
    let text = with_line_ends(mark, body, &before, &document);
    let nothing_left = text.trim_start_matches('\u{feff}').trim().is_empty();
    Ok(if nothing_left { Removed::OnlyOurs { left: text } } else { Removed::Text(text) })
}

/// Lists our entries, in the order of the text.
pub(super) fn registrations(text: &str) -> Result<Vec<Registration>, EditError> {
    let (_, body) = split_mark(text);
    Ok(entries(&parse(body)?)
        .into_iter()
        .map(|(key, command, parsed)| Registration {
            key,
            event: parsed.event,
            host: parsed.host,
            waits: parsed.timeout,
            timeout: None,
            unknown_event: parsed.unknown_event,
            unknown_host: parsed.unknown_host,
            program: parsed.program,
            line: body.find(&command).map_or(1, |at| Position::of_byte(body, at).line),
            command,
        })
        .collect())
}

fn entries(document: &DocumentMut) -> Vec<(String, String, DispatchCommand)> {
    let Some(hooks) = document.get(HOOKS).and_then(Item::as_table_like) else { return Vec::new() };
    let mut found = Vec::new();
    for (key, groups) in hooks.iter() {
        for group in groups.as_array_of_tables().into_iter().flat_map(ArrayOfTables::iter) {
            found.extend(own_commands(group).map(|(command, parsed)| (key.to_owned(), command, parsed)));
        }
    }
    found
}

fn own_commands(group: &Table) -> impl Iterator<Item = (String, DispatchCommand)> + use<> {
    let handlers = group.get(HOOKS).and_then(Item::as_array_of_tables);
    let commands: Vec<String> = handlers
        .into_iter()
        .flat_map(ArrayOfTables::iter)
        .filter_map(|handler| Some(handler.get("command")?.as_str()?.to_owned()))
        .collect();
    commands.into_iter().filter_map(|command| {
        let parsed = DispatchCommand::of(&words(&command))?;
        Some((command, parsed))
    })
}

/// Writes the command into our handler. Returns `false` if the event has no handler that steersman registered.
fn update(groups: &mut ArrayOfTables, command: &str) -> bool {
    for group in groups.iter_mut() {
        let handlers = group.get_mut(HOOKS).and_then(Item::as_array_of_tables_mut);
        for handler in handlers.into_iter().flat_map(ArrayOfTables::iter_mut) {
            let found = handler.get("command").and_then(Item::as_str).unwrap_or_default().to_owned();
            if DispatchCommand::of(&words(&found)).is_some() {
                if found != command {
                    handler.insert("command", value(command));
                }
                return true;
            }
        }
    }
    false
}

fn group(plan: &HookPlan, row: &HookRow, command: &str) -> Table {
    let mut handler = Table::new();
    if plan.typed {
        handler.insert("type", value("command"));
    }
    handler.insert("command", value(command));
    handler.insert("timeout", value(i64::from(row.timeout_seconds)));
    let mut handlers = ArrayOfTables::new();
    handlers.push(handler);
    let mut group = Table::new();
    group.insert(HOOKS, Item::ArrayOfTables(handlers));
    group
}

fn table_at<'a>(
    document: &'a mut DocumentMut,
    key: &str,
    body: &str,
) -> Result<&'a mut dyn TableLike, EditError> {
    let item = document.entry(key).or_insert(Item::Table(Table::new()));
    item.as_table_like_mut().ok_or_else(|| misshapen(body, key, "a table"))
}

fn remove_pin(document: &mut DocumentMut, pin: &Pin) {
    let Some(section) = pin.section else {
        document.remove(pin.key);
        return;
    };
    if let Some(table) = document.get_mut(section).and_then(Item::as_table_like_mut)
        && table.get(pin.key).and_then(Item::as_bool) == Some(pin.value)
    {
        table.remove(pin.key);
    }
    remove_if_empty(document, section);
}

fn remove_if_empty(document: &mut DocumentMut, key: &str) {
    if document.get(key).and_then(Item::as_table_like).is_some_and(TableLike::is_empty) {
        document.remove(key);
    }
}

fn with_line_ends(mark: &str, body: &str, before: &str, document: &DocumentMut) -> String {
    let printed = document.to_string();
    if printed == before {
        return format!("{mark}{body}");
    }
    if body.contains("\r\n") {
        return format!("{mark}{}", printed.replace("\r\n", "\n").replace('\n', "\r\n"));
    }
    format!("{mark}{printed}")
}

fn parse(body: &str) -> Result<DocumentMut, EditError> {
    body.parse::<DocumentMut>().map_err(|error| {
        let Position { line, column } = Position::of_byte(body, error.span().map_or(0, |span| span.start));
        EditError::Syntax { line, column, problem: error.message().lines().collect::<Vec<_>>().join(", ") }
    })
}

fn misshapen(body: &str, place: &str, expected: &'static str) -> EditError {
    let last = place.rsplit('.').next().unwrap_or(place);
    let Position { line, column } = Position::of_byte(body, body.find(last).unwrap_or_default());
    EditError::Shape { line, column, place: format!("`{place}`"), expected, found: "something else" }
}
