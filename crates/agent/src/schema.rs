//! The JSON Schemas of the files that users write and the registry stores.

use config_file::{Object, Shape};
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::Value;

use crate::table::{AGENT, AGENT_MD, CONFIG};

/// Returns the comment line that makes YAML editors use a schema at this path.
pub fn editor_line(schema: &str) -> String {
    format!("# yaml-language-server: $schema={schema}")
}

/// Returns all schemas with their names.
pub fn all() -> Vec<(&'static str, Value)> {
    vec![
        ("agent", declared(&AGENT)),
        ("agent-config", declared(&CONFIG)),
        ("agent-md", declared(&AGENT_MD)),
        ("agent-registry", of::<crate::registry::Snapshot>()),
        ("agent-ruling", ruling()),
    ]
}

fn declared(object: &'static Object) -> Value {
    config_file::schema::of(&Shape::Object(object), object.name, object.doc)
}

fn ruling() -> Value {
    let mut schema = of::<crate::registry::CachedRulesRecord>();
    schema["description"] = "A file in agent-tools/output/: the rules of an agent in this session".into();
    schema
}

fn of<T: JsonSchema>() -> Value {
    SchemaSettings::draft2020_12().for_deserialize().into_generator().into_root_schema_for::<T>().to_value()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_for_editors_names_the_schema() {
        assert_eq!(editor_line("a.json"), "# yaml-language-server: $schema=a.json");
    }
}
