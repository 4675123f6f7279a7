//! The schemas that the configuration files are held against.
//!
//! They are the published ones, and stricter where only this workspace can tell what is known.

use dispatch::Manifest;
use dispatch::modules;
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

/// The settings' schema, with the modules of the project's own as the only keys beside ours.
pub(super) fn config_schema(workspace: &Workspace) -> Json {
    let mut schema = embedded("config");
    let own = Manifest::load(workspace).map(|manifest| manifest.modules).unwrap_or_default();
    let builtin = modules::ALL.iter().map(|module| module.profile().name.to_owned());
    if let Some(known) = schema["properties"].as_object_mut() {
        for name in builtin.chain(own.into_keys()) {
            // A module without settings of its own, or one whose settings only it knows.
            known.entry(name).or_insert_with(|| json!({}));
        }
    }
    if let Some(schema) = schema.as_object_mut() {
        schema.remove("additionalProperties");
    }
    schema
}
