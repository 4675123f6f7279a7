//! Our MCP server in a TOML settings file: Codex's.
//!
//! As with JSON, an edit is a splice into the existing text. A new table goes to the end of the file;
//! only an inline table, which cannot be continued further down, gets the entry itself. Bytes that
//! are still exactly as we wrote them are cut out again. If a user changed them, `toml_edit` removes
//! the entry and keeps everything but the kind of line ends.

use config_file::Position;
use toml_edit::{Array, Document, DocumentMut, Item, Table, TableLike, TomlError, Value};

use super::document::split_mark;
use super::edit_error::EditError;
use super::program::Program;
use super::server::{NAME, ServerPlan};
use super::server_entry::{ServerRegistration, is_ours};
use super::unregister::Removed;

pub(super) fn register(
    plan: &ServerPlan,
    existing: Option<&str>,
    program: &Program,
) -> Result<String, EditError> {
    let (mark, body) = split_mark(existing.unwrap_or_default());
    let document = parse(body)?;
    let text = match document.get(plan.key) {
        None => with_table(plan, body, program),
        Some(item) => {
            let Some(servers) = item.as_table_like() else {
                return Err(misshapen(plan.key, body, item, "a table", "something else"));
            };
            match (servers.get(NAME), item) {
                (Some(entry), _) => with_command(plan, body, entry, program)?,
                (None, Item::Value(Value::InlineTable(_))) => with_inline_entry(plan, body, item, program),
                (None, _) => with_table(plan, body, program),
            }
        }
    };
    // Fails for a form of tables that cannot be continued; the user must edit it.
    parse(&text)?;
    Ok(format!("{mark}{text}"))
}

pub(super) fn unregister(plan: &ServerPlan, existing: &str) -> Result<Removed, EditError> {
    let (mark, body) = split_mark(existing);
    let document = parse(body)?;
    let Some(command) = our_command(plan, document.as_table()) else { return Ok(Removed::Nothing) };
    let cut = Program::at(&command).ok().and_then(|program| {
        let mut ways = [without_table(plan, body, &program), without_inline_entry(plan, body, &program)]
            .into_iter()
            .flatten();
        ways.find(|text| parse(text).is_ok_and(|left| our_command(plan, left.as_table()).is_none()))
    });
    let text = cut.map_or_else(|| printed_without(plan, body), Ok)?;
    let text = format!("{mark}{text}");
    let nothing_left = text.trim_start_matches('\u{feff}').trim().is_empty();
    Ok(if nothing_left { Removed::OnlyOurs { left: text } } else { Removed::Text(text) })
}

pub(super) fn registered(plan: &ServerPlan, text: &str) -> Result<Option<ServerRegistration>, EditError> {
    let (_, body) = split_mark(text);
    let document = parse(body)?;
    let entry = document.get(plan.key).and_then(Item::as_table_like).and_then(|servers| servers.get(NAME));
    let command = entry.and_then(Item::as_table_like).and_then(|entry| entry.get("command"));
    let line = command.and_then(Item::span).map_or(1, |span| Position::of_byte(body, span.start).line);
    Ok(our_command(plan, document.as_table()).map(|program| ServerRegistration { program, line }))
}

/// Returns the text with our table at the end. Our table ends with a line break only if the text did,
/// which records it.
fn with_table(plan: &ServerPlan, body: &str, program: &Program) -> String {
    let newline = newline_of(body);
    let table = table(plan, newline, program);
    if body.is_empty() {
        format!("{table}{newline}")
    } else if body.ends_with('\n') {
        format!("{body}{newline}{table}{newline}")
    } else {
        format!("{body}{newline}{newline}{table}")
    }
}

/// The inverse of [`with_table`], also if a user added text after ours.
fn without_table(plan: &ServerPlan, body: &str, program: &Program) -> Option<String> {
    let newline = newline_of(body);
    let table = table(plan, newline, program);
    let at = body.rfind(&table)?;
    let (before, after) = (&body[..at], &body[at + table.len()..]);
    let (before, after) = match (before.strip_suffix(newline), after.strip_prefix(newline)) {
        (None, Some(after)) => (before, after),
        (Some(before), Some(after)) => (before, after),
        (Some(before), None) if after.is_empty() => (before.strip_suffix(newline)?, after),
        _ => return None,
    };
    Some(format!("{before}{after}"))
}

fn table(plan: &ServerPlan, newline: &str, program: &Program) -> String {
    let (command, args) = literals(plan, program);
    format!("[{}.{NAME}]{newline}command = {command}{newline}args = {args}", plan.key)
}

/// Inserts the entry into an inline table: after the existing entries, or right after the brace.
fn with_inline_entry(plan: &ServerPlan, body: &str, servers: &Item, program: &Program) -> String {
    let entry = inline_entry(plan, program);
    let last = servers.as_table_like().and_then(|servers| {
        let ends = servers.iter().filter_map(|(_, server)| Some(server.span()?.end));
        ends.max()
    });
    let (at, entry) = match (last, servers.span()) {
        (Some(last), _) => (last, format!(", {entry}")),
        (None, span) => (span.map_or(0, |span| span.start + 1), entry),
    };
    format!("{}{entry}{}", &body[..at], &body[at..])
}

/// The inverse of [`with_inline_entry`].
fn without_inline_entry(plan: &ServerPlan, body: &str, program: &Program) -> Option<String> {
    let entry = inline_entry(plan, program);
    let at = body.rfind(&entry)?;
    let start = if body[..at].ends_with('{') { at } else { body[..at].strip_suffix(", ")?.len() };
    Some(format!("{}{}", &body[..start], &body[at + entry.len()..]))
}

fn inline_entry(plan: &ServerPlan, program: &Program) -> String {
    let (command, args) = literals(plan, program);
    format!("{NAME} = {{ command = {command}, args = {args} }}")
}

fn literals(plan: &ServerPlan, program: &Program) -> (Value, Value) {
    (Value::from(program.path()), Value::Array(Array::from_iter(plan.args())))
}

/// Updates the program of our entry, and nothing else in it.
fn with_command(plan: &ServerPlan, body: &str, entry: &Item, program: &Program) -> Result<String, EditError> {
    let place = format!("{}.{NAME}", plan.key);
    let table = entry.as_table_like().filter(|entry| command_of(*entry).is_some());
    let span = table.and_then(|table| table.get("command")).and_then(Item::span);
    let (Some(table), Some(span)) = (table, span) else {
        return Err(misshapen(&place, body, entry, "`steersman mcp`", "another server"));
    };
    if command_of(table).as_deref() == Some(program.path()) {
        return Ok(body.to_owned());
    }
    Ok(format!("{}{}{}", &body[..span.start], Value::from(program.path()), &body[span.end..]))
}

/// Removes the entry from a file that a user changed, by reprinting the file.
fn printed_without(plan: &ServerPlan, body: &str) -> Result<String, EditError> {
    let mut document = body.parse::<DocumentMut>().map_err(|error| syntax(body, &error))?;
    let Some(servers) = document.get_mut(plan.key).and_then(Item::as_table_like_mut) else {
        return Ok(body.to_owned());
    };
    servers.remove(NAME);
    let empty = servers.is_empty();
    // An explicit header belongs to the user; an implicit one leaves nothing to print.
    let implicit = document.get(plan.key).and_then(Item::as_table).is_some_and(Table::is_implicit);
    if empty && implicit {
        document.remove(plan.key);
    }
    let printed = document.to_string();
    Ok(if newline_of(body) == "\r\n" { printed.replace("\r\n", "\n").replace('\n', "\r\n") } else { printed })
}

fn newline_of(body: &str) -> &'static str {
    if body.contains("\r\n") { "\r\n" } else { "\n" }
}

/// Returns the program of our entry. Returns `None` if there is no such entry.
fn our_command(plan: &ServerPlan, root: &Table) -> Option<String> {
    let servers = root.get(plan.key)?.as_table_like()?;
    command_of(servers.get(NAME)?.as_table_like()?)
}

/// Returns the program of an entry. Returns `None` if the entry is not ours.
fn command_of(entry: &dyn TableLike) -> Option<String> {
    let command = entry.get("command")?.as_str()?.to_owned();
    let first_arg = entry.get("args")?.as_array()?.get(0).and_then(Value::as_str);
    is_ours(&command, first_arg).then_some(command)
}

fn parse(body: &str) -> Result<Document<&str>, EditError> {
    Document::parse(body).map_err(|error| syntax(body, &error))
}

/// Returns the error of a string that is not TOML.
pub(super) fn syntax(body: &str, error: &TomlError) -> EditError {
    let Position { line, column } = Position::of_byte(body, error.span().map_or(0, |span| span.start));
    EditError::Syntax { line, column, problem: error.message().lines().collect::<Vec<_>>().join(", ") }
}

fn misshapen(place: &str, body: &str, item: &Item, expected: &'static str, found: &'static str) -> EditError {
    let Position { line, column } = Position::of_byte(body, item.span().map_or(0, |span| span.start));
    EditError::Shape { line, column, place: format!("`{place}`"), expected, found }
}
