//! The JSON Schemas of the files of automations and of the journal of runs.

use config_file::Shape;
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Value, json};

use crate::config::{AKIRA_FILE, GATOMIA, WORKSPACE};
use crate::queue::Line;
use crate::{ExecutionRecord, ServeLine, ServerRecord, SourceFile};

/// The section `automation` of `.ai/hooks/config.json`.
pub const SETTINGS: Shape = Shape::Object(&WORKSPACE);

/// Returns every schema under its name.
pub fn all() -> Vec<(&'static str, Value)> {
    vec![
        ("automation-queue", of::<Line>("A line of .ai/tmp/automation/queue.jsonl")),
        (
            "automation-server",
            of::<ServerRecord>(
                ".ai/tmp/automation/server.json: the process that runs the automations, and the port of its page",
            ),
        ),
        ("automations", declared(&Shape::Object(&AKIRA_FILE), AKIRA_FILE.name, SourceFile::Akira)),
        ("custom-hooks", declared(&Shape::Choice(&GATOMIA), GATOMIA.name, SourceFile::Gatomia)),
        ("execution-record", of::<ExecutionRecord>("The record of a run of an automation")),
        ("serve-line", written::<ServeLine>("A line that `steersman serve --json` prints")),
    ]
}

fn declared(shape: &Shape, title: &str, file: SourceFile) -> Value {
    config_file::schema::of(shape, title, file.name())
}

fn of<T: JsonSchema>(description: &str) -> Value {
    described::<T>(SchemaSettings::draft2020_12().for_deserialize(), description)
}

/// Returns the schema of a type that steersman writes and never reads.
fn written<T: JsonSchema>(description: &str) -> Value {
    described::<T>(SchemaSettings::draft2020_12().for_serialize(), description)
}

fn described<T: JsonSchema>(settings: SchemaSettings, description: &str) -> Value {
    let mut value = settings.into_generator().into_root_schema_for::<T>().to_value();
    value["description"] = json!(description);
    value
}
