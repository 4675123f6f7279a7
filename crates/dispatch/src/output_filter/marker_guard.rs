//! Denies a write that puts the marker of a hidden secret into a file that has secrets.

use event::{AbsPath, Access, Decision, ToolCall};
use memchr::memmem;
use modules::call_folder::real_folder;
use modules::{Action, Context};
use project_config::OutputSettings;
use redact::{REPLACEMENT, Redacted};
use serde_json::Value;
use shell::{Certainty, Outlet, PathUse, Reading, Site};

/// How much of a file is read: no settings file is longer.
const MAX_BYTES: u64 = 16 * 1024 * 1024;

/// Letters in front of a marker that tell its position in a file from others.
const CONTEXT: usize = 10;

/// Programs that put the content of one file into another by themselves.
const COPYING: [&str; 9] = ["cp", "mv", "install", "ln", "tee", "dd", "rsync", "sponge", "link"];

/// Judges a call before it runs. Returns `None` if it writes no marker over a secret.
pub(super) fn judge(
    context: &Context<'_>,
    call: &ToolCall,
    settings: impl FnOnce() -> OutputSettings,
) -> Option<Action> {
    let file = if has_marker(&call.input) {
        let is_on = settings().redact;
        written_files(context, call).into_iter().find(|file| is_on && is_damaged(call, file))?
    } else {
        let copied = copied_markers(context, call);
        let is_on = !copied.is_empty() && settings().redact;
        let is_damaged = |file: &AbsPath| copied.iter().any(|content| has_lost_secret(file, content));
        written_files(context, call).into_iter().find(|file| is_on && is_damaged(file))?
    };
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
        Value::String(text) => {
            let has = |text: &[u8]| memmem::find(text, REPLACEMENT.as_bytes()).is_some();
            // `s/x/\[REDACTED\]/` writes the same.
            has(text.as_bytes())
                || memmem::find(text.as_bytes(), b"REDACTED\\]").is_some()
                    && has(text.replace('\\', "").as_bytes())
        }
        Value::Array(items) => items.iter().any(has_marker),
        Value::Object(fields) => fields.values().any(has_marker),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

fn written_files(context: &Context<'_>, call: &ToolCall) -> Vec<AbsPath> {
    let touched = call.touches.iter().filter(|touch| touch.access == Access::Write);
    let root = context.workspace.root();
    let mut files: Vec<AbsPath> =
        touched.map(|touch| real_folder(root, context.folder(), Some(&touch.path))).collect();
    if let Some(command) = &call.command {
        let reading = context.reading(command);
        let writes = reading.writes.iter().chain(&reading.creates);
        files.extend(writes.filter_map(|path| AbsPath::new(&path.path).ok()));
    }
    files
}

/// Returns whether a file has a secret, and the call adds markers to those that are text of the file itself.
fn is_damaged(call: &ToolCall, file: &AbsPath) -> bool {
    let Some(text) = text_of(file) else { return false };
    let is_own_text = match &call.content {
        Some(content) => has_only_markers_of(content, &text),
        // What an edit takes away is in the file as it is.
        None => text.contains(REPLACEMENT) && is_edit_of_own_text(&call.input, &text),
    };
    !is_own_text && Redacted::from_text(&text).as_str() != text
}

/// Returns the beginning of a regular file as text.
fn text_of(file: &AbsPath) -> Option<String> {
    use std::io::Read;
    // Opening a pipe would block.
    let is_file = file.as_path().metadata().is_ok_and(|meta| meta.is_file());
    let opened = is_file.then(|| std::fs::File::open(file.as_path()).ok()).flatten()?;
    let mut bytes = Vec::new();
    opened.take(MAX_BYTES).read_to_end(&mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// Returns the content of the files with a marker that a command copies or moves.
fn copied_markers(context: &Context<'_>, call: &ToolCall) -> Vec<String> {
    let Some(command) = &call.command else { return Vec::new() };
    let reading = context.reading(command);
    if reading.writes.is_empty() && reading.creates.is_empty() {
        return Vec::new();
    }
    let is_copied = |used: &&PathUse| {
        let command = reading.commands.get(used.command);
        command.is_some_and(|command| COPYING.contains(&command.program.as_str()))
            || is_kept(reading, used.command)
    };
    let sources = reading.reads.iter().chain(&reading.deletes).filter(is_copied);
    let sources = sources.filter(|used| used.certainty == Certainty::Exact && used.site == Site::Local);
    let texts = sources.filter_map(|used| text_of(&AbsPath::new(&used.path).ok()?));
    texts.filter(|text| text.contains(REPLACEMENT)).collect()
}

/// Returns whether the output of a command goes into a file, also through others: `sed s/a/b/ new | sort > conf.yml`.
fn is_kept(reading: &Reading, command: usize) -> bool {
    let mut at = command;
    // Each step leads to another command.
    for _ in 0..reading.commands.len() {
        match reading.commands.get(at).map(|command| (command.outlet, command.program.as_str())) {
            Some((Outlet::Kept, _)) => return true,
            Some((Outlet::Command(next), _)) if next != at => at = next,
            Some((_, program)) => return COPYING.contains(&program),
            None => return false,
        }
    }
    false
}

/// Returns whether a file has a secret where `content` has a marker.
fn has_lost_secret(file: &AbsPath, content: &str) -> bool {
    let Some(text) = text_of(file) else { return false };
    text != content && !has_only_markers_of(content, &text) && Redacted::from_text(&text).as_str() != text
}

/// Returns whether every marker of `content` stands where `text` has one: behind the same letters of its line.
fn has_only_markers_of(content: &str, text: &str) -> bool {
    content.match_indices(REPLACEMENT).all(|(at, _)| {
        let line = content[..at].rsplit('\n').next().unwrap_or_default();
        let start = line.char_indices().rev().nth(CONTEXT - 1).map_or(0, |(start, _)| start);
        text.contains(&format!("{}{REPLACEMENT}", &line[start..]))
    })
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
