//! A session as a sequence of turns with their entries.

use serde::Serialize;
use serde_json::Value;
use session::RecordedDecision;

/// One turn: the entries after a prompt. Turn 0 precedes the first prompt.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Turn {
    /// The number.
    #[serde(rename = "turn")]
    pub number: u64,
    /// The work id.
    pub work_id: String,
    /// The start, in milliseconds since 1970.
    pub ts: u64,
    /// The prompt, if recorded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt: Option<Prompt>,
    /// The entries.
    pub entries: Vec<Entry>,
}

/// The record of a prompt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Prompt {
    /// The number of characters.
    pub chars: u64,
    /// The first digits of its SHA-256.
    pub hash: String,
    /// Its text, if the project records it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// An entry of a timeline.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Entry {
    /// The time, in milliseconds since 1970.
    pub ts: u64,
    /// The id of the run that recorded it, for `session explain`.
    pub run: String,
    /// The agent; `u00` is the main one.
    pub agent: String,
    /// The kind and its fields.
    #[serde(flatten)]
    pub what: EntryKind,
}

/// The kind of an entry.
#[expect(missing_docs, reason = "the entries of the enum describe their fields")]
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum EntryKind {
    /// A tool call.
    Call(Box<Call>),
    /// The result of a tool call that was not recorded.
    Result { tool: String, outcome: Outcome },
    /// A denied event other than a tool call.
    Refused { event: String, module: Option<String>, reason: String },
    /// The session started or resumed.
    Start { source: Option<String>, model: Option<String> },
    /// The phase of the work changed.
    Phase { from: String, to: String, why: String },
    /// The host compacted the context, or was about to check whether it must.
    Compaction { trigger: Option<String>, is_certain: bool },
    /// A subagent started.
    AgentStart { role: Option<String> },
    /// A subagent stopped.
    AgentStop { role: Option<String> },
    /// The agent ended its turn.
    Stop { kept_going: bool },
    /// A module failed.
    Failure { module: String, error: String, critical: bool },
    /// The budget was exceeded.
    OutOfTime { budget_ms: u64, module: Option<String> },
    /// A person held or released the session, or ended its turn.
    Order { text: String, stops: bool },
    /// A user marked a node of the plan or ran its validations.
    Plan { text: String, holds: bool },
    /// Whether a command ran confined, and the writes that the kernel refused.
    Confined { text: String, holds: bool },
    /// A warning to the user.
    Warning { text: String },
    /// An event that a module emitted.
    Note { name: String, module: Option<String> },
}

/// A tool call.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Call {
    /// The tool, in the host's spelling.
    pub tool: String,
    /// Its target.
    pub target: String,
    /// The decision: `abstain` and `allow` let the call pass.
    pub decision: RecordedDecision,
    /// The module that decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub module: Option<String>,
    /// The reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Why steersman approved it in place of the user.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub approved: Option<String>,
    /// Whether its input was rewritten.
    pub rewritten: bool,
    /// Whether it was denied because the host cannot ask.
    pub could_not_ask: bool,
    /// The result, if reported.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Outcome>,
    /// Whether its agent went on to its end and the host never reported a result.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub no_result: bool,
    /// The host's id of the call.
    #[serde(skip)]
    pub id: Option<String>,
    /// Its command and its files, as recorded.
    #[serde(skip)]
    pub effect: Option<Box<(Value, Value)>>,
}

/// The result of a tool call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Outcome {
    /// Whether it succeeded.
    pub ok: bool,
    /// The error message.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The time since the decision, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ms: Option<u64>,
}
