//! The schemas that the configuration files are checked against.
//!
//! They are the published schemas, narrowed to the names that this workspace defines.

use automation::WorkspaceSettings;
use event::Phase;
use project_config::Manifest;
use serde_json::{Value as Json, json};
use store::Workspace;

use crate::commands::schema::SCHEMAS;

/// Returns a schema of this build.
pub(super) fn embedded(name: &str) -> Json {
    let text = SCHEMAS.iter().find(|schema| schema.0 == name).map_or("{}", |schema| schema.2);
    serde_json::from_str(text).unwrap_or_default()
}

/// Returns the schema of the manifest, in which only phases may be keys of a phase policy.
pub(super) fn manifest_schema() -> Json {
    let mut schema = embedded("dispatch-manifest");
    schema["$defs"]["PhasePolicy"]["propertyNames"] = json!({"enum": Phase::ALL.map(Phase::as_str)});
    schema
}

/// Returns the schema of the settings, in which only built-in modules and the project's modules may be keys.
pub(super) fn config_schema(workspace: &Workspace) -> Json {
    let mut schema = embedded("config");
    let own = Manifest::load(workspace).map(|manifest| manifest.modules).unwrap_or_default();
    let builtin = modules::ALL.iter().map(|module| module.profile().name.to_owned());
    if let Some(known) = schema["properties"].as_object_mut() {
        // Its reader reports more than the schema can, with places: see `runners.rs`.
        known.insert(WorkspaceSettings::SECTION.to_owned(), json!({}));
        for name in builtin.chain(own.into_keys()) {
            // A module without settings, or one that validates its settings itself.
            known.entry(name).or_insert_with(|| json!({}));
        }
    }
    if let Some(schema) = schema.as_object_mut() {
        schema.remove("additionalProperties");
    }
    schema
}
