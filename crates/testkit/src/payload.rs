//! Payloads as hosts send them: recorded ones, and those of the contract.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};

/// A payload recorded from a real host.
#[derive(Debug, Clone)]
pub struct Recorded {
    /// The host's name on our command line.
    pub host: &'static str,
    /// The event as the host spells it; also the first part of the file name.
    pub event: String,
    /// The payload.
    pub payload: Value,
    /// The environment variables.
    pub env: Map<String, Value>,
}

/// The folders of recordings and their hosts.
const RECORDED: [(&str, &str); 5] = [
    ("claude", "claude-code"),
    ("codex", "codex"),
    ("copilot", "copilot-cli"),
    ("gemini", "gemini"),
    ("qwen", "qwen"),
];

/// Returns the payload recorded in `folder/name.json`, with its paths moved into `workspace`.
pub fn recorded(folder: &str, name: &str, workspace: &Path) -> Recorded {
    let (_, host) = RECORDED
        .into_iter()
        .find(|(known, _)| *known == folder)
        .unwrap_or_else(|| panic!("no recordings of `{folder}`"));
    read(host, &recordings().join(folder).join(format!("{name}.json")), workspace)
}

/// Returns every recorded payload, with its paths moved into `workspace`.
pub fn every_recorded(workspace: &Path) -> Vec<Recorded> {
    let mut all = Vec::new();
    let n_folders = fs::read_dir(recordings()).expect("the recordings are there").count();
    assert_eq!(n_folders, RECORDED.len(), "`RECORDED` lacks a folder of recordings");
    for (folder, host) in RECORDED {
        let entries = fs::read_dir(recordings().join(folder)).expect("the recordings are there");
        let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        files.sort();
        all.extend(files.iter().map(|file| read(host, file, workspace)));
    }
    assert!(all.len() > 50, "only {} recordings", all.len());
    all
}

/// Returns a payload of the contract itself, with the fields that every event has.
pub fn raw(event: &str, workspace: &Path, more: &Value) -> Value {
    let mut payload = json!({"hook_event_name": event, "session_id": "session-1", "cwd": workspace});
    if let (Value::Object(payload), Value::Object(more)) = (&mut payload, more) {
        payload.extend(more.clone());
    }
    payload
}

fn recordings() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../host/tests/fixtures/hosts")
}

fn read(host: &'static str, file: &Path, workspace: &Path) -> Recorded {
    let text = fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let recording: Value = serde_json::from_str(&text).expect("a recording is JSON");
    let mut payload = recording["stdin"].clone();
    let was = recording["cwd"].as_str().unwrap_or("/workspace/demo").to_owned();
    move_to(&mut payload, &was, &workspace.to_string_lossy());
    let stem = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let event = stem.split('_').next().unwrap_or_default().to_owned();
    let env = recording["env"].as_object().cloned().unwrap_or_default();
    Recorded { host, event, payload, env }
}

/// Replaces the recording's folder at the start of every string.
fn move_to(value: &mut Value, was: &str, is: &str) {
    match value {
        Value::String(text) => {
            if let Some(rest) = text.strip_prefix(was) {
                *text = format!("{is}{rest}");
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| move_to(item, was, is)),
        Value::Object(map) => map.values_mut().for_each(|item| move_to(item, was, is)),
        _ => {}
    }
}
