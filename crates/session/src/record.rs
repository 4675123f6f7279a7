//! The lines of `events.jsonl`, `registry.jsonl` and `p.jsonl`.
//!
//! INVARIANT: only this file and `run_record.rs` build a line, and every string in it has passed the redaction
//! filter.

use std::fmt::Display;

use event::{AgentId, LineKind, RunId, SessionId, TurnId, WorkId};
use redact::{Redacted, RedactedJson};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Map, Value, json};
use store::{Batch, Recordable, Timestamp};

use crate::Ids;

/// One line of `events.jsonl`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct EventRecord {
    /// The format of the line; 1.
    pub v: u64,
    /// When, in milliseconds since 1970.
    pub ts: u64,
    /// The type of the event, such as `TOOL_DECISION`.
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
    /// The data of the event.
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
    /// The artifact and its path.
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
    /// The first line of the prompt without its secrets, when the project wants only that kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_line: Option<String>,
}

impl PromptRecord {
    /// Returns the recorded part of the prompt's text: all of it, or its first line.
    pub fn shown(&self) -> Option<&str> {
        self.text.as_deref().or(self.first_line.as_deref())
    }
}

/// An event for the journal, before the ids of its run are added.
#[derive(Debug, Clone, PartialEq)]
pub struct Emitted {
    /// Upper-case with underscores, such as `TOOL_DECISION`.
    pub kind: String,
    /// The data of the event.
    pub data: Value,
}

/// A file that a module made and registers for later readers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Artifact {
    /// The kind of artifact, such as `planGraph`.
    pub kind: String,
    /// Where it lies, relative to the workspace.
    pub path: String,
    /// Hash of its content, if the module knows it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hash: Option<String>,
    /// A line for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
}

/// The format of journal lines.
pub(crate) const LINE_FORMAT: u64 = 1;

/// An event on its way to the journal; reads back as an [`EventRecord`].
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct EventLine<'a, Data> {
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
    data: Data,
}

// The module's name is a `ModuleName`: letters, digits, `.`, `_` and `-`.
impl Recordable for EventLine<'_, RedactedJson> {}

impl<'a, Data> EventLine<'a, Data> {
    /// Returns the line of a run.
    pub(crate) fn new(ids: &Ids, ts: Timestamp, kind: &str, module: Option<&'a str>, data: Data) -> Self {
        Self {
            v: LINE_FORMAT,
            ts: ts.as_millis(),
            kind: Redacted::from_text(kind),
            hook_run_id: ids.run,
            session_id: ids.session,
            work_id: ids.work,
            agent_id: ids.agent,
            turn_id: ids.turn,
            module,
            data,
        }
    }
}

/// Writes the lines of one run: the ids and the time of each are the same.
#[derive(Debug, Clone, Copy)]
pub struct LineWriter {
    /// The ids of the run.
    pub ids: Ids,
    /// When the run recorded its lines.
    pub ts: Timestamp,
}

impl LineWriter {
    /// Adds an event's line to a batch. `module` emitted it; `None` is the dispatcher.
    pub fn push_event(&self, batch: &mut Batch, module: Option<&str>, event: Emitted) {
        let data = match event.data {
            Value::Null => Value::Object(Map::new()),
            Value::Object(data) => Value::Object(data),
            other => Value::Object(Map::from_iter([("value".to_owned(), other)])),
        };
        batch.push(&EventLine::new(&self.ids, self.ts, &event.kind, module, redact::owned(data)));
    }

    /// Adds an artifact's line to a batch.
    pub fn push_artifact(&self, batch: &mut Batch, module: &str, artifact: &Artifact) {
        push(
            batch,
            &ArtifactRecord {
                v: LINE_FORMAT,
                ts: self.ts.as_millis(),
                hook_run_id: self.ids.run.to_string(),
                session_id: self.ids.session.to_string(),
                work_id: self.ids.work.to_string(),
                agent_id: self.ids.agent.to_string(),
                module: module.to_owned(),
                artifact: artifact.clone(),
            },
        );
    }
}

impl PromptRecord {
    /// Adds the prompt's line to a batch.
    pub fn push_to(&self, batch: &mut Batch) {
        push(batch, self);
    }
}

/// Adds the line of any record to a batch, redacted.
pub fn push(batch: &mut Batch, record: &impl Serialize) {
    let value =
        serde_json::to_value(record).unwrap_or_else(|error| json!({"unrecordable": error.to_string()}));
    batch.push(&redact::owned(value));
}

/// Parses a line of `events.jsonl`. Returns `None` unless the dispatcher wrote it and it can change the state.
///
/// WHY the module is checked: a module may emit any event, including one that looks like the record of a run,
/// but its name is in the line.
pub(crate) fn of_dispatcher(line: &str) -> Option<EventRecord> {
    let record: EventRecord = serde_json::from_str(line).ok()?;
    let changes_state = matches!(
        LineKind::parse(&record.kind)?,
        LineKind::HookRun
            | LineKind::Unblocked
            | LineKind::Reserved
            | LineKind::PlanNode
            | LineKind::Held
            | LineKind::Released
            | LineKind::TurnEnded
    );
    (changes_state && record.module.is_none()).then_some(record)
}

fn displayed<S: Serializer>(id: &impl Display, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(id)
}
