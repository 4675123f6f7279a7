//! What a module hands back: its opinion, and what it wants written.

use automation::queue::QueuedRun;
use event::{ContextNote, Decision};
use redact::Redacted;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use store::Batch;

use crate::Memo;
use crate::record::PromptRecord;

/// A module's answer to one event (contract §7). Everything in it is optional.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Action {
    /// Whether the event may go on.
    pub decision: Decision,
    /// Stamps for the tool input; only `session` may give them.
    pub input_metadata: Map<String, Value>,
    /// Keys of the tool input to replace; only the manifest's rewrite owner may give them.
    pub updated_input: Map<String, Value>,
    /// Text for the model.
    pub additional_context: Vec<ContextNote>,
    /// What to change in the state, as a JSON merge patch.
    pub state_patch: Map<String, Value>,
    /// Records for the journal.
    pub emit_events: Vec<Emitted>,
    /// Files the module made.
    pub register_artifacts: Vec<Artifact>,
    /// Text for the person.
    pub warnings: Vec<String>,
    /// Numbers for the journal.
    pub metrics: Option<Value>,
    /// A line for the journal of prompts; only `session` gives one.
    pub prompt_record: Option<PromptRecord>,
    /// What the module wants to know again when it records what was decided.
    pub memo: Memo,
    /// Files for the module's output folder; only built-in modules give them.
    pub outputs: Vec<Output>,
    /// Runs of automations to ask for; only built-in modules give them.
    pub automations: Vec<QueuedRun>,
}

/// A file a module wants in its own output folder.
///
/// WHY not written by the module itself: judging an event again has to leave no trace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Output {
    /// Plain names with `/` between them, relative to the output folder.
    pub name: String,
    /// What becomes of the file.
    pub content: Content,
}

/// What becomes of an output file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Content {
    /// This is all there is in it.
    Replace(Redacted),
    /// These lines are added.
    Append(Batch),
}

/// A record a module wants in the journal.
#[derive(Debug, Clone, PartialEq)]
pub struct Emitted {
    /// Upper-case with underscores, such as `TOOL_DECISION`.
    pub kind: String,
    /// Whatever belongs to it.
    pub data: Value,
}

/// A file a module made and wants to be found again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Artifact {
    /// What it is, such as `planGraph`.
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

/// An action as a script returns it.
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(Serialize, schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct ActionWire {
    /// `allow`, `ask` or `deny`.
    decision: Option<DecisionWire>,
    /// Why; needed with `deny`, welcome with `ask`.
    deny_reason: Option<String>,
    /// The same under a name that fits `ask` better.
    reason: Option<String>,
    /// Stamps for the tool input, as `_hook…` keys.
    input_metadata: Option<Map<String, Value>>,
    /// Keys of the tool input to replace.
    updated_input: Option<Map<String, Value>>,
    /// Text for the model: a list of `{ key, value }`, or one text.
    additional_context: Option<ContextWire>,
    /// A JSON merge patch for the state.
    state_patch: Option<Map<String, Value>>,
    /// Records for the journal: objects with a `type`.
    emit_events: Vec<Map<String, Value>>,
    /// Files the module made.
    register_artifacts: Vec<Artifact>,
    /// Text for the person.
    warnings: Vec<String>,
    /// Numbers for the journal.
    metrics: Option<Value>,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[cfg_attr(feature = "schema", derive(Serialize, schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
enum DecisionWire {
    Allow,
    Ask,
    Deny,
}

#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(Serialize, schemars::JsonSchema))]
#[serde(untagged)]
enum ContextWire {
    Text(String),
    Notes(Vec<NoteWire>),
}

#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(Serialize, schemars::JsonSchema))]
struct NoteWire {
    key: String,
    value: String,
}

/// Why what a script returned is no action.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotAnAction {
    /// A field is unknown or of the wrong type.
    #[error("returned an action that cannot be read: {0}")]
    Shape(String),
    /// An event has no `type`.
    #[error("returned an event without a `type` in `emitEvents`")]
    EventWithoutType,
}

impl Action {
    /// Returns the action that only refuses.
    pub fn deny(reason: impl Into<String>) -> Self {
        Self { decision: Decision::Deny { reason: reason.into() }, ..Self::default() }
    }

    /// Reads what a script returned.
    pub fn from_json(value: Value) -> Result<Self, NotAnAction> {
        let refusal = refusal(&value);
        let wire: ActionWire = match serde_json::from_value(value) {
            Ok(wire) => wire,
            Err(error) => {
                // A typing mistake elsewhere must not turn a clear no into a yes.
                let reason = refusal.ok_or_else(|| NotAnAction::Shape(error.to_string()))?;
                let warning =
                    format!("a module's `deny` holds, but the rest of its answer cannot be read: {error}");
                return Ok(Self { warnings: vec![warning], ..Self::deny(reason) });
            }
        };
        let reason = wire.deny_reason.or(wire.reason).filter(|reason| !reason.trim().is_empty());
        let decision = match wire.decision {
            None => Decision::Abstain,
            Some(DecisionWire::Allow) => Decision::Allow,
            Some(DecisionWire::Ask) => {
                Decision::Ask { reason: reason.unwrap_or_else(|| "the project's own module asks".into()) }
            }
            Some(DecisionWire::Deny) => {
                Decision::Deny { reason: reason.unwrap_or_else(|| UNEXPLAINED.into()) }
            }
        };
        let emit_events = wire.emit_events.into_iter().map(emitted).collect::<Result<_, _>>()?;
        Ok(Self {
            decision,
            input_metadata: wire.input_metadata.unwrap_or_default(),
            updated_input: wire.updated_input.unwrap_or_default(),
            additional_context: wire.additional_context.map(notes).unwrap_or_default(),
            state_patch: wire.state_patch.unwrap_or_default(),
            emit_events,
            register_artifacts: wire.register_artifacts,
            warnings: wire.warnings,
            metrics: wire.metrics,
            prompt_record: None,
            memo: Memo::default(),
            outputs: Vec::new(),
            automations: Vec::new(),
        })
    }
}

/// What is said for a module that denies and does not say why.
const UNEXPLAINED: &str = "A module of the project's own refuses this and gives no reason. Do not try it again in another way; \
    tell the user what you wanted to do.";

/// Returns the reason of an answer that says `deny`, whatever else is in it.
fn refusal(value: &Value) -> Option<String> {
    (value.get("decision")?.as_str()? == "deny").then(|| {
        let reason = ["denyReason", "reason"].iter().find_map(|key| value.get(key)?.as_str());
        reason.filter(|reason| !reason.trim().is_empty()).unwrap_or(UNEXPLAINED).to_owned()
    })
}

fn emitted(mut event: Map<String, Value>) -> Result<Emitted, NotAnAction> {
    match event.remove("type") {
        Some(Value::String(kind)) if !kind.is_empty() => Ok(Emitted { kind, data: Value::Object(event) }),
        _ => Err(NotAnAction::EventWithoutType),
    }
}

fn notes(wire: ContextWire) -> Vec<ContextNote> {
    match wire {
        ContextWire::Text(value) => vec![ContextNote { key: "context".into(), value }],
        ContextWire::Notes(notes) => {
            notes.into_iter().map(|note| ContextNote { key: note.key, value: note.value }).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn nothing_returned_is_no_opinion() {
        assert_eq!(Action::from_json(json!({})), Ok(Action::default()));
    }

    #[test]
    fn every_field_finds_its_place() {
        let action = Action::from_json(json!({
            "decision": "deny", "denyReason": "not here",
            "updatedInput": {"query": "x"},
            "additionalContext": [{"key": "k", "value": "v"}],
            "statePatch": {"memory": {"seen": "x"}},
            "emitEvents": [{"type": "SEEN", "n": 1}],
            "registerArtifacts": [{"kind": "note", "path": "a.md"}],
            "warnings": ["careful"],
        }))
        .unwrap();
        assert_eq!(action.decision, Decision::Deny { reason: "not here".into() });
        assert_eq!(action.updated_input["query"], "x");
        assert_eq!(action.emit_events, [Emitted { kind: "SEEN".into(), data: json!({"n": 1}) }]);
        assert_eq!(action.register_artifacts[0].path, "a.md");
        assert_eq!(action.warnings, ["careful"]);
    }

    #[test]
    fn a_deny_stands_without_a_reason_and_beside_what_cannot_be_read() {
        let bare = Action::from_json(json!({"decision": "deny"})).unwrap();
        assert!(matches!(bare.decision, Decision::Deny { reason } if reason.contains("no reason")));
        let odd = Action::from_json(json!({"decision": "deny", "reason": "no", "context": 5})).unwrap();
        assert_eq!(odd.decision, Decision::Deny { reason: "no".into() });
        assert!(odd.warnings[0].contains("unknown field `context`"), "{:?}", odd.warnings);
    }

    #[test]
    fn nonsense_is_an_error_that_names_the_field() {
        for (value, complaint) in [
            (json!({"decision": "maybe"}), "unknown variant `maybe`"),
            (json!({"decison": "deny"}), "unknown field `decison`"),
            (json!({"warnings": "one"}), "expected a sequence"),
            (json!({"emitEvents": [{"n": 1}]}), "without a `type`"),
        ] {
            let error = Action::from_json(value).unwrap_err().to_string();
            assert!(error.contains(complaint), "{error}");
        }
    }
}
