//! The JSON Schemas of everything the contract puts on a wire or a disk, made from the types.

mod config_sections;

use schemars::{Schema, generate::SchemaSettings};
use serde_json::{Value, json};
use store::{LayoutFile, Trust};

use crate::files::{FollowupRules, RlmPolicy};
use crate::modules::rlm_work::Packet;
use crate::modules::stop_synth::StopSummary;
use crate::plan::{PlanGraph, PlanManifest};
use crate::{ActionWire, ArtifactRecord, CtxWire, EventRecord, Manifest, PromptRecord, State};
use memory::{Candidates, Dropped, Experience, MemoryHead};

pub use config_sections::{ConfigSection, config, config_sections};

/// Returns every schema under its name, but for the one that other crates add to: [`config`].
/// A schema whose title is a type's name gets one made from its own name.
pub fn all() -> Vec<(&'static str, Value)> {
    vec![
        ("artifact-record", finish(reading::<ArtifactRecord>(), "A line of registry.jsonl")),
        (
            "ctx",
            titled(
                "Context of a module",
                writing::<CtxWire>(),
                "What a project's own module gets, as the data of its `ctx`",
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
            titled("Action of a module", reading::<ActionWire>(), "What a project's own module returns"),
        ),
        ("hook-input", finish(reading::<host::raw::RawInputWire>(), "The contract's own payload")),
        ("hook-output", finish(writing::<host::raw::RawOutputWire>(), "The contract's own answer")),
        (
            "kept-plan",
            finish(
                reading::<crate::plan::KeptPlanRecord>(),
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
                "planGraph.json: what is to be done, in which order, where",
            ),
        ),
        (
            "plan-manifest",
            titled("Manifest of a plan", reading::<PlanManifest>(), "manifest.json beside planGraph.json"),
        ),
        ("prompt-record", finish(reading::<PromptRecord>(), "A line of p.jsonl")),
        ("rlm-packet", finish(reading::<Packet>(), "packet.json of a subagent")),
        ("rlm-policy", titled("Delegation policy", reading::<RlmPolicy>(), ".ai/hooks/rlm-policy.json")),
        ("state", titled("State of a session", reading::<State>(), "state.json: where a session stands")),
        ("stop-summary", finish(writing::<StopSummary>(), "stop-synth/output/summary.json")),
        (
            "trust",
            titled(
                "Trusted workspaces",
                reading::<Trust>(),
                "trust.json in the user's state folder: which workspaces may run code of their own",
            ),
        ),
        (
            "workspace",
            titled(
                "Names of files and folders",
                reading::<LayoutFile>(),
                ".ai/hooks/workspace.json: what the files and folders of the state are called",
            ),
        ),
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

/// Says for people what the type's name only says to programmers.
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
