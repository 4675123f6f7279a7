//! The user's approval of our MCP server, in the files in which hosts record it.
//!
//! WHY: Qwen Code starts no server of a project before the user approved exactly this entry, and Claude Code asks
//! about one in a terminal. Both record the answer in a file, which `init --intents` writes: the user who runs it
//! has decided.

use std::path::Path;

use config_file::jsonc::{Array, Object, Ranged, Value};
use serde_json::json;

use super::document::{Document, as_json, last, misshapen, split_mark};
use super::edit_error::EditError;
use super::insert::{Item, Level, append};
use super::layout::Layout;
use super::remove::{came_with_their_only_item, remove};
use super::server::{NAME, ServerPlan};
use super::unregister::{Removed, says_nothing};
use super::usage_evidence::Root;
use crate::{Host, sha256};

/// The file in which a host records that the user approved a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ServerApproval {
    /// The host.
    pub host: Host,
    /// The folder to which the file is relative.
    pub root: Root,
    /// The file, with `/`.
    pub file: &'static str,
    form: Form,
}

/// The content of such a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// A list of names in the settings of the project that are not committed.
    Names,
    /// For each project and server, the hash of the approved entry.
    Hashes,
}

/// The approval of our server in a project.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Approval {
    /// The user approved the present entry.
    Given,
    /// The user refused.
    Refused,
    /// The user approved another form of the entry.
    Outdated,
    /// The user has not decided.
    Missing,
}

/// The key of the approved servers in the settings of Claude Code.
const APPROVED: &str = "enabledMcpjsonServers";
/// The key of the refused ones.
const REFUSED: &str = "disabledMcpjsonServers";

impl ServerApproval {
    /// All of them.
    pub const ALL: [Self; 2] = [
        Self {
            host: Host::ClaudeCode,
            root: Root::Workspace,
            file: ".claude/settings.local.json",
            form: Form::Names,
        },
        Self { host: Host::Qwen, root: Root::Home, file: ".qwen/mcpApprovals.json", form: Form::Hashes },
    ];

    /// Returns the approval in the text of the file. `project` is the path as the host sees it, links resolved;
    /// `settings` is the text of the file with the server.
    pub fn found_in(&self, text: &str, project: &Path, settings: &str) -> Result<Approval, EditError> {
        let (_, body) = split_mark(text);
        if body.trim().is_empty() {
            return Ok(Approval::Missing);
        }
        let document = Document::parse(body)?;
        Ok(match self.form {
            Form::Names if has_name(&document.root, REFUSED) => Approval::Refused,
            Form::Names if has_name(&document.root, APPROVED) => Approval::Given,
            Form::Names => Approval::Missing,
            Form::Hashes => {
                let record = project_of(&document.root, project).and_then(|servers| last(servers, NAME));
                let record = record.map(as_json).unwrap_or_default();
                match record["status"].as_str() {
                    Some("rejected") => Approval::Refused,
                    Some("approved") if record["hash"] == self.hash_in(settings) => Approval::Given,
                    Some("approved") => Approval::Outdated,
                    _ => Approval::Missing,
                }
            }
        })
    }

    /// Returns the file with the approval. Idempotent. A refusal is the user's own decision and stays.
    pub fn approve(
        &self,
        existing: Option<&str>,
        project: &Path,
        settings: &str,
    ) -> Result<String, EditError> {
        let text = existing.unwrap_or_default();
        let (mark, body) = split_mark(text);
        if matches!(self.found_in(text, project, settings)?, Approval::Given | Approval::Refused) {
            return Ok(text.to_owned());
        }
        let value = match self.form {
            Form::Names => json!(NAME),
            Form::Hashes => json!({"hash": self.hash_in(settings), "status": "approved"}),
        };
        let (key, all) = match self.form {
            Form::Names => (APPROVED.to_owned(), json!([value])),
            Form::Hashes => (project.to_string_lossy().into_owned(), json!({NAME: value})),
        };
        if body.trim().is_empty() {
            return Ok(format!("{mark}{}\n", Layout::default().block(&json!({key: all}), "")));
        }
        let document = Document::parse(body)?;
        let layout = Layout::of(&document);
        let edited = match (last(&document.root, &key), self.form) {
            (None, _) => {
                let item = Item::Property(&key, &all);
                append(body, &(&document.root).into(), item, &layout, Level::File)
            }
            (Some(Value::Array(names)), Form::Names) => {
                append(body, &names.into(), Item::Element(&value), &layout, Level::Inner)
            }
            (Some(Value::Object(servers)), Form::Hashes) => match last(servers, NAME) {
                None => append(body, &servers.into(), Item::Property(NAME, &value), &layout, Level::Inner),
                Some(outdated) => {
                    let range = outdated.range();
                    let indent = super::layout::indent_at(body, range.start).to_owned();
                    let value = layout.block(&value, &indent);
                    format!("{}{value}{}", &body[..range.start], &body[range.end..])
                }
            },
            (Some(other), Form::Names) => {
                return Err(misshapen(body, &format!("`{key}`"), "an array", other));
            }
            (Some(other), Form::Hashes) => {
                return Err(misshapen(body, &format!("`{key}`"), "an object", other));
            }
        };
        Ok(format!("{mark}{edited}"))
    }

    /// Returns the file without the approval. A refusal stays.
    pub fn withdraw(&self, existing: &str, project: &Path) -> Result<Removed, EditError> {
        let (mark, body) = split_mark(existing);
        if body.trim().is_empty() {
            return Ok(Removed::Nothing);
        }
        let document = Document::parse(body)?;
        let text = match self.form {
            Form::Names => names_of(&document.root, APPROVED).and_then(|names| {
                let at = names.elements.iter().position(is_our_name)?;
                Some(without_item(body, &document.root, APPROVED, &names.into(), at))
            }),
            Form::Hashes => project_of(&document.root, project).and_then(|servers| {
                let is_approved =
                    |value: &Value<'_>| as_json(value).get("status") == Some(&json!("approved"));
                let at = servers
                    .properties
                    .iter()
                    .rposition(|property| property.name.as_str() == NAME && is_approved(&property.value))?;
                Some(without_item(body, &document.root, &project.to_string_lossy(), &servers.into(), at))
            }),
        };
        let Some(text) = text else { return Ok(Removed::Nothing) };
        let nothing_left = says_nothing(&Document::parse(&text)?, &[]);
        let text = format!("{mark}{text}");
        Ok(if nothing_left { Removed::OnlyOurs { left: text } } else { Removed::Text(text) })
    }

    /// Returns the hash with which Qwen Code binds an approval to the entry: SHA-256 over the entry as compact JSON
    /// with sorted keys, without its description.
    fn hash_in(&self, settings: &str) -> String {
        let (_, body) = split_mark(settings);
        let entry = Document::parse(body).ok().and_then(|document| {
            let plan = ServerPlan::of(self.host)?;
            let servers = last(&document.root, plan.key)?.as_object()?;
            Some(as_json(last(servers, NAME)?))
        });
        let mut entry = entry.unwrap_or_default();
        if let Some(fields) = entry.as_object_mut() {
            fields.retain(|key, _| !matches!(key.as_str(), "scope" | "extensionName" | "description"));
        }
        sha256::hex(&sha256::with_sorted_keys(&entry).to_string())
    }
}

fn names_of<'o, 'a>(root: &'o Object<'a>, key: &str) -> Option<&'o Array<'a>> {
    last(root, key)?.as_array()
}

fn has_name(root: &Object<'_>, key: &str) -> bool {
    names_of(root, key).is_some_and(|names| names.elements.iter().any(is_our_name))
}

fn is_our_name(value: &Value<'_>) -> bool {
    value.as_string_lit().is_some_and(|text| text.value == NAME)
}

fn project_of<'o, 'a>(root: &'o Object<'a>, project: &Path) -> Option<&'o Object<'a>> {
    last(root, project.to_str()?)?.as_object()
}

/// Returns the text without an item of the value of `key`, and without `key` if it came with its only item.
fn without_item(
    text: &str,
    root: &Object<'_>,
    key: &str,
    items: &super::document::Container,
    at: usize,
) -> String {
    let whole = root.properties.iter().rposition(|property| property.name.as_str() == key);
    match whole.filter(|_| came_with_their_only_item(text, items)) {
        Some(whole) => remove(text, &root.into(), whole),
        None => remove(text, items, at),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROJECT: &str = "/home/dev/shop";
    /// The entry that `init --intents` writes.
    const SETTINGS: &str =
        r#"{"mcpServers": {"steersman": {"command": "steersman", "args": ["mcp"], "trust": true}}}"#;

    fn approvals() -> [(ServerApproval, &'static str, &'static str); 2] {
        [
            (
                ServerApproval::ALL[0],
                r#"{"disabledMcpjsonServers": ["steersman"]}"#,
                "{\"enabledMcpjsonServers\": [\"a\"]}\n",
            ),
            (
                ServerApproval::ALL[1],
                r#"{"/home/dev/shop": {"steersman": {"hash": "x", "status": "rejected"}}}"#,
                "{\n  \"/home/dev/shop\": {\n    \"a\": {\n      \"hash\": \"x\",\n      \"status\": \"approved\"\n    }\n  }\n}",
            ),
        ]
    }

    #[test]
    fn an_approval_is_added_once_and_removed_without_a_trace() {
        let project = Path::new(PROJECT);
        for (approval, refused, others) in approvals() {
            for before in [others, "{}", "{\n  // mine\n  \"other\": 1\n}\n"] {
                let once = approval.approve(Some(before), project, SETTINGS).unwrap();
                assert_ne!(once, before);
                assert_eq!(approval.found_in(&once, project, SETTINGS).unwrap(), Approval::Given, "{once}");
                assert_eq!(approval.approve(Some(&once), project, SETTINGS).unwrap(), once);
                let after = match approval.withdraw(&once, project).unwrap() {
                    Removed::Text(text) | Removed::OnlyOurs { left: text } => text,
                    Removed::Nothing => panic!("{once}"),
                };
                assert_eq!(after, before);
            }
            let new = approval.approve(None, project, SETTINGS).unwrap();
            assert!(matches!(approval.withdraw(&new, project).unwrap(), Removed::OnlyOurs { .. }), "{new}");
            // A refusal is the user's.
            assert_eq!(approval.found_in(refused, project, SETTINGS).unwrap(), Approval::Refused);
            assert_eq!(approval.approve(Some(refused), project, SETTINGS).unwrap(), refused);
            assert_eq!(approval.withdraw(refused, project).unwrap(), Removed::Nothing);
            assert!(approval.approve(Some("{"), project, SETTINGS).is_err());
        }
    }

    #[test]
    fn qwen_approves_an_entry_and_not_another_of_the_same_name() {
        let [_, qwen] = ServerApproval::ALL;
        let project = Path::new(PROJECT);
        // Recorded from `qwen mcp approve steersman`.
        let hash = "fc55ed88b7019ba3bf202b13cbee7a178c59eddc0cca4950501d0c32b049b8b3";
        let approved = qwen.approve(None, project, SETTINGS).unwrap();
        assert!(approved.contains(hash), "{approved}");
        let moved = SETTINGS.replace(r#""command": "steersman""#, r#""command": "/opt/steersman""#);
        assert_eq!(qwen.found_in(&approved, project, &moved).unwrap(), Approval::Outdated);
        let again = qwen.approve(Some(&approved), project, &moved).unwrap();
        assert_eq!(qwen.found_in(&again, project, &moved).unwrap(), Approval::Given);
        let elsewhere = Path::new("/home/dev");
        assert_eq!(qwen.found_in(&approved, elsewhere, SETTINGS).unwrap(), Approval::Missing);
        let described = SETTINGS.replace(r#""trust""#, r#""description": "x", "trust""#);
        assert_eq!(qwen.found_in(&approved, project, &described).unwrap(), Approval::Given);
    }
}
