//! The lines of `events.jsonl`, `registry.jsonl` and `p.jsonl`.
//!
//! INVARIANT: a line is made here and only here, and everything in it has gone through
//! the redaction filter on the way.

use std::fmt::Display;

use event::{AgentId, LineKind, RunId, SessionId, TurnId, WorkId};
use redact::{Redacted, RedactedJson};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Map, Value, json};
use store::{Batch, Recordable, Timestamp};

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

/// An event on its way to the journal; reads back as an [`EventRecord`].
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct EventLine<'a> {
    v: u64,
    ts: u64,
    #[serde(rename = "type")]
    kind: Redacted,
    #[serde(serialize_with = "displayed")]
    hook_run_id: RunId,
    #[serde(serialize_with = "displayed")]
    session_id: SessionId,
    #[serde(serialize_with = "displayed")]
    work_id: WorkId,
    #[serde(serialize_with = "displayed")]
    agent_id: AgentId,
    turn_id: TurnId,
    #[serde(skip_serializing_if = "Option::is_none")]
    module: Option<&'a str>,
    data: RedactedJson,
}

// The module's name is checked: letters, digits and a few signs.
impl Recordable for EventLine<'_> {}

/// Adds an event's line to a batch.
pub(crate) fn push_event(batch: &mut Batch, ids: &Ids, ts: Timestamp, module: Option<&str>, event: Emitted) {
    let data = match event.data {
        Value::Null => Value::Object(Map::new()),
        Value::Object(data) => Value::Object(data),
        other => Value::Object(Map::from_iter([("value".to_owned(), other)])),
    };
    batch.push(&EventLine {
        v: LINE_FORMAT,
        ts: ts.as_millis(),
        kind: Redacted::from_text(&event.kind),
        hook_run_id: ids.run,
        session_id: ids.session,
        work_id: ids.work,
        agent_id: ids.agent,
        turn_id: ids.turn,
        module,
        data: redact::owned(data),
    });
}

/// Adds an artifact's line to a batch.
pub(crate) fn push_artifact(batch: &mut Batch, ids: &Ids, ts: Timestamp, module: &str, artifact: &Artifact) {
    push(
        batch,
        &ArtifactRecord {
            v: LINE_FORMAT,
            ts: ts.as_millis(),
            hook_run_id: ids.run.to_string(),
            session_id: ids.session.to_string(),
            work_id: ids.work.to_string(),
            agent_id: ids.agent.to_string(),
            module: module.to_owned(),
            artifact: artifact.clone(),
        },
    );
}

/// Adds a prompt's line to a batch.
pub(crate) fn push_prompt(batch: &mut Batch, record: &PromptRecord) {
    push(batch, record);
}

/// Returns what a line of `events.jsonl` says, if it changes the state and is the dispatcher's own.
///
/// WHY: a module may emit whatever it likes, also what looks like a record of a run; but
/// its name is on it.
pub(crate) fn of_dispatcher(line: &str) -> Option<Map<String, Value>> {
    let record: EventRecord = serde_json::from_str(line).ok()?;
    let changes_state = matches!(
        LineKind::parse(&record.kind)?,
        LineKind::HookRun | LineKind::Unblocked | LineKind::Reserved | LineKind::PlanNode
    );
    (changes_state && record.module.is_none()).then_some(record.data)
}

/// Adds any record's line to a batch.
pub(crate) fn push(batch: &mut Batch, record: &impl Serialize) {
    let value =
        serde_json::to_value(record).unwrap_or_else(|error| json!({"unrecordable": error.to_string()}));
    batch.push(&redact::owned(value));
}

fn displayed<S: Serializer>(id: &impl Display, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(id)
}
