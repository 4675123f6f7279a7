//! Whether a host trusts a folder or a hook, from the files in which it records that.
//!
//! A host that does not trust a folder runs none of its hooks, and says nothing about it.

use std::path::Path;

use serde_json::{Map, Value, json};
use toml_edit::{DocumentMut, Item};

use super::document::{Document, as_json, split_mark};
use super::registration::registrations;
use crate::sha256;

/// The trust of a host in a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FolderTrust {
    /// The user trusts it, or a folder above it.
    Trusted,
    /// The user refused to trust it.
    Refused,
    /// The user has not decided.
    Undecided,
}

/// The trust of Codex in a project's hooks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CodexTrust {
    /// Whether the project is trusted: otherwise Codex reads none of its settings.
    pub project: FolderTrust,
    /// The events of our entries that are trusted in their present form.
    pub trusted: Vec<String>,
    /// The events of our entries that were trusted in another form.
    pub changed: Vec<String>,
    /// The events of our entries that were never trusted.
    pub untrusted: Vec<String>,
}

/// Reads Copilot's `config.json`: a folder counts with all below it.
pub fn copilot_trust(config: &str, folder: &Path) -> FolderTrust {
    let config = object(config);
    let folders = ["trusted_folders", "trustedFolders"].iter().filter_map(|key| config.get(*key)?.as_array());
    let mut folders = folders.flatten().filter_map(Value::as_str);
    if folders.any(|trusted| folder.starts_with(trusted)) {
        FolderTrust::Trusted
    } else {
        FolderTrust::Undecided
    }
}

/// Reads the `trustedFolders.json` of Gemini CLI and Qwen Code: of the entries about this folder or one above it, the
/// nearest decides. `TRUST_PARENT` trusts the folder above the named one.
pub fn listed_folder_trust(list: &str, folder: &Path) -> FolderTrust {
    let mut nearest: Option<(usize, FolderTrust)> = None;
    for (named, level) in &object(list) {
        let named = Path::new(named);
        let (place, trust) = match level.as_str() {
            Some("TRUST_FOLDER") => (named, FolderTrust::Trusted),
            Some("TRUST_PARENT") => (named.parent().unwrap_or(named), FolderTrust::Trusted),
            Some("DO_NOT_TRUST") => (named, FolderTrust::Refused),
            _ => continue,
        };
        let depth = place.components().count();
        if folder.starts_with(place) && nearest.is_none_or(|(other, _)| other < depth) {
            nearest = Some((depth, trust));
        }
    }
    nearest.map_or(FolderTrust::Undecided, |(_, trust)| trust)
}

/// Reads from the settings of Gemini CLI or Qwen Code whether it asks for trust in folders. Returns `None` if they do not
/// say.
pub fn asks_for_folder_trust(settings: &str) -> Option<bool> {
    object(settings).get("security")?.get("folderTrust")?.get("enabled")?.as_bool()
}

/// Reads Codex's `config.toml`: the trust in a project, and in each of our entries in a hooks file with this text.
/// `project` and `file` are the paths as Codex sees them, links resolved.
pub fn codex_trust(config: &str, project: &Path, file: &Path, hooks: &str) -> CodexTrust {
    let config = config.parse::<DocumentMut>().unwrap_or_default();
    let mut found = CodexTrust {
        project: project_trust(&config, project),
        trusted: Vec::new(),
        changed: Vec::new(),
        untrusted: Vec::new(),
    };
    let states = config.get("hooks").and_then(|hooks| hooks.get("state"));
    let hooks = object(hooks);
    let ours: Vec<String> = registrations_of(&hooks);
    for (event, groups) in hooks.get("hooks").and_then(Value::as_object).into_iter().flatten() {
        for (group_index, group) in groups.as_array().into_iter().flatten().enumerate() {
            let handlers = group.get("hooks").and_then(Value::as_array).into_iter().flatten();
            for (index, handler) in handlers.enumerate() {
                let Some(command) = handler.get("command").and_then(Value::as_str) else { continue };
                if !ours.iter().any(|own| own == command) {
                    continue;
                }
                let label = snake_case(event);
                let key = format!("{}:{label}:{group_index}:{index}", file.display());
                let state = states.and_then(|states| states.get(&key));
                let recorded = state.and_then(|state| state.get("trusted_hash")).and_then(Item::as_str);
                let list = match recorded {
                    None => &mut found.untrusted,
                    Some(hash) if hash == codex_hash(&label, group, handler) => &mut found.trusted,
                    Some(_) => &mut found.changed,
                };
                list.push(event.clone());
            }
        }
    }
    found
}

/// Returns the commands of our entries.
fn registrations_of(hooks: &Map<String, Value>) -> Vec<String> {
    let text = Value::Object(hooks.clone()).to_string();
    registrations(&text).unwrap_or_default().into_iter().map(|entry| entry.command).collect()
}

fn project_trust(config: &DocumentMut, project: &Path) -> FolderTrust {
    let level = config
        .get("projects")
        .and_then(|projects| projects.get(project.to_str()?))
        .and_then(|project| project.get("trust_level"))
        .and_then(Item::as_str);
    match level {
        Some("trusted") => FolderTrust::Trusted,
        Some(_) => FolderTrust::Refused,
        None => FolderTrust::Undecided,
    }
}

/// Returns the hash with which Codex records its trust in a command: SHA-256 over the event, the matcher and the
/// handler as compact JSON with sorted keys, defaults filled in.
fn codex_hash(label: &str, group: &Value, handler: &Value) -> String {
    let mut identity = Map::new();
    identity.insert("event_name".into(), json!(label));
    let mut known = Map::new();
    known.insert("async".into(), handler.get("async").cloned().unwrap_or(json!(false)));
    for key in ["additionalContextLimit", "command", "commandWindows", "statusMessage"] {
        if let Some(value) = handler.get(key) {
            known.insert(key.into(), value.clone());
        }
    }
    known.insert("timeout".into(), handler.get("timeout").cloned().unwrap_or(json!(600)));
    known.insert("type".into(), json!("command"));
    identity.insert("hooks".into(), json!([known]));
    if let Some(matcher) = group.get("matcher") {
        identity.insert("matcher".into(), matcher.clone());
    }
    prefixed_hash(&Value::Object(identity))
}

fn prefixed_hash(identity: &Value) -> String {
    format!("sha256:{}", sha256::hex(&sha256::with_sorted_keys(identity).to_string()))
}

/// Returns Codex's label of an event: `PreToolUse` is `pre_tool_use`.
fn snake_case(event: &str) -> String {
    let mut label = String::new();
    for (index, letter) in event.chars().enumerate() {
        if letter.is_ascii_uppercase() && index > 0 {
            label.push('_');
        }
        label.push(letter.to_ascii_lowercase());
    }
    label
}

/// Parses an object. Returns an empty one for anything else: such a file trusts nothing.
fn object(text: &str) -> Map<String, Value> {
    let (_, body) = split_mark(text);
    let Ok(document) = Document::parse(body) else { return Map::new() };
    document.root.properties.iter().map(|it| (it.name.as_str().to_owned(), as_json(&it.value))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Host;
    use crate::install::{HookPlan, Program, register};

    #[test]
    fn copilot_trusts_the_listed_folders_and_all_below_them() {
        let config = "// written by Copilot\n{\"trusted_folders\": [\"/home/me/shop\"]}";
        for (folder, trust) in [
            ("/home/me/shop", FolderTrust::Trusted),
            ("/home/me/shop/src", FolderTrust::Trusted),
            ("/home/me/shopping", FolderTrust::Undecided),
            ("/home/me", FolderTrust::Undecided),
        ] {
            assert_eq!(copilot_trust(config, Path::new(folder)), trust, "{folder}");
        }
        assert_eq!(copilot_trust("broken", Path::new("/x")), FolderTrust::Undecided);
    }

    #[test]
    fn settings_with_comments_say_whether_trust_is_needed() {
        for (settings, expected) in [
            ("// mine\n{\"security\": {\"folderTrust\": {\"enabled\": false}}}", Some(false)),
            (r#"{"security": {"folderTrust": {"enabled": true}}}"#, Some(true)),
            (r#"{"security": {}}"#, None),
            ("", None),
        ] {
            assert_eq!(asks_for_folder_trust(settings), expected, "{settings}");
        }
    }

    #[test]
    fn the_nearest_entry_of_a_trust_list_decides() {
        let list = r#"{"/a": "TRUST_FOLDER", "/a/b": "DO_NOT_TRUST", "/a/b/c/d": "TRUST_PARENT"}"#;
        for (folder, trust) in [
            ("/a", FolderTrust::Trusted),
            ("/a/x", FolderTrust::Trusted),
            ("/a/b", FolderTrust::Refused),
            ("/a/b/y", FolderTrust::Refused),
            ("/a/b/c", FolderTrust::Trusted),
            ("/z", FolderTrust::Undecided),
        ] {
            assert_eq!(listed_folder_trust(list, Path::new(folder)), trust, "{folder}");
        }
    }

    #[test]
    fn codex_trusts_an_entry_in_the_form_whose_hash_it_recorded() {
        let plan = HookPlan::of(Host::Codex).unwrap();
        let hooks = register(plan, None, &Program::on_path()).unwrap();
        let (project, file) = (Path::new("/w"), Path::new("/w/.codex/hooks.json"));
        let none = codex_trust("", project, file, &hooks);
        assert_eq!((none.project, none.untrusted.len()), (FolderTrust::Undecided, plan.rows.len()));
        let command = "steersman dispatch Stop --host codex";
        let handler = json!({"async": false, "command": command, "timeout": 15, "type": "command"});
        let stop = json!({"event_name": "stop", "hooks": [handler]});
        let hash = prefixed_hash(&stop);
        let config = format!(
            "[projects.\"/w\"]\ntrust_level = \"trusted\"\n\
             [hooks.state.\"/w/.codex/hooks.json:stop:0:0\"]\ntrusted_hash = \"{hash}\"\n\
             [hooks.state.\"/w/.codex/hooks.json:pre_tool_use:0:0\"]\ntrusted_hash = \"sha256:00\"\n"
        );
        let some = codex_trust(&config, project, file, &hooks);
        assert_eq!(some.project, FolderTrust::Trusted);
        assert_eq!((some.trusted, some.changed), (vec!["Stop".to_owned()], vec!["PreToolUse".to_owned()]));
        assert_eq!(some.untrusted.len(), plan.rows.len() - 2);
    }
}
