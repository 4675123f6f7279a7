//! The JSON Schemas of intents files and traces.

mod intent_records;

use config_file::Shape;
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Value, json};

use crate::compiled_intents::CompiledRecord;
use crate::expansion::RequestLineRecord;
use crate::file::INTENTS;
use crate::intent_cache::CachedIntentRecord;
use crate::stale_files::SeenFileRecord;
use crate::trace::pending::call_record::HeaderRecord;
use crate::trace::{StagedReportRecord, TraceRecord};
use crate::{Coverage, Intent, IntentsFile, Selection};
use intent_records::intent_records;

/// Returns all schemas with their names.
pub fn all() -> Vec<(&'static str, Value)> {
    vec![
        (
            "active-intents",
            config_file::schema::of(&Shape::Object(&INTENTS), INTENTS.name, IntentsFile::PATH),
        ),
        (
            "compiled-intent",
            of::<Intent>(
                "The intent in a further line of intents/<workspace>/<hash>, after its id and a tab",
            ),
        ),
        (
            "compiled-intents",
            of::<CompiledRecord>("The first line of intents/<workspace>/<hash> in the user's state folder"),
        ),
        ("intent-event", intent_records("`type` and `data` of a line of events.jsonl that is about intents")),
        ("intent-selection", of::<Selection>(".ai/tmp/intent.json: the intent of sessions without one")),
        ("kept-intent", of::<CachedIntentRecord>("intents/<workspace>/<id> in the user's state folder")),
        (
            "pending-call",
            of::<HeaderRecord>("The line of JSON in a frame of intent/pending-calls: a pending call"),
        ),
        (
            "scan-coverage",
            of::<Coverage>(
                "intent/scan.json: the folders searched for changes, and since when changes are open",
            ),
        ),
        ("scope-request", of::<RequestLineRecord>("A line of .ai/tmp/scope-requests.jsonl")),
        (
            "seen-file",
            of::<SeenFileRecord>("A file in intent/seen/: the version of a file that an agent last saw"),
        ),
        (
            "staged-report",
            of::<StagedReportRecord>(
                "A file in intent/reports/: the lines that a run writes once the journal has the report",
            ),
        ),
        ("trace-record", of::<TraceRecord>("A line of .orchestration/agent_trace.jsonl")),
    ]
}

fn of<T: JsonSchema>(description: &str) -> Value {
    let settings = SchemaSettings::draft2020_12().for_deserialize();
    let mut value = settings.into_generator().into_root_schema_for::<T>().to_value();
    value["description"] = json!(description);
    value
}
