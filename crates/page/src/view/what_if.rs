//! A session judged again under another manifest: what would differ.

use serde::Serialize;
use timeline::RecordedDecision;

/// The result of judging a session again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(title = "api-what-if"))]
#[serde(rename_all = "camelCase")]
pub struct WhatIf {
    /// When this was computed.
    pub ts: u64,
    /// The session.
    pub sid: String,
    /// The manifest under which it was judged.
    pub manifest: String,
    /// Why it could not be judged.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    /// The result.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<Judged>,
}

/// The judged events.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Judged {
    /// How many events were judged again.
    pub judged: usize,
    /// How many got the same decision for the same reason.
    pub same: usize,
    /// How many got the same decision for another reason.
    pub other_reason: usize,
    /// How many got another decision, or another input for the tool.
    pub different: usize,
    /// Whether the time limit ended the replay before the session's last event.
    pub is_cut: bool,
    /// The events that cannot be judged again.
    pub not_replayable: Vec<LeftOut>,
    /// The changed decisions, in the order of the session.
    pub changes: Vec<ChangedDecision>,
}

/// Events that cannot be judged again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LeftOut {
    /// The event.
    pub event: String,
    /// Why.
    pub why: String,
    /// How many.
    pub count: usize,
}

/// A changed decision.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ChangedDecision {
    /// The run.
    pub run: String,
    /// When it ran.
    pub ts: u64,
    /// The event.
    pub event: String,
    /// The tool.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// The target of the call.
    pub target: String,
    /// The recorded decision.
    pub before: DecisionWord,
    /// The decision under the manifest.
    pub after: DecisionWord,
}

/// A decision with its module and reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DecisionWord {
    /// The decision.
    pub decision: RecordedDecision,
    /// The module that decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub module: Option<String>,
    /// The reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}
