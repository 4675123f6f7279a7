//! The JSON Schemas of the files of intents and traces.

mod events_wire;

use config_file::Shape;
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Value, json};

use crate::compiled::CompiledRecord;
use crate::expansion::LineWire;
use crate::file::INTENTS;
use crate::kept::KeptRecord;
use crate::stale_files::LookRecord;
use crate::trace::TraceRecord;
use crate::trace::pending::wire::HeaderRecord;
use crate::{Intent, IntentsFile, Selection};
use events_wire::EventsWire;

/// Returns every schema under its name.
pub fn all() -> Vec<(&'static str, Value)> {
    vec![
        (
            "active-intents",
            config_file::schema::of(&Shape::Object(&INTENTS), INTENTS.name, IntentsFile::PATH),
        ),
        (
            "compiled-intent",
            of::<Intent>(
                "An intent as a further line of intents/<workspace>/<hash> has it, behind id and tab",
            ),
        ),
        (
            "compiled-intents",
            of::<CompiledRecord>("The first line of intents/<workspace>/<hash> in the user's state folder"),
        ),
        (
            "intent-event",
            of::<EventsWire>("`type` and `data` of a line of events.jsonl that is about intents"),
        ),
        ("intent-selection", of::<Selection>(".ai/tmp/intent.json: the intent of sessions without one")),
        ("kept-intent", of::<KeptRecord>("intents/<workspace>/<id> in the user's state folder")),
        (
            "pending-call",
            of::<HeaderRecord>(
                "The line of JSON in a frame of intent/pending-calls: a call that has not ended yet",
            ),
        ),
        ("scope-request", of::<LineWire>("A line of .ai/tmp/scope-requests.jsonl")),
        ("seen-file", of::<LookRecord>("A file in intent/seen/: what an agent last saw of one file")),
        ("trace-record", of::<TraceRecord>("A line of .orchestration/agent_trace.jsonl")),
    ]
}

fn of<T: JsonSchema>(description: &str) -> Value {
    let settings = SchemaSettings::draft2020_12().for_deserialize();
    let mut value = settings.into_generator().into_root_schema_for::<T>().to_value();
    value["description"] = json!(description);
    value
}
