//! The JSON Schemas of the API's answers.

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Value, json};

use crate::view::{
    Agents, Asks, Automations, Explained, File, Files, Health, Intents, Now, Plan, RunOutput, Session, WhatIf,
};

/// Returns every schema under its name.
pub fn all() -> Vec<(&'static str, Value)> {
    vec![
        ("api-agents", of::<Agents>("agents", "the agents that the server found")),
        ("api-asks", of::<Asks>("asks", "the calls that wait for a person")),
        ("api-automation-run", of::<RunOutput>("automations/runs/{id}", "a run with its output")),
        ("api-automations", of::<Automations>("automations", "the automations and their runs")),
        ("api-file", of::<File>("files/{path}", "a file with the author of every line")),
        ("api-files", of::<Files>("files", "the files that agents wrote")),
        ("api-health", of::<Health>("health", "the hook runs of the last hours")),
        ("api-intents", of::<Intents>("intents", "intents and requests for a wider scope")),
        ("api-now", of::<Now>("now", "waiting asks, running automations, failures")),
        ("api-plan", of::<Plan>("plan", "the plan in force with the state of its nodes")),
        ("api-run", of::<Explained>("sessions/{sid}/runs/{run}", "one hook run, explained")),
        ("api-session", of::<Session>("sessions/{sid}", "a part of a session's timeline")),
        (
            "api-what-if",
            of::<WhatIf>("sessions/{sid}/what-if", "a session judged again under another manifest"),
        ),
    ]
}

fn of<T: JsonSchema>(path: &str, what: &str) -> Value {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    let mut value = settings.into_generator().into_root_schema_for::<T>().to_value();
    value["description"] = json!(format!("The answer of /api/v1/{path}: {what}"));
    value
}
