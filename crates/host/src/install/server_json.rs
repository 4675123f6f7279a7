//! Our MCP server in a JSON settings file.

use config_file::Position;
use config_file::jsonc::{Object, ObjectProp, Ranged, StringLit, Value};
use serde_json::json;

use super::document::{Document, last, misshapen, split_mark};
use super::edit_error::EditError;
use super::insert::{Item, Level, append};
use super::layout::Layout;
use super::program::Program;
use super::remove::{came_with_their_only_item, remove};
use super::server::{NAME, ServerPlan};
use super::server_entry::{ServerRegistration, is_ours};
use super::unregister::{Removed, says_nothing};

pub(super) fn register(
    plan: &ServerPlan,
    existing: Option<&str>,
    program: &Program,
) -> Result<String, EditError> {
    let (mark, body) = split_mark(existing.unwrap_or_default());
    let entry = plan.entry(program);
    if body.trim().is_empty() {
        let whole = json!({plan.key: {NAME: entry}});
        return Ok(format!("{mark}{}\n", Layout::default().block(&whole, "")));
    }
    let document = Document::parse(body)?;
    let layout = Layout::of(&document);
    let Some(servers) = servers(plan, &document)? else {
        let all = json!({NAME: entry});
        let item = Item::Property(plan.key, &all);
        return Ok(format!("{mark}{}", append(body, &(&document.root).into(), item, &layout, Level::File)));
    };
    let Some((_, property)) = named(servers) else {
        let item = Item::Property(NAME, &entry);
        return Ok(format!("{mark}{}", append(body, &servers.into(), item, &layout, Level::Inner)));
    };
    let Some(command) = our_command(&property.value) else {
        return Err(taken(plan, body, &property.value));
    };
    // Updates the program, and no other value, which a user may have changed.
    if command.value == program.path() {
        return Ok(format!("{mark}{body}"));
    }
    let new = json!(program.path());
    Ok(format!("{mark}{}{new}{}", &body[..command.range.start], &body[command.range.end..]))
}

pub(super) fn unregister(plan: &ServerPlan, existing: &str) -> Result<Removed, EditError> {
    let (mark, body) = split_mark(existing);
    if body.trim().is_empty() {
        return Ok(Removed::Nothing);
    }
    let document = Document::parse(body)?;
    // A value that is not an object cannot contain our server.
    let Ok(Some(servers)) = servers(plan, &document) else { return Ok(Removed::Nothing) };
    let Some((index, property)) = named(servers) else { return Ok(Removed::Nothing) };
    if our_command(&property.value).is_none() {
        return Ok(Removed::Nothing);
    }
    let text = if came_with_their_only_item(body, &servers.into()) {
        let at = document.root.properties.iter().rposition(|property| property.name.as_str() == plan.key);
        at.map_or_else(|| body.to_owned(), |at| remove(body, &(&document.root).into(), at))
    } else {
        remove(body, &servers.into(), index)
    };
    let nothing_left = says_nothing(&Document::parse(&text)?, &[]);
    let text = format!("{mark}{text}");
    Ok(if nothing_left { Removed::OnlyOurs { left: text } } else { Removed::Text(text) })
}

pub(super) fn registered(plan: &ServerPlan, text: &str) -> Result<Option<ServerRegistration>, EditError> {
    let (_, body) = split_mark(text);
    if body.trim().is_empty() {
        return Ok(None);
    }
    let document = Document::parse(body)?;
    let Ok(Some(servers)) = servers(plan, &document) else { return Ok(None) };
    Ok(named(servers).and_then(|(_, property)| {
        let program = our_command(&property.value)?.value.to_string();
        Some(ServerRegistration { program, line: Position::of_byte(body, property.range.start).line })
    }))
}

/// Returns the object with the servers. Returns `None` if it does not exist.
fn servers<'o, 'a>(
    plan: &ServerPlan,
    document: &'o Document<'a>,
) -> Result<Option<&'o Object<'a>>, EditError> {
    match last(&document.root, plan.key) {
        None => Ok(None),
        Some(Value::Object(servers)) => Ok(Some(servers)),
        Some(other) => Err(misshapen(document.text, &format!("`{}`", plan.key), "an object", other)),
    }
}

/// Finds the server with our name.
fn named<'o, 'a>(servers: &'o Object<'a>) -> Option<(usize, &'o ObjectProp<'a>)> {
    servers.properties.iter().enumerate().rev().find(|(_, property)| property.name.as_str() == NAME)
}

/// Returns the literal of an entry's program. Returns `None` if the entry is not ours.
fn our_command<'o, 'a>(entry: &'o Value<'a>) -> Option<&'o StringLit<'a>> {
    let entry = entry.as_object()?;
    let command = last(entry, "command")?.as_string_lit()?;
    let args = last(entry, "args")?.as_array()?;
    let first_arg = args.elements.first().and_then(Value::as_string_lit).map(|arg| &*arg.value);
    is_ours(&command.value, first_arg).then_some(command)
}

/// Creates the error for a foreign server with our name, which stays unchanged.
fn taken(plan: &ServerPlan, text: &str, value: &Value<'_>) -> EditError {
    let Position { line, column } = Position::of_byte(text, value.range().start);
    let place = format!("`{}.{NAME}`", plan.key);
    EditError::Shape { line, column, place, expected: "`steersman mcp`", found: "another server" }
}
