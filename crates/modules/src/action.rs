//! The answer of a module: its decision, and the records and files it requests.

use automation::queue::QueuedRun;
use event::{ContextNote, Decision, Replacement};
use redact::Redacted;
use serde::Deserialize;
#[cfg(feature = "schema")]
use serde::Serialize;
use serde_json::{Map, Value};
use session::{Artifact, Emitted, PromptRecord};
use store::Batch;

use crate::Carryover;

/// A module's answer to one event (contract §7). Everything in it is optional.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Action {
    /// Its decision.
    pub decision: Decision,
    /// Stamps for the tool input; only `session` may give them.
    pub input_metadata: Map<String, Value>,
    /// Keys of the tool input to replace; only the manifest's rewrite owner may give them.
    pub updated_input: Map<String, Value>,
    /// Text for the model.
    pub additional_context: Vec<ContextNote>,
    /// A JSON merge patch for the state.
    pub state_patch: Map<String, Value>,
    /// Records for the journal.
    pub emit_events: Vec<Emitted>,
    /// Files the module made.
    pub register_artifacts: Vec<Artifact>,
    /// Text for the user.
    pub warnings: Vec<String>,
    /// Numbers for the journal.
    pub metrics: Option<Value>,
    /// Whether another module's deny explains the refusal better than this one; only built-in modules set it.
    pub yields: bool,
    /// Mistakes in the rest of the answer, for the module's author.
    pub mistakes: Vec<String>,
    /// A line for the journal of prompts; only `session` gives one.
    pub prompt_record: Option<PromptRecord>,
    /// A value for the module's next step: `conclude`, or `committed`.
    pub carryover: Carryover,
    /// Files for the module's output folder; only built-in modules give them.
    pub outputs: Vec<Output>,
    /// The tool's result as the model shall read it; only steersman itself gives it.
    pub replacement: Option<Replacement>,
    /// Automation runs to queue; only built-in modules request them.
    pub automations: Vec<QueuedRun>,
}

/// A file for the module's output folder.
///
/// WHY not written by the module itself: judging an event again must not write anything.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Output {
    /// Plain names with `/` between them, relative to the output folder.
    pub name: String,
    /// Its new content.
    pub content: Content,
}

/// The new content of an output file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Content {
    /// Replaces the file.
    Replace(Redacted),
    /// Appends lines.
    Append(Batch),
}

/// An action as a script returns it.
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(Serialize, schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct ActionWire {
    /// `allow`, `ask` or `deny`.
    decision: Option<DecisionWire>,
    /// The reason; required with `deny`, recommended with `ask`.
    deny_reason: Option<String>,
    /// Another name of `denyReason`, for `ask`.
    reason: Option<String>,
    /// Stamps for the tool input, as `_hook…` keys.
    input_metadata: Option<Map<String, Value>>,
    /// Keys of the tool input to replace.
    updated_input: Option<Map<String, Value>>,
    /// Text for the model: an array of `{ key, value }`, or one string.
    additional_context: Option<ContextWire>,
    /// A JSON merge patch for the state. Only `features.<module>` may be set; everything else is an error.
    state_patch: Option<Map<String, Value>>,
    /// Records for the journal: objects with a `type`.
    emit_events: Vec<Map<String, Value>>,
    /// Files the module made.
    register_artifacts: Vec<Artifact>,
    /// Text for the user.
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

/// Why a script's answer is not an action.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotAnAction {
    /// A field is unknown or of the wrong type.
    #[error("returned an invalid action: {0}")]
    Shape(String),
    /// An event has no `type`.
    #[error("returned an event without a `type` in `emitEvents`")]
    EventWithoutType,
}

impl Action {
    /// Returns an action that only denies.
    pub fn deny(reason: impl Into<String>) -> Self {
        Self { decision: Decision::Deny { reason: reason.into() }, ..Self::default() }
    }

    /// Parses the answer of a script.
    pub fn from_json(value: Value) -> Result<Self, NotAnAction> {
        let refusal = refusal(&value);
        let wire: ActionWire = match serde_json::from_value(value) {
            Ok(wire) => wire,
            Err(error) => {
                // A mistake in another field must not turn a deny into an abstain.
                let reason = refusal.ok_or_else(|| NotAnAction::Shape(error.to_string()))?;
                let warning = format!(
                    "a module's `deny` holds, but steersman cannot read the rest of its answer: {error}"
                );
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
            yields: false,
            mistakes: Vec::new(),
            prompt_record: None,
            carryover: Carryover::default(),
            outputs: Vec::new(),
            replacement: None,
            automations: Vec::new(),
        })
    }
}

impl Action {
    /// Removes the parts of the state patch outside of `features.<module>` and adds a mistake for each.
    ///
    /// WHY not a failure: a mistake must not turn a deny into an abstain. WHY not silently: a module that
    /// believes it has counted would keep an agent from stopping forever.
    pub fn restrict_patch_to(&mut self, module: &str) {
        let patch = std::mem::take(&mut self.state_patch);
        for (section, value) in patch {
            match value {
                Value::Object(features) if section == "features" => {
                    for (feature, value) in features {
                        if feature == module {
                            let own = Map::from_iter([(feature, value)]);
                            self.state_patch.insert(section.clone(), Value::Object(own));
                        } else {
                            self.mistakes.push(foreign(&format!("features.{feature}"), module));
                        }
                    }
                }
                Value::Object(fields) if !fields.is_empty() => {
                    let paths = fields.keys().map(|field| foreign(&format!("{section}.{field}"), module));
                    self.mistakes.extend(paths);
                }
                _ => self.mistakes.push(foreign(&section, module)),
            }
        }
    }
}

fn foreign(path: &str, module: &str) -> String {
    format!("statePatch sets `{path}`, but a module may only set `features.{module}`")
}

/// The reason for a module that denies without one.
const UNEXPLAINED: &str = "A module of this project refuses this without a reason. Do not try it again in another way; \
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
        assert!(matches!(bare.decision, Decision::Deny { reason } if reason.contains("without a reason")));
        let odd = Action::from_json(json!({"decision": "deny", "reason": "no", "context": 5})).unwrap();
        assert_eq!(odd.decision, Decision::Deny { reason: "no".into() });
        assert!(odd.warnings[0].contains("unknown field `context`"), "{:?}", odd.warnings);
    }

    #[test]
    fn a_module_patches_only_its_own_part_of_the_state() {
        for (patch, kept, mistakes) in [
            (json!({"features": {"mine": {"n": 1}}}), json!({"features": {"mine": {"n": 1}}}), vec![]),
            (json!({"stopped": true}), json!({}), vec!["`stopped`"]),
            (json!({"core": {"phase": "COMPLETE"}}), json!({}), vec!["`core.phase`"]),
            (json!({"features": {"other": {"n": 1}}}), json!({}), vec!["`features.other`"]),
            (json!({"features": true}), json!({}), vec!["`features`"]),
            (
                json!({"features": {"mine": {"n": 1}, "other": 1}, "memory": {}}),
                json!({"features": {"mine": {"n": 1}}}),
                vec!["`features.other`", "`memory`"],
            ),
        ] {
            let mut action = Action::from_json(json!({"decision": "deny", "statePatch": patch})).unwrap();
            action.restrict_patch_to("mine");
            assert_eq!(Value::Object(action.state_patch), kept);
            assert_eq!(action.mistakes.len(), mistakes.len(), "{:?}", action.mistakes);
            for (mistake, named) in action.mistakes.iter().zip(mistakes) {
                assert!(mistake.contains(named) && mistake.ends_with("`features.mine`"), "{mistake}");
            }
            assert!(action.decision.is_deny());
        }
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
