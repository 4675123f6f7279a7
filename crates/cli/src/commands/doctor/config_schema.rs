//! The schemas that the configuration files are held against.
//!
//! The known keys come from the generated schemas, and from the code where a file has none.

use dispatch::Manifest;
use dispatch::modules::{self, rlm_work, shell_guard, stop_synth};
use event::Phase;
use serde_json::{Value as Json, json};
use store::Workspace;

use crate::commands::schema::SCHEMAS;

/// Returns a schema of this build.
pub(super) fn embedded(name: &str) -> Json {
    let text = SCHEMAS.iter().find(|schema| schema.0 == name).map_or("{}", |schema| schema.2);
    serde_json::from_str(text).unwrap_or_default()
}

/// The manifest's schema, with the phases as the only keys of a phase policy.
pub(super) fn manifest_schema() -> Json {
    let mut schema = embedded("dispatch-manifest");
    schema["$defs"]["PhasePolicy"]["propertyNames"] = json!({"enum": Phase::ALL.map(Phase::as_str)});
    schema
}

/// The layout file has no published schema: its keys are those `store` reads.
pub(super) fn layout_schema() -> Json {
    let name = json!({"type": "string"});
    json!({
        "type": "object",
        "properties": {
            "$schema": name,
            "version": {"type": "integer"},
            "workRoot": name,
            "files": {
                "type": "object",
                "properties": {"state": name, "events": name, "registry": name, "prompts": name},
            },
            "dirs": {"type": "object", "properties": {"logs": name, "output": name}},
        },
    })
}

/// The settings have a section per module, and each module reads its own.
pub(super) fn config_schema(workspace: &Workspace) -> Json {
    let own = Manifest::load(workspace).map(|manifest| manifest.modules).unwrap_or_default();
    let names = modules::ALL.iter().map(|module| module.profile().name.to_owned()).chain(own.into_keys());
    let open = json!({"type": "object"});
    let mut properties: serde_json::Map<String, Json> =
        names.chain(["neo4j".to_owned()]).map(|name| (name, open.clone())).collect();
    let number = json!({"type": "integer", "minimum": 0});
    let texts = json!({"type": "array", "items": {"type": "string"}});
    properties.extend([
        ("version".to_owned(), json!({"type": "integer"})),
        ("$schema".to_owned(), json!({"type": "string"})),
        ("gc".to_owned(), section(&json!({"maxAgeDays": number, "maxSessions": number}))),
        ("session".to_owned(), section(&json!({"promptAudit": words(&["hash", "raw"])}))),
        (shell_guard::NAME.to_owned(), shell_guard_section()),
        (rlm_work::NAME.to_owned(), section(&json!({"skipAgents": texts, "maxFiles": number}))),
        (stop_synth::NAME.to_owned(), section(&json!({"listItems": number, "adr": {"type": "boolean"}}))),
    ]);
    section(&Json::Object(properties))
}

/// Every rule of the guard has a level, alone or with exceptions.
fn shell_guard_section() -> Json {
    let level = words(&["deny", "ask", "warn", "off"]);
    let allow = json!({"type": "array", "items": {"type": "string"}});
    let ids: Vec<&str> = shell::guard::rules().map(|rule| rule.id).collect();
    section(&json!({
        "rules": {
            "type": "object",
            "propertyNames": {"enum": ids, "description": "`steersman shell rules` lists what is known"},
            "additionalProperties": {"anyOf": [level, section(&json!({"level": level, "allow": allow}))]},
        },
    }))
}

fn section(properties: &Json) -> Json {
    json!({"type": "object", "properties": properties})
}

fn words(words: &[&str]) -> Json {
    let words: Vec<Json> = words.iter().map(|word| json!({"const": word})).collect();
    json!({"type": "string", "oneOf": words})
}
