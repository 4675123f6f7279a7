//! The JSON Schemas of the API's answers.

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Value, json};

use crate::view::{Agents, Asks, Automations, Explained, Health, Intents, Now, Plan, RunOutput, Session};

/// Returns every schema under its name.
pub fn all() -> Vec<(&'static str, Value)> {
    vec![
        ("api-agents", of::<Agents>("agents", "the agents that the server found")),
        ("api-asks", of::<Asks>("asks", "the calls that wait for a person")),
        ("api-automation-run", of::<RunOutput>("automations/runs/{id}", "a run with its output")),
        ("api-automations", of::<Automations>("automations", "the automations and their runs")),
        ("api-health", of::<Health>("health", "the hook runs of the last hours")),
        ("api-intents", of::<Intents>("intents", "intents and requests for a wider scope")),
        ("api-now", of::<Now>("now", "who waits, what runs, what failed")),
        ("api-plan", of::<Plan>("plan", "the plan in force with the state of its nodes")),
        ("api-run", of::<Explained>("sessions/{sid}/runs/{run}", "one hook run, explained")),
        ("api-session", of::<Session>("sessions/{sid}", "a part of a session's timeline")),
    ]
}

fn of<T: JsonSchema>(path: &str, what: &str) -> Value {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    let mut value = settings.into_generator().into_root_schema_for::<T>().to_value();
    value["description"] = json!(format!("The answer of /api/v1/{path}: {what}"));
    value
}
