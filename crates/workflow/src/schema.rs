//! The JSON Schemas of the files that a run writes.

use schemars::generate::SchemaSettings;
use serde_json::{Value, json};

use crate::record::RecordWire;

/// Returns every schema under its name.
pub fn all() -> Vec<(&'static str, Value)> {
    let generator = SchemaSettings::draft2020_12().for_deserialize().into_generator();
    let mut schema = generator.into_root_schema_for::<RecordWire>().to_value();
    schema["description"] = json!("A line of .ai/tmp/agent-runs/<run>.jsonl");
    vec![("agent-run-record", schema)]
}
