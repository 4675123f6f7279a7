//! Denies a write that puts the marker of a hidden secret into a file that has secrets.

use event::{AbsPath, Access, Decision, ToolCall};
use memchr::memmem;
use modules::{Action, Context};
use project_config::OutputSettings;
use redact::{REPLACEMENT, Redacted};
use serde_json::Value;

/// A longer file is not read: it is no settings file.
const MAX_BYTES: u64 = 1024 * 1024;

/// Judges a call before it runs. Returns `None` if it writes no marker over a secret.
pub(super) fn judge(
    context: &Context<'_>,
    call: &ToolCall,
    settings: impl FnOnce() -> OutputSettings,
) -> Option<Action> {
    if !has_marker(&call.input) || !settings().redact {
        return None;
    }
    let file = written_files(context, call).into_iter().find(|file| is_damaged(call, file))?;
    let root = context.workspace.root();
    let shown = file.below(root).map_or_else(|_| file.to_string(), |file| file.to_string());
    let reason = format!(
        "This call would write `{REPLACEMENT}` into `{shown}`, where the file has a secret. steersman shows the marker in \
         place of secrets; it is not the value. Instead: change only the other lines, with an edit that does not contain \
         the marker, or ask the user to change the file."
    );
    Some(Action { decision: Decision::Deny { reason }, ..Action::default() })
}

fn has_marker(input: &Value) -> bool {
    match input {
        Value::String(text) => memmem::find(text.as_bytes(), REPLACEMENT.as_bytes()).is_some(),
        Value::Array(items) => items.iter().any(has_marker),
        Value::Object(fields) => fields.values().any(has_marker),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

fn written_files(context: &Context<'_>, call: &ToolCall) -> Vec<AbsPath> {
    let touched = call.touches.iter().filter(|touch| touch.access == Access::Write);
    let mut files: Vec<AbsPath> = touched.map(|touch| context.folder().join(&touch.path)).collect();
    if let Some(command) = &call.command {
        let reading = context.reading(command);
        let writes = reading.writes.iter().chain(&reading.creates);
        files.extend(writes.filter_map(|path| AbsPath::new(&path.path).ok()));
    }
    files
}

/// Returns whether a file has a secret, and the call adds markers to those that are text of the file itself.
fn is_damaged(call: &ToolCall, file: &AbsPath) -> bool {
    let is_small = file.as_path().metadata().is_ok_and(|meta| meta.is_file() && meta.len() <= MAX_BYTES);
    let Some(text) = is_small.then(|| std::fs::read_to_string(file.as_path()).ok()).flatten() else {
        return false;
    };
    let count = |text: &str| text.matches(REPLACEMENT).count();
    let is_own_text = match &call.content {
        Some(content) => count(content) <= count(&text),
        // What an edit takes away is in the file as it is.
        None => text.contains(REPLACEMENT) && is_edit_of_own_text(&call.input, &text),
    };
    !is_own_text && Redacted::from_text(&text).as_str() != text
}

/// Returns whether every string with a marker is in the file, or has no more markers than another string that is.
fn is_edit_of_own_text(input: &Value, text: &str) -> bool {
    let mut strings = Vec::new();
    collect(input, &mut strings);
    let with_marker = strings.iter().filter(|string| string.contains(REPLACEMENT));
    let count = |text: &str| text.matches(REPLACEMENT).count();
    let in_file =
        strings.iter().filter(|string| text.contains(string.as_str())).map(|string| count(string)).max();
    with_marker.map(|string| count(string)).max().unwrap_or(0) <= in_file.unwrap_or(0)
}

fn collect(value: &Value, strings: &mut Vec<String>) {
    match value {
        Value::String(text) => strings.push(text.clone()),
        Value::Array(items) => items.iter().for_each(|item| collect(item, strings)),
        Value::Object(fields) => fields.values().for_each(|field| collect(field, strings)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
