//! The JSON Schemas of the files of intents and traces.
//!
//! The shape of the file of intents is never read into: its reader tells places and hints, which
//! no derived reader does. A test holds the keys of both to each other.

mod events_wire;
mod intents_wire;

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Value, json};

use crate::compiled::CompiledRecord;
use crate::expansion::LineWire;
use crate::kept::KeptRecord;
use crate::stale_files::LookRecord;
use crate::trace::TraceRecord;
use crate::trace::pending::wire::HeaderRecord;
use crate::{Intent, Selection};
use events_wire::EventsWire;
use intents_wire::IntentsWire;

/// Returns every schema under its name.
pub fn all() -> Vec<(&'static str, Value)> {
    vec![
        ("active-intents", of::<IntentsWire>(".orchestration/active_intents.yaml")),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file::keys;

    #[test]
    fn the_schema_has_the_keys_the_reader_knows() {
        let (_, schema) = all().into_iter().find(|(name, _)| *name == "active-intents").expect("a schema");
        let keys_of = |object: &Value| -> Vec<String> {
            object["properties"].as_object().expect("an object").keys().cloned().collect()
        };
        assert_eq!(keys_of(&schema), ["version", "intents", "active_intents"]);
        assert_eq!(keys_of(&schema["$defs"]["Intent"]), keys());
    }
}
