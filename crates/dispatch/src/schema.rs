//! The JSON Schemas of all files and messages of the contract, generated from the types.

mod config_sections;

use modules::ActionWire;
use modules::rlm_work::Packet;
use plan::{PlanGraph, PlanManifest};
use project_config::{FollowupRules, Manifest, RlmPolicy};
use schemars::{Schema, generate::SchemaSettings};
use serde_json::{Value, json};
use session::{ArtifactRecord, EventRecord, PromptRecord, State};
use session_summary::StopSummary;
use store::{HoldOfAll, LayoutFile, Trust, UserConfig};

use crate::CtxWire;
use memory::{Candidates, Dropped, Experience, MemoryHead};

pub use config_sections::{ConfigSection, config, config_sections};

/// Returns every schema with its name, except [`config`], to which other crates add sections. A title that is a type's
/// name is replaced by the schema's name.
pub fn all() -> Vec<(&'static str, Value)> {
    let mut all = of_workspace();
    all.extend(of_user());
    all
}

/// Returns the schemas of the records about people and agent programs in the user's state folder.
fn of_user() -> Vec<(&'static str, Value)> {
    vec![
        (
            "hold-of-all",
            titled(
                "Order to hold all sessions",
                reading::<HoldOfAll>(),
                "holds/<workspace> in the user's state folder: a person holds every session of a workspace",
            ),
        ),
        (
            "host-record",
            finish(
                reading::<session::person::HostRecord>(),
                "hosts/<workspace>/<process> in the user's state folder, and a line of .ai/tmp/hosts.jsonl: an agent program that called steersman",
            ),
        ),
        (
            "person-changes",
            finish(
                reading::<session::person::PersonChanges>(),
                "persons/<workspace>.json in the user's state folder: the changes that a person made with commands",
            ),
        ),
        ("pin", finish(reading::<session::person::PinRecord>(), "pin.json in the user's state folder")),
    ]
}

/// Returns the schemas of the files and messages of a workspace.
fn of_workspace() -> Vec<(&'static str, Value)> {
    vec![
        ("artifact-record", finish(reading::<ArtifactRecord>(), "A line of registry.jsonl")),
        (
            "ctx",
            titled(
                "Context of a module",
                writing::<CtxWire>(),
                "The data of `ctx`, which a module of the project receives",
            ),
        ),
        ("dispatch-manifest", finish(reading::<Manifest>(), ".ai/hooks/dispatch.manifest.json")),
        ("event-record", finish(reading::<EventRecord>(), "A line of events.jsonl")),
        (
            "experience-record",
            finish(reading::<Experience>(), "A line of memory-journal/output/experience.jsonl"),
        ),
        ("followup-rules", finish(reading::<FollowupRules>(), ".ai/hooks/followup-rules.json")),
        (
            "hook-action",
            titled(
                "Action of a module",
                reading::<ActionWire>(),
                "The object that a module of the project returns",
            ),
        ),
        ("hook-input", finish(reading::<host::raw::RawInputWire>(), "The contract's own payload")),
        ("hook-output", finish(writing::<host::raw::RawOutputWire>(), "The contract's own answer")),
        (
            "kept-plan",
            finish(
                reading::<plan::CachedPlanRecord>(),
                "The first line of plans/<workspace>/<hash> in the user's state folder",
            ),
        ),
        ("memory", finish(writing::<MemoryHead>(), "The head of a file in .ai/memory/")),
        ("memory-candidates", finish(reading::<Candidates>(), "memory-journal/output/candidates.json")),
        ("memory-dropped", finish(reading::<Dropped>(), ".ai/memory/dropped.json")),
        (
            "plan-graph",
            titled(
                "Plan",
                reading::<PlanGraph>(),
                "planGraph.json: the nodes of the work, their order and scope",
            ),
        ),
        (
            "plan-manifest",
            titled("Manifest of a plan", reading::<PlanManifest>(), "manifest.json beside planGraph.json"),
        ),
        ("prompt-record", finish(reading::<PromptRecord>(), "A line of p.jsonl")),
        ("rlm-packet", finish(reading::<Packet>(), "packet.json of a subagent")),
        ("rlm-policy", titled("Delegation policy", reading::<RlmPolicy>(), ".ai/hooks/rlm-policy.json")),
        ("state", titled("State of a session", reading::<State>(), "state.json: the state of a session")),
        ("stop-summary", finish(writing::<StopSummary>(), "stop-synth/output/summary.json")),
        (
            "trust",
            titled(
                "Trusted workspaces",
                reading::<Trust>(),
                "trust.json in the user's state folder: the workspaces that may run their own code",
            ),
        ),
        (
            "user-config",
            titled(
                "Settings of a registration for all folders",
                reading::<UserConfig>(),
                "~/.config/steersman/config.json and /etc/steersman/config.json: the workspaces that steersman governs",
            ),
        ),
        (
            "workspace",
            titled(
                "Names of files and folders",
                reading::<LayoutFile>(),
                ".ai/hooks/workspace.json: the names of the state's files and folders",
            ),
        ),
    ]
}

/// Returns the schema of a type that steersman reads.
fn reading<T: schemars::JsonSchema>() -> Schema {
    SchemaSettings::draft2020_12().for_deserialize().into_generator().into_root_schema_for::<T>()
}

/// Returns the schema of a type that steersman writes.
fn writing<T: schemars::JsonSchema>() -> Schema {
    SchemaSettings::draft2020_12().for_serialize().into_generator().into_root_schema_for::<T>()
}

/// Replaces a type's name by a title for people.
fn titled(title: &str, schema: Schema, description: &str) -> Value {
    let mut value = finish(schema, description);
    value["title"] = json!(title);
    value
}

fn finish(schema: Schema, description: &str) -> Value {
    let mut value = schema.to_value();
    value["description"] = json!(description);
    value
}
