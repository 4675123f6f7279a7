//! The JSON Schemas of the files of automations and of the journal of runs.
//!
//! The shapes of the two files are never read into: their reader tells places and hints, which
//! no derived reader does. A test holds the keys of both to each other.

mod akira_wire;
mod gatomia_wire;
mod settings_wire;

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Value, json};

use crate::queue::Line;
use crate::{ExecutionRecord, ServeLine, ServerRecord};
use akira_wire::AutomationsWire;
use gatomia_wire::CustomHooksWire;

pub use settings_wire::SettingsWire;

/// Returns every schema under its name.
pub fn all() -> Vec<(&'static str, Value)> {
    vec![
        ("automation-queue", of::<Line>("A line of .ai/tmp/automation/queue.jsonl")),
        (
            "automation-server",
            of::<ServerRecord>(
                ".ai/tmp/automation/server.json: which process runs the automations, and where its page is",
            ),
        ),
        ("automations", of::<AutomationsWire>(".akira/hooks.json")),
        ("custom-hooks", of::<CustomHooksWire>(".vscode/gatomia/hooks.json")),
        ("execution-record", of::<ExecutionRecord>("What is kept of a run of an automation")),
        ("serve-line", written::<ServeLine>("A line that `steersman serve --json` prints")),
    ]
}

fn of<T: JsonSchema>(description: &str) -> Value {
    described::<T>(SchemaSettings::draft2020_12().for_deserialize(), description)
}

/// What we produce and never read.
fn written<T: JsonSchema>(description: &str) -> Value {
    described::<T>(SchemaSettings::draft2020_12().for_serialize(), description)
}

fn described<T: JsonSchema>(settings: SchemaSettings, description: &str) -> Value {
    let mut value = settings.into_generator().into_root_schema_for::<T>().to_value();
    value["description"] = json!(description);
    value
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::keys;

    #[test]
    fn the_schemas_have_the_keys_the_readers_know() {
        let schemas = all();
        for (name, definition, mut known) in keys() {
            let (_, schema) = schemas.iter().find(|(it, _)| *it == name).unwrap();
            let object = &schema["$defs"][definition]["properties"];
            let mut found: Vec<&str> = object.as_object().unwrap().keys().map(String::as_str).collect();
            found.sort_unstable();
            known.sort_unstable();
            assert_eq!(found, known, "{name} {definition}");
        }
    }
}
