//! The schema of the journal's records about intents: the `type` and `data` of a line.

use schemars::JsonSchema;
use schemars::generate::{SchemaGenerator, SchemaSettings};
use serde_json::{Value, json};

use crate::journal::{
    CallPending, Denied, DriftUndone, FileDeleted, FileUntraced, FileWritten, Forged, IntentSelected,
    JournalRecord, ScanEnded, ScanIncomplete, ScopeDrift, TempWritten, TraceDelayed, TraceStaged,
    WriteConflict,
};

/// Returns the schema. The other fields of a line are those of every line: `event-record` describes them.
pub(super) fn intent_records(description: &str) -> Value {
    let mut generator = SchemaSettings::draft2020_12().for_deserialize().into_generator();
    let lines = [
        line::<Denied>(&mut generator),
        line::<FileWritten>(&mut generator),
        line::<FileDeleted>(&mut generator),
        line::<WriteConflict>(&mut generator),
        line::<ScopeDrift>(&mut generator),
        line::<CallPending>(&mut generator),
        line::<ScanIncomplete>(&mut generator),
        line::<ScanEnded>(&mut generator),
        line::<FileUntraced>(&mut generator),
        line::<Forged>(&mut generator),
        line::<TempWritten>(&mut generator),
        line::<DriftUndone>(&mut generator),
        line::<IntentSelected>(&mut generator),
        line::<TraceStaged>(&mut generator),
        line::<TraceDelayed>(&mut generator),
    ];
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "intent-event",
        "description": description,
        "oneOf": lines,
        "$defs": generator.take_definitions(true),
    })
}

fn line<R: JournalRecord + JsonSchema>(generator: &mut SchemaGenerator) -> Value {
    json!({
        "type": "object",
        "properties": {
            "type": {"type": "string", "const": R::KIND.name()},
            "data": generator.subschema_for::<R>(),
        },
        "required": ["type", "data"],
    })
}
