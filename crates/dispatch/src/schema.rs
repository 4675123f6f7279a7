//! The JSON Schemas of everything the contract puts on a wire or a disk, made from the types.

use schemars::{Schema, generate::SchemaSettings};
use serde_json::{Value, json};

use crate::files::{FollowupRules, RlmPolicy};
use crate::modules::rlm_work::Packet;
use crate::modules::stop_synth::StopSummary;
use crate::{ActionWire, ArtifactRecord, CtxWire, EventRecord, Manifest, State};

/// Returns every schema under its name.
pub fn all() -> Vec<(&'static str, Value)> {
    vec![
        ("artifact-record", finish(reading::<ArtifactRecord>(), "A line of registry.jsonl")),
        ("ctx", finish(writing::<CtxWire>(), "The context a project's own module gets, as data")),
        ("dispatch-manifest", finish(reading::<Manifest>(), ".ai/hooks/dispatch.manifest.json")),
        ("event-record", finish(reading::<EventRecord>(), "A line of events.jsonl")),
        ("followup-rules", finish(reading::<FollowupRules>(), ".ai/hooks/followup-rules.json")),
        ("hook-action", finish(reading::<ActionWire>(), "What a project's own module returns")),
        ("hook-input", finish(reading::<host::raw::RawInputWire>(), "The contract's own payload")),
        ("hook-output", finish(writing::<host::raw::RawOutputWire>(), "The contract's own answer")),
        ("rlm-packet", finish(reading::<Packet>(), "packet.json of a subagent")),
        ("rlm-policy", finish(reading::<RlmPolicy>(), ".ai/hooks/rlm-policy.json")),
        ("state", finish(reading::<State>(), "state.json: where a session stands")),
        ("stop-summary", finish(writing::<StopSummary>(), "stop-synth/output/summary.json")),
    ]
}

/// What we accept.
fn reading<T: schemars::JsonSchema>() -> Schema {
    SchemaSettings::draft2020_12().for_deserialize().into_generator().into_root_schema_for::<T>()
}

/// What we produce.
fn writing<T: schemars::JsonSchema>() -> Schema {
    SchemaSettings::draft2020_12().for_serialize().into_generator().into_root_schema_for::<T>()
}

fn finish(schema: Schema, description: &str) -> Value {
    let mut value = schema.to_value();
    value["description"] = json!(description);
    value
}
