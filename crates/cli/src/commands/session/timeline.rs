//! A session as a sequence of turns, each with what happened in it.

use serde::Serialize;

/// One turn: what a prompt set off. Turn 0 is what came before the first prompt.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Turn {
    /// Its number.
    #[serde(rename = "turn")]
    pub(super) number: u64,
    /// The piece of work.
    pub(super) work_id: String,
    /// When it began, in milliseconds since 1970.
    pub(super) ts: u64,
    /// What is known of the prompt.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) prompt: Option<Prompt>,
    /// What happened.
    pub(super) entries: Vec<Entry>,
}

/// What is known of a prompt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Prompt {
    /// How many characters it has.
    pub(super) chars: u64,
    /// The beginning of its SHA-256.
    pub(super) hash: String,
    /// Its text, if the project keeps that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) text: Option<String>,
}

/// One thing that happened.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Entry {
    /// When, in milliseconds since 1970.
    pub(super) ts: u64,
    /// The run that recorded it; what `session explain` takes.
    pub(super) run: String,
    /// In which agent; `u00` is the main one.
    pub(super) agent: String,
    /// What.
    #[serde(flatten)]
    pub(super) what: What,
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub(super) enum What {
    /// A tool was called.
    Call(Call),
    /// A tool ended of which no call was seen.
    Result { tool: String, outcome: Outcome },
    /// An event other than a tool call was refused.
    Refused { event: String, module: Option<String>, reason: String },
    /// The session began, or was taken up again.
    Start { source: Option<String>, model: Option<String> },
    /// The work went on to another phase.
    Phase { from: String, to: String, why: String },
    /// The context was shortened.
    Compaction { trigger: Option<String> },
    /// A subagent began.
    AgentStart { role: Option<String> },
    /// A subagent ended.
    AgentStop { role: Option<String> },
    /// The agent ended its turn.
    Stop { kept_going: bool },
    /// A module failed.
    Failure { module: String, error: String, critical: bool },
    /// The time was up.
    OutOfTime { budget_ms: u64, module: Option<String> },
    /// Somebody said where a node of the plan stands, or had it checked.
    Plan { text: String, holds: bool },
    /// Something a person was told.
    Warning { text: String },
    /// Something a module recorded.
    Note { name: String, module: Option<String> },
}

/// A call of a tool.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Call {
    /// The tool, in the host's spelling.
    pub(super) tool: String,
    /// What it is about.
    pub(super) target: String,
    /// What was decided: `abstain` and `allow` pass.
    pub(super) decision: String,
    /// The module that decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) module: Option<String>,
    /// Why.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) reason: Option<String>,
    /// It was to run with another input.
    pub(super) rewritten: bool,
    /// It was refused because the host cannot ask.
    pub(super) could_not_ask: bool,
    /// How it ended, if that was reported.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) outcome: Option<Outcome>,
    /// The host's id of it.
    #[serde(skip)]
    pub(super) id: Option<String>,
}

/// How a tool call ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Outcome {
    /// Well or badly.
    pub(super) ok: bool,
    /// What went wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) error: Option<String>,
    /// How long after the call was judged, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) ms: Option<u64>,
}
