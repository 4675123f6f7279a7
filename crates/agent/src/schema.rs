//! The JSON Schemas of the files people write, for editors.
//!
//! The shapes here are never read into: the readers in `load` tell places and hints, which no
//! derived reader does. A test holds the keys of both to each other.

mod agent_md_wire;
mod agent_wire;
mod config_wire;

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::Value;

use agent_md_wire::AgentMdWire;
use agent_wire::AgentWire;
use config_wire::ConfigWire;

/// The line that makes YAML editors use a schema, with the place of the schema in it.
pub fn editor_line(schema: &str) -> String {
    format!("# yaml-language-server: $schema={schema}")
}

/// Returns every schema under its name.
pub fn all() -> Vec<(&'static str, Value)> {
    vec![
        ("agent", of::<AgentWire>()),
        ("agent-config", of::<ConfigWire>()),
        ("agent-md", of::<AgentMdWire>()),
        ("agent-registry", of::<crate::registry::Snapshot>()),
        ("agent-ruling", ruling()),
    ]
}

fn ruling() -> Value {
    let mut schema = of::<crate::registry::RuledWire>();
    schema["description"] = "A file in agent-tools/output/: the rules of an agent in this session".into();
    schema
}

fn of<T: JsonSchema>() -> Value {
    SchemaSettings::draft2020_12().for_deserialize().into_generator().into_root_schema_for::<T>().to_value()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load::keys;

    /// Returns the keys of an object in a schema; `path` leads to it over properties.
    fn keys_of(root: &Value, path: &[&str]) -> Vec<String> {
        let mut at = root;
        for step in path {
            let mut next = &at["properties"][step];
            for _ in 0..3 {
                next = next["anyOf"].as_array().map_or(next, |it| &it[0]);
                next = if next["items"].is_object() { &next["items"] } else { next };
                if let Some(name) = next["$ref"].as_str().and_then(|it| it.strip_prefix("#/$defs/")) {
                    next = &root["$defs"][name];
                }
            }
            at = next;
        }
        let properties = at["properties"].as_object().expect("an object");
        properties.keys().cloned().collect()
    }

    #[test]
    fn the_schemas_have_the_keys_the_readers_know() {
        let schemas = all();
        for (name, path, known) in keys() {
            let (_, schema) = schemas.iter().find(|(it, _)| *it == name).expect("a schema");
            assert_eq!(keys_of(schema, path), known, "{name} {path:?}");
        }
    }

    #[test]
    fn the_line_for_editors_names_the_schema() {
        assert_eq!(editor_line("a.json"), "# yaml-language-server: $schema=a.json");
    }
}
