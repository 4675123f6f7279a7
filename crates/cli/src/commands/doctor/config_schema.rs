//! The schemas that the configuration files are held against.
//!
//! The known keys come from the generated schemas, and from the code where a file has none.

use dispatch::{Manifest, modules};
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
    let section = json!({"type": "object"});
    let mut properties = serde_json::Map::new();
    let own = Manifest::load(workspace).map(|manifest| manifest.modules).unwrap_or_default();
    let names = modules::ALL.iter().map(|module| module.profile().name.to_owned()).chain(own.into_keys());
    properties.extend(names.chain(["gc".into(), "neo4j".into()]).map(|name| (name, section.clone())));
    properties.insert("version".into(), json!({"type": "integer"}));
    properties.insert("$schema".into(), json!({"type": "string"}));
    let audit = json!({"oneOf": [{"const": "hash"}, {"const": "raw"}]});
    properties.insert("session".into(), json!({"type": "object", "properties": {"promptAudit": audit}}));
    json!({"type": "object", "properties": properties})
}
