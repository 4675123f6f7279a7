//! What a tool call is about, in a few words: its command, its files, or whatever else its
//! input says.

use std::path::Path;

use dispatch::history::RunRecord;
use host::Host;
use serde_json::Value;

/// Says what a call is about; paths below `root` are shown relative to it.
pub(super) fn of(record: &RunRecord, root: Option<&Path>) -> String {
    let (Some(tool), Some(input)) = (&record.tool, &record.input) else { return String::new() };
    let Some(host) = Host::from_name(&record.host) else { return String::new() };
    let call = host::tool_call(host, tool, input.clone());
    if let Some(command) = &call.command {
        return command.text.clone();
    }
    if !call.touches.is_empty() {
        let mut paths: Vec<_> =
            call.touches.iter().map(|touch| relative(&touch.path, record, root)).collect();
        paths.dedup();
        return paths.join(", ");
    }
    telling_text(input).unwrap_or_default()
}

fn relative(path: &str, record: &RunRecord, root: Option<&Path>) -> String {
    let folders = [record.cwd.as_deref().map(Path::new), root];
    let below = folders.into_iter().flatten().find_map(|folder| Path::new(path).strip_prefix(folder).ok());
    below.map_or_else(|| path.to_owned(), |below| below.to_string_lossy().into_owned())
}

/// Returns the text of an input that says most about it.
fn telling_text(input: &Value) -> Option<String> {
    if let Value::String(text) = input {
        return Some(text.clone());
    }
    let fields = input.as_object()?;
    let telling = ["query", "pattern", "url", "description", "prompt", "question", "title", "name"];
    let named = telling.iter().find_map(|key| fields.get(*key)?.as_str());
    named.or_else(|| fields.values().find_map(Value::as_str)).map(str::to_owned)
}
