//! A shell command of another program as a runner: the files are its arguments, never part of its text.

use serde_json::{Value, json};

/// Returns the runner of a command line for `sh`. Each of `placeholders` in it stands for the files.
///
/// WHY through stdin: the prompt is data that no shell reads, whatever characters a file name has.
pub(super) fn runner(command: &str, placeholders: &[&str]) -> Value {
    let mut text = command.to_owned();
    for placeholder in placeholders {
        text = text.replace(&format!("\"{placeholder}\""), "\"$@\"").replace(placeholder, "\"$@\"");
    }
    let takes_files = text != command;
    let script = if takes_files {
        format!("set --; while IFS= read -r file; do set -- \"$@\" \"$file\"; done; {text}")
    } else {
        text
    };
    json!({"type": "command", "command": ["sh", "-c", script]})
}
