//! The lines of `events.jsonl`, `registry.jsonl` and `p.jsonl`.
//!
//! INVARIANT: a line is made here and only here, and everything in it has gone through
//! the redaction filter on the way.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use store::{Batch, Timestamp};

use crate::action::{Artifact, Emitted};
use crate::context::Ids;

/// One line of `events.jsonl`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct EventRecord {
    /// The format of the line; 1.
    pub v: u64,
    /// When, in milliseconds since 1970.
    pub ts: u64,
    /// What happened, such as `TOOL_DECISION`.
    #[serde(rename = "type")]
    pub kind: String,
    /// The run that recorded it.
    pub hook_run_id: String,
    /// The session.
    pub session_id: String,
    /// The piece of work.
    pub work_id: String,
    /// The agent.
    pub agent_id: String,
    /// The turn.
    pub turn_id: u64,
    /// The module that emitted it; none for the dispatcher itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub module: Option<String>,
    /// What belongs to it.
    #[serde(default)]
    pub data: Map<String, Value>,
}

/// One line of `registry.jsonl`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ArtifactRecord {
    /// The format of the line; 1.
    pub v: u64,
    /// When, in milliseconds since 1970.
    pub ts: u64,
    /// The run that registered it.
    pub hook_run_id: String,
    /// The session.
    pub session_id: String,
    /// The piece of work.
    pub work_id: String,
    /// The agent.
    pub agent_id: String,
    /// The module that made it.
    pub module: String,
    /// What it is and where.
    #[serde(flatten)]
    pub artifact: Artifact,
}

/// One line of `p.jsonl`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct PromptRecord {
    /// When, in milliseconds since 1970.
    pub ts: u64,
    /// The turn the prompt began.
    pub turn_id: u64,
    /// The piece of work it belongs to.
    pub work_id: String,
    /// The first sixteen hex digits of the prompt's SHA-256.
    pub hash: String,
    /// How many characters it has.
    pub chars: u64,
    /// The prompt without its secrets, when the project wants it kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// The format of journal lines.
pub(crate) const LINE_FORMAT: u64 = 1;

/// Adds an event's line to a batch.
pub(crate) fn push_event(batch: &mut Batch, ids: &Ids, ts: Timestamp, module: Option<&str>, event: &Emitted) {
    let data = match &event.data {
        Value::Object(data) => data.clone(),
        Value::Null => Map::new(),
        other => Map::from_iter([("value".to_owned(), other.clone())]),
    };
    let record = EventRecord {
        v: LINE_FORMAT,
        ts: ts.as_millis(),
        kind: event.kind.clone(),
        hook_run_id: ids.run.to_string(),
        session_id: ids.session.to_string(),
        work_id: ids.work.to_string(),
        agent_id: ids.agent.to_string(),
        turn_id: ids.turn,
        module: module.map(str::to_owned),
        data,
    };
    push(batch, &record);
}

/// Adds an artifact's line to a batch.
pub(crate) fn push_artifact(batch: &mut Batch, ids: &Ids, ts: Timestamp, module: &str, artifact: &Artifact) {
    let record = ArtifactRecord {
        v: LINE_FORMAT,
        ts: ts.as_millis(),
        hook_run_id: ids.run.to_string(),
        session_id: ids.session.to_string(),
        work_id: ids.work.to_string(),
        agent_id: ids.agent.to_string(),
        module: module.to_owned(),
        artifact: artifact.clone(),
    };
    push(batch, &record);
}

/// Adds a prompt's line to a batch.
pub(crate) fn push_prompt(batch: &mut Batch, record: &PromptRecord) {
    push(batch, record);
}

fn push(batch: &mut Batch, record: &impl Serialize) {
    let value =
        serde_json::to_value(record).unwrap_or_else(|error| json!({"unrecordable": error.to_string()}));
    batch.push(&redact::value(&value));
}
