//! One hook run, explained: every module's answer, the rewritten input, the parts that the host could not carry out.

use serde::Serialize;
use serde_json::{Map, Value};
use timeline::RecordedDecision;

use super::CommandReading;

/// An explained hook run.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(title = "api-run"))]
#[serde(rename_all = "camelCase")]
pub struct Explained {
    /// Its id.
    pub run: String,
    /// The session.
    pub sid: String,
    /// The piece of work.
    pub work_id: String,
    /// The agent; `u00` is the main one.
    pub agent: String,
    /// The turn.
    pub turn: u64,
    /// When it ran.
    pub ts: u64,
    /// The agent program.
    pub host: String,
    /// The event.
    pub event: String,
    /// The tool.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// The folder in which the host works.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cwd: Option<String>,
    /// The tool's input, without secrets.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input: Option<Value>,
    /// The input that replaced it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rewrite: Option<Value>,
    /// The decision; `none` if the watchdog answered.
    pub decision: String,
    /// The module that decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub module: Option<String>,
    /// The reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Further facts about the decision, as sentences.
    pub remarks: Vec<String>,
    /// Every module's word, in the order in which they ran.
    pub modules: Vec<ModuleAnswer>,
    /// The warnings for the user.
    pub warnings: Vec<String>,
    /// The keys of the texts for the model.
    pub context: Vec<String>,
    /// Whether the command ran confined, and the writes that the kernel refused.
    pub confinement: Vec<ConfinementFact>,
    /// The reading of the command, by the rules and files of now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reading: Option<CommandReading>,
    /// The parts of the verdict that the host could not carry out.
    pub dropped: Vec<DroppedPart>,
    /// The lines that modules emitted.
    pub emitted: Vec<EmittedLine>,
    /// The changes of the session's state.
    pub patch: Map<String, Value>,
    /// How long the run took, in microseconds.
    pub us: u64,
}

/// The answer of one module.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ModuleAnswer {
    /// Its name.
    pub name: String,
    /// Its decision.
    pub decision: RecordedDecision,
    /// Its reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Why it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// How long it took, in microseconds.
    pub us: u64,
}

/// A fact about the confinement of a command.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ConfinementFact {
    /// The fact.
    pub text: String,
    /// Whether the confinement held.
    pub holds: bool,
}

/// A part of the verdict that the host could not carry out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DroppedPart {
    /// The part.
    pub verb: String,
    /// Why, as a clause.
    pub why: String,
    /// The effect, as a clause.
    pub means: String,
}

/// A line that a module emitted.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EmittedLine {
    /// Its type.
    #[serde(rename = "type")]
    pub kind: String,
    /// The module.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub module: Option<String>,
    /// Its data.
    pub data: Map<String, Value>,
}
