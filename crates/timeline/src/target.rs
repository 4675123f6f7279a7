//! The target of a tool call in a few words: its command, its files, or another field of its input.

use std::path::Path;

use host::Host;
use serde_json::Value;
use session::RunRecord;

/// Returns the target of a call; paths below `root` are relative to it.
pub fn of(record: &RunRecord, root: Option<&Path>) -> String {
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
    informative_text(input).unwrap_or_default()
}

fn relative(path: &str, record: &RunRecord, root: Option<&Path>) -> String {
    let folders = [record.cwd.as_deref().map(Path::new), root];
    let below = folders.into_iter().flatten().find_map(|folder| Path::new(path).strip_prefix(folder).ok());
    below.map_or_else(|| path.to_owned(), |below| below.to_string_lossy().into_owned())
}

/// Returns the most informative string of an input.
fn informative_text(input: &Value) -> Option<String> {
    if let Value::String(text) = input {
        return Some(text.clone());
    }
    let fields = input.as_object()?;
    let informative = ["query", "pattern", "url", "description", "prompt", "question", "title", "name"];
    let named = informative.iter().find_map(|key| fields.get(*key)?.as_str());
    named.or_else(|| fields.values().find_map(Value::as_str)).map(str::to_owned)
}
